// The screen of /residential-proxies/users: the traffic that is left, above the proxy users, and in another tab what was used.
import { lazy } from 'react';
import { TrafficSummary } from '@/features/residential-proxies/TrafficSummary';
import { UsersPage } from '@/features/residential-proxies/users/UsersPage';

// Charts are loaded where they are looked at.
const UsagePanel = lazy(async () => ({
  default: (await import('@/features/residential-proxies/usage/UsagePanel')).UsagePanel,
}));

export function UsersScreen() {
  return <UsersPage summary={<TrafficSummary />} usage={<UsagePanel />} />;
}
