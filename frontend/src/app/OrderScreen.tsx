// The screen of /order: the account's own orders, or, for operators whose address asks for them, everybody's.
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { OPERATOR } from '@/core/constants.gen';
import { OrdersPage } from '@/features/orders/OrdersPage';
import { useUserStore } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';

// Customers never load what only operators see.
const AccountOrder = lazy(async () => ({
  default: (await import('@/features/operator/AccountOrder')).AccountOrder,
}));
const AccountOrders = lazy(async () => ({
  default: (await import('@/features/operator/AccountOrders')).AccountOrders,
}));

export function OrderScreen() {
  const { t } = useTranslation('orders');
  const [parameters] = useSearchParams();
  const isOperator = useUserStore((state) => state.info?.Level === OPERATOR);
  const orderNumber = parameters.get('OrderNumber');
  if (!isOperator) return <OrdersPage />;
  if (!orderNumber && !parameters.has('All')) {
    return <OrdersPage actions={<ButtonLink to="/order?All=1">{t('operator.all')}</ButtonLink>} />;
  }
  return (
    <Suspense fallback={<LoadingState rows={8} />}>
      {orderNumber ? <AccountOrder key={orderNumber} orderNumber={orderNumber} /> : <AccountOrders />}
    </Suspense>
  );
}
