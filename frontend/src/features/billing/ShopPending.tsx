// Placeholder of a form while the shop's settings load or after they failed to.
import { useConfigStore } from '@/stores/config';
import { LoadingState } from '@/ui/Loading';
import { ErrorState } from '@/ui/State';

/** `rows` approximates the height of the form. */
export function ShopPending({ rows = 4 }: { rows?: number }) {
  const { loading, loadShop } = useConfigStore();
  if (loading) return <LoadingState rows={rows} />;
  return <ErrorState onRetry={() => loadShop().catch(() => {})} />;
}
