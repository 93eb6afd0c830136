// Unpaid orders. Hidden if there are none.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useOrderStore } from '@/stores/order';
import { ButtonLink } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { useContentsText } from '@/ui/order/contents';
import { Card } from '@/ui/Page';
import { MoneyText, UntilText } from '@/ui/texts';
import s from './welcome.module.css';

export function UnpaidOrders() {
  const { t } = useTranslation('welcome');
  const unpaid = useOrderStore((state) => state.unpaidOrders);
  const contents = useContentsText();
  if (unpaid.length === 0) return null;
  return (
    <Card title={t('unpaid.title')}>
      <ul className={s.unpaid}>
        {unpaid.map((order) => (
          <li key={order.OrderId}>
            <span>
              <Link to={`/order?OrderId=${order.OrderId}`}>{order.OrderNumber}</Link>
              <small>{contents(order)}</small>
            </span>
            <span className={s.soft}>
              {fillText((marks) => t('unpaid.expires', marks), { Time: <UntilText value={order.ExpiresAt} /> })}
            </span>
            <strong>
              <MoneyText amount={order.Total} currency={order.Currency} />
            </strong>
            <ButtonLink to={`/order?OrderId=${order.OrderId}`} variant="primary" size="small">
              {t('unpaid.pay')}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}
