// The route /order: the account's own orders. Operators' links to other accounts' orders are redirected to the operator screens.
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { OrdersPage } from '@/features/orders/OrdersPage';
import { useMay } from '@/stores/may';
import { ButtonLink } from '@/ui/Button';

const ALL_ORDERS = `${OPERATOR_PATH}/orders`;

export function OrderScreen() {
  const { t } = useTranslation('orders');
  const [parameters] = useSearchParams();
  const may = useMay();
  if (!may('Operator/GetOrderList')) return <OrdersPage />;
  if (!parameters.has('OrderNumber') && !parameters.has('All')) {
    return <OrdersPage actions={<ButtonLink to={ALL_ORDERS}>{t('operator.all')}</ButtonLink>} />;
  }
  const wanted = new URLSearchParams(parameters);
  wanted.delete('All');
  return <Navigate to={{ pathname: ALL_ORDERS, search: String(wanted) }} replace />;
}
