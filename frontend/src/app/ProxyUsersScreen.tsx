// The screen of proxy users: they, or, where the address asks for it, what they used.
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { NotBuiltPage } from '@/features/not-built/NotBuiltPage';
import { USAGE_VIEW, VIEW_KEY } from '@/features/residential-proxies/views';
import { LoadingState } from '@/ui/Loading';

// Who looks after proxy users does not load charts.
const UsagePage = lazy(async () => ({
  default: (await import('@/features/residential-proxies/usage/UsagePage')).UsagePage,
}));

export function ProxyUsersScreen() {
  const [parameters] = useSearchParams();
  if (parameters.get(VIEW_KEY) !== USAGE_VIEW) return <NotBuiltPage />;
  return (
    <Suspense fallback={<LoadingState rows={8} />}>
      <UsagePage />
    </Suspense>
  );
}
