// One order: what is in it, what it costs, how long it waits, and paying it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { getTraffic } from '@/api/traffic';
import { core } from '@/core';
import { OrderKind, OrderState } from '@/core/constants.gen';
import { useOrderStore } from '@/stores/order';
import { usePayment } from '@/stores/payment';
import { useSessionStore } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { isOfTraffic } from '@/ui/order/contents';
import { OrderContents } from '@/ui/order/OrderContents';
import { Documents, Payments, Timeline } from '@/ui/order/OrderHistory';
import { OrderNodes, proxiesOf } from '@/ui/order/OrderNodes';
import { OrderStateBadge } from '@/ui/order/OrderStateBadge';
import s from '@/ui/order/order.module.css';
import { paymentTone } from '@/ui/order/paymentTone';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { TimeLeft } from '@/ui/texts';
import { CancelOrder } from './CancelOrder';
import room from './orders.module.css';
import { PayForm } from './PayForm';
import { useSecondsSince } from './UnpaidOrdersMenu';

export function OrderDetail({ orderId }: { orderId: number }) {
  const { t } = useTranslation('orders');
  const queryClient = useQueryClient();
  const payment = usePayment();
  const order = useQuery({
    queryKey: ['order', orderId],
    queryFn: () => post('Order/GetOrder', { OrderId: orderId }),
    refetchInterval: (query) => (query.state.data?.CanPay ? 15_000 : false),
  });
  const batch = useBatch(order.data);
  const refresh = () => {
    queryClient.invalidateQueries({ queryKey: ['order', orderId] });
    queryClient.invalidateQueries({ queryKey: ['traffic'] });
    useOrderStore
      .getState()
      .loadUnpaidOrders()
      .catch(() => {});
    useSessionStore
      .getState()
      .loadWallet()
      .catch(() => {});
  };
  const title = order.data ? t('one', { OrderNumber: order.data.OrderNumber }) : t('title');
  return (
    <Page title={title} actions={<ButtonLink to="/order">{t('all')}</ButtonLink>}>
      {order.isError && !order.data && <ErrorState onRetry={() => order.refetch()} />}
      {order.isPending && <LoadingState rows={8} />}
      {order.data && (
        <>
          {payment.data && <Outcome payment={payment.data} />}
          <div className={s.detail}>
            <div className={s.stack}>
              <OrderContents order={order.data} until={batch?.EndsAt} />
              <OrderNodes order={order.data} />
              <Documents order={order.data} />
              <Payments order={order.data} />
            </div>
            <Status order={order.data} askedAt={order.dataUpdatedAt} onChanged={refresh} />
          </div>
        </>
      )}
    </Page>
  );
}

/** The traffic that was bought with an order: when it ends. */
function useBatch(order: Schemas['OrderView'] | undefined) {
  const traffic = useQuery({
    queryKey: ['traffic'],
    queryFn: ({ signal }) => getTraffic({ signal, silent: true }),
    enabled: order?.State === OrderState.Fulfilled && isOfTraffic(order),
  });
  return traffic.data?.Batches.find((batch) => batch.OrderId === order?.OrderId);
}

function Outcome({ payment }: { payment: Schemas['PaymentView'] }) {
  const { t } = useTranslation('orders');
  return <Notice tone={paymentTone(payment.State)}>{t(`outcome.${payment.State}`)}</Notice>;
}

interface StatusProps {
  order: Schemas['OrderView'];
  askedAt: number;
  onChanged: () => void;
}

function Status({ order, askedAt, onChanged }: StatusProps) {
  const { t } = useTranslation(['orders', 'common']);
  const secondsLeft = Math.max(0, order.SecondsLeft - useSecondsSince(askedAt));
  const actions = core().orderActions(order.State, secondsLeft);
  return (
    <Card title={t('stateTitle')} aside={<OrderStateBadge state={order.State} />}>
      <Timeline order={order} />
      {actions.CanPay && (
        <dl className={s.facts}>
          <dt>{t('timeLeft')}</dt>
          <dd>
            <TimeLeft seconds={secondsLeft} />
          </dd>
        </dl>
      )}
      {actions.CanPay && <PayForm order={order} onPaid={onChanged} />}
      {actions.CanCancel && (
        <div className={room.cancel}>
          <CancelOrder order={order} onCancelled={onChanged} />
        </div>
      )}
      {order.State === OrderState.Fulfilled && (
        <div className={room.done}>
          {order.Kind !== OrderKind.TopUp ? (
            <>
              <Notice tone="good">{t('fulfilled')}</Notice>
              {isOfTraffic(order) ? (
                <ButtonLink to="/residential-proxies/users" variant="primary" wide>
                  {t('toTraffic')}
                </ButtonLink>
              ) : (
                <ButtonLink to={proxiesOf(order)} variant="primary" wide>
                  {t('toProxyList')}
                </ButtonLink>
              )}
            </>
          ) : (
            <ButtonLink to="/billing/wallet" variant="primary" wide>
              {t('toWallet')}
            </ButtonLink>
          )}
        </div>
      )}
    </Card>
  );
}
