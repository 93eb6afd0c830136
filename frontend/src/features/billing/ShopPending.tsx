// In the place of a form that needs the shop's settings: they are on their way, or could not be loaded.
import { useConfigStore } from '@/stores/config';
import { LoadingState } from '@/ui/Loading';
import { ErrorState } from '@/ui/State';

/** `rows` are about as high as the form. */
export function ShopPending({ rows = 4 }: { rows?: number }) {
  const { loading, loadShop } = useConfigStore();
  if (loading) return <LoadingState rows={rows} />;
  return <ErrorState onRetry={() => loadShop().catch(() => {})} />;
}
