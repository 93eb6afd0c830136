// The latest orders of a customer, with a link to all of them.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { latestOrdersQuery } from '@/api/operator';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { useContentsText } from '@/ui/order/contents';
import { OrderStateBadge } from '@/ui/order/OrderStateBadge';
import { Parts } from '@/ui/order/Parts';
import { Card } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import s from './accounts.module.css';

const SHOWN = 5;
const ORDERS = `${OPERATOR_PATH}/orders`;

export function LatestOrders({ accountId, count }: { accountId: number; count: number }) {
  const { t } = useTranslation('accounts');
  const contents = useContentsText();
  const latest = useQuery(latestOrdersQuery(accountId, SHOWN));
  return (
    <Card
      title={t('orders.title')}
      aside={
        count > 0 && (
          <ButtonLink to={`${ORDERS}?AccountId=${accountId}`} variant="ghost" size="small">
            {t('orders.all', { Count: count })}
          </ButtonLink>
        )
      }
    >
      {latest.isPending && <LoadingState rows={3} />}
      {latest.isError && !latest.data && <ErrorState error={latest.error} onRetry={() => latest.refetch()} />}
      {latest.data?.Rows.length === 0 && <p className={s.soft}>{t('orders.none')}</p>}
      <ul className={s.rows}>
        {latest.data?.Rows.map(({ Order }) => (
          <li key={Order.OrderId}>
            <div>
              <span className={s.order}>
                <Link to={`${ORDERS}?OrderNumber=${Order.OrderNumber}`}>{Order.OrderNumber}</Link>
                <OrderStateBadge state={Order.State} />
              </span>
              <small>
                <Parts parts={[contents(Order), <DateText key="at" value={Order.CreatedAt} />]} />
              </small>
            </div>
            <MoneyText amount={Order.Total} currency={Order.Currency} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
