// In the place of a form that needs the shop's settings: they are on their way, or could not be loaded.
import { useConfigStore } from '@/stores/config';
import { LoadingState } from '@/ui/Loading';
import { ErrorState } from '@/ui/State';

export function ShopPending() {
  const { loading, loadShop } = useConfigStore();
  if (loading) return <LoadingState rows={4} />;
  return <ErrorState onRetry={() => loadShop().catch(() => {})} />;
}
