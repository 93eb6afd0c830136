// The route /static-residential-proxies/proxy-list: the proxies, and their usage in a second tab.
import { lazy } from 'react';
import { loadScreenRules } from '@/core';
import { ProxyServerKind } from '@/core/constants.gen';
import { ProxyListPage } from '@/features/static-residential-proxies/nodes/ProxyListPage';

// Charts are loaded only when the usage tab is opened.
const UsagePanel = lazy(async () => {
  const [{ UsagePanel }] = await Promise.all([
    import('@/features/residential-proxies/usage/UsagePanel'),
    loadScreenRules(),
  ]);
  return { default: UsagePanel };
});

export function ProxyListScreen() {
  return <ProxyListPage usage={<UsagePanel kind={ProxyServerKind.Static} />} />;
}
