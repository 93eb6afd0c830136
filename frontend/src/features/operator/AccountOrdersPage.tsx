// All customers' orders, or the one in the address.
import { useSearchParams } from 'react-router';
import { AccountOrder } from './AccountOrder';
import { AccountOrders } from './AccountOrders';

export function AccountOrdersPage() {
  const [parameters] = useSearchParams();
  const orderNumber = parameters.get('OrderNumber');
  return orderNumber ? <AccountOrder key={orderNumber} orderNumber={orderNumber} /> : <AccountOrders />;
}
