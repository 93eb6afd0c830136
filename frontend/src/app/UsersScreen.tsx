// The route /residential-proxies/users: remaining traffic above the proxy users, and usage in a second tab.
import { lazy } from 'react';
import { TrafficSummary } from '@/features/residential-proxies/TrafficSummary';
import { UsersPage } from '@/features/residential-proxies/users/UsersPage';

// Charts are loaded only when the usage tab is opened.
const UsagePanel = lazy(async () => ({
  default: (await import('@/features/residential-proxies/usage/UsagePanel')).UsagePanel,
}));

export function UsersScreen() {
  return <UsersPage summary={<TrafficSummary />} usage={<UsagePanel />} />;
}
