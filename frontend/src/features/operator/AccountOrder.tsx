// A customer's order for operators: contents, account, gateway callbacks and refunds.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { accountOrderQuery } from '@/api/operator';
import { OPERATOR_PATH, REFUNDABLE } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { endOf } from '@/ui/order/contents';
import { OrderContents } from '@/ui/order/OrderContents';
import { Documents, Payments, Timeline } from '@/ui/order/OrderHistory';
import { OrderNodes, Replacements } from '@/ui/order/OrderNodes';
import { OrderStateBadge } from '@/ui/order/OrderStateBadge';
import { OrderSummary } from '@/ui/order/OrderSummary';
import s from '@/ui/order/order.module.css';
import { Parts } from '@/ui/order/Parts';
import { refetchOfRefunds } from '@/ui/order/refundProgress';
import { SourceRefunds } from '@/ui/order/SourceRefunds';
import { Card, Page } from '@/ui/Page';
import { Badge, ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import local from './operator.module.css';
import { RefundDialog } from './RefundDialog';

export function AccountOrder({ orderNumber }: { orderNumber: string }) {
  const { t } = useTranslation('orders');
  const may = useMay();
  const [isRefunding, setRefunding] = useState(false);
  const found = useQuery({
    ...accountOrderQuery(orderNumber),
    refetchInterval: ({ state: { data } }) => refetchOfRefunds(data?.Order),
  });
  const order = found.data?.Order;
  const end = order && endOf(order);
  const canRefund = order && REFUNDABLE[order.Kind].includes(order.State) && may('Operator/RefundOrder');
  return (
    <Page
      title={t('one', { OrderNumber: orderNumber })}
      heading={order && <OrderSummary order={order} end={end} />}
      badge={order && <OrderStateBadge state={order.State} />}
      description={found.data && <Parts parts={[orderNumber, t('operator.of', { Email: found.data.Email })]} />}
      actions={
        canRefund && (
          <Button variant="danger" onClick={() => setRefunding(true)}>
            {t('refund.open')}
          </Button>
        )
      }
      opened={orderNumber}
    >
      {found.isError && !found.data && <ErrorState error={found.error} onRetry={() => found.refetch()} />}
      {found.isPending && <LoadingState rows={8} />}
      {found.data && order && (
        <div className={s.detail}>
          <div className={s.stack}>
            <OrderContents order={order} />
            <Refunds order={order} accountId={found.data.AccountId} />
            <OrderNodes order={order} />
            <Replacements order={order} />
            <Documents order={order} />
            <Payments order={order} />
            <Callbacks callbacks={found.data.Callbacks} />
          </div>
          <div className={s.stack}>
            <Card title={t('operator.account')}>
              <dl className={s.facts}>
                <dt>{t('operator.name')}</dt>
                <dd>{found.data.Name}</dd>
                <dt>{t('operator.email')}</dt>
                <dd>{found.data.Email}</dd>
                <dt>{t('operator.accountId')}</dt>
                <dd>
                  <Link to={`${OPERATOR_PATH}/accounts/${found.data.AccountId}`}>{found.data.AccountId}</Link>
                </dd>
              </dl>
            </Card>
            <Card title={t('timeline')}>
              <Timeline order={order} end={end} />
            </Card>
          </div>
        </div>
      )}
      {isRefunding && order && <RefundDialog order={order} onClose={() => setRefunding(false)} />}
    </Page>
  );
}

/** Refunds to where the money came from, with a link to where their outcome is recorded. */
function Refunds({ order, accountId }: { order: Schemas['OrderView']; accountId: number }) {
  const { t } = useTranslation('orders');
  const may = useMay();
  const returns = new URLSearchParams({ view: 'returns', AccountId: String(accountId) });
  const link = <Link to={`${OPERATOR_PATH}/payments?${returns}`}>{t('refunds.all')}</Link>;
  return <SourceRefunds order={order} aside={may('Operator/GetPaymentReturnList') && link} />;
}

/** Callbacks with their excerpt and verdict. */
function Callbacks({ callbacks }: { callbacks: Schemas['Callback'][] }) {
  const { t } = useTranslation('orders');
  if (callbacks.length === 0) return null;
  return (
    <Card title={t('operator.callbacks')}>
      <ul className={`${s.entries} ${local.callbacks}`}>
        {callbacks.map((callback) => (
          <li key={callback.CallbackId} className={local.callback}>
            <div>
              <strong>{t(`method.${callback.Gateway}`)}</strong>
              <DateText value={callback.ReceivedAt} />
            </div>
            <Badge tone={callback.Verdict === 'settle' ? 'good' : 'neutral'}>
              {callback.Verdict ? t(`verdict.${callback.Verdict}`) : t('verdict.none')}
            </Badge>
            <pre>{callback.Beginning}</pre>
            <small title={callback.Sha256}>
              {t('operator.callbackSize', { count: callback.SizeBytes })}
              {callback.Sender && ` · ${t('operator.callbackFrom', { Sender: callback.Sender })}`}
            </small>
          </li>
        ))}
      </ul>
    </Card>
  );
}
