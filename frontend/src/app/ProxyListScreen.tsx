// The screen of /static-residential-proxies/proxy-list: the proxies, and in another tab what they carried.
import { lazy } from 'react';
import { loadResidential } from '@/core';
import { ProxyServerKind } from '@/core/constants.gen';
import { ProxyListPage } from '@/features/static-residential-proxies/nodes/ProxyListPage';

// Charts, and the rules of their figures, are loaded where they are looked at.
const UsagePanel = lazy(async () => {
  const [{ UsagePanel }] = await Promise.all([
    import('@/features/residential-proxies/usage/UsagePanel'),
    loadResidential(),
  ]);
  return { default: UsagePanel };
});

export function ProxyListScreen() {
  return <ProxyListPage usage={<UsagePanel kind={ProxyServerKind.Static} />} />;
}
