// An order: contents, price, time left, and payment.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EVERYTHING } from '@/api/calls';
import type { Schemas } from '@/api/client';
import { orderQuery } from '@/api/orders';
import type { TrafficBatch } from '@/api/traffic';
import { useRefetch } from '@/api/useRefetch';
import { core } from '@/core';
import { OrderKind, OrderState, PaymentState } from '@/core/constants.gen';
import { refreshUnpaidOrders } from '@/stores/order';
import { usePayment } from '@/stores/payment';
import { useIsSuspended } from '@/stores/sidebar';
import { refreshWallet } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { endOf, isOfTraffic } from '@/ui/order/contents';
import { OrderContents } from '@/ui/order/OrderContents';
import { Documents, Payments, Timeline } from '@/ui/order/OrderHistory';
import { OrderNodes, proxiesOf, Replacements } from '@/ui/order/OrderNodes';
import { OrderStateBadge } from '@/ui/order/OrderStateBadge';
import { OrderSummary } from '@/ui/order/OrderSummary';
import s from '@/ui/order/order.module.css';
import { Parts } from '@/ui/order/Parts';
import { paymentTone } from '@/ui/order/paymentTone';
import { refetchOfRefunds } from '@/ui/order/refundProgress';
import { SourceRefunds } from '@/ui/order/SourceRefunds';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { DateText, TimeLeft } from '@/ui/texts';
import { BoughtTraffic, useBatch } from './BoughtTraffic';
import { CancelOrder } from './CancelOrder';
import { canOrderAgain, OrderAgain } from './OrderAgain';
import local from './orders.module.css';
import { PayForm } from './PayForm';
import { useSecondsSince } from './UnpaidOrdersMenu';
import { useCredentials } from './useCredentials';

type Order = Schemas['OrderView'];

export function OrderDetail({ orderId }: { orderId: number }) {
  const { t } = useTranslation('orders');
  const payment = usePayment();
  const order = useQuery({
    ...orderQuery(orderId),
    refetchInterval: ({ state: { data } }) => (data?.CanPay ? 15_000 : refetchOfRefunds(data)),
  });
  useFreshAfter(order.data?.State);
  const batch = useBatch(order.data);
  const refresh = () => {
    refreshUnpaidOrders();
    refreshWallet();
  };
  const title = order.data ? t('one', { OrderNumber: order.data.OrderNumber }) : t('title');
  const end = order.data && (batch?.EndsAt ?? endOf(order.data));
  return (
    <Page
      title={title}
      heading={order.data && <OrderSummary order={order.data} end={end} />}
      badge={order.data && <OrderStateBadge state={order.data.State} />}
      description={order.data && <Facts order={order.data} />}
      actions={
        order.data && (
          <>
            {canOrderAgain(order.data) && <OrderAgain order={order.data} />}
            {order.data.State === OrderState.Fulfilled && <WhatNext order={order.data} />}
          </>
        )
      }
      opened={order.data?.OrderNumber ?? null}
    >
      {order.isError && !order.data && <ErrorState error={order.error} onRetry={() => order.refetch()} />}
      {order.isPending && <LoadingState rows={8} />}
      {order.data && (
        <>
          <Outcome order={order.data} payment={payment.data} />
          <Room order={order.data} batch={batch} askedAt={order.dataUpdatedAt} end={end} onChanged={refresh} />
        </>
      )}
    </Page>
  );
}

/** What an order delivers is on many screens: when the state of the open order changes, they fetch again what they show. */
function useFreshAfter(state: Order['State'] | undefined) {
  const refetch = useRefetch([EVERYTHING]);
  const seen = useRef(state);
  useEffect(() => {
    const hasChanged = seen.current !== undefined && state !== seen.current;
    seen.current = state;
    if (hasChanged) refetch();
  });
}

/** Order number, kind and creation time. */
function Facts({ order }: { order: Order }) {
  const { t } = useTranslation('orders');
  return (
    <Parts
      parts={[
        t('one', { OrderNumber: order.OrderNumber }),
        t(`kind.${order.Kind}`),
        <DateText key="created" value={order.CreatedAt} />,
      ]}
    />
  );
}

/** Link to what was delivered. */
function WhatNext({ order }: { order: Order }) {
  const { t } = useTranslation('orders');
  // Of an order whose IPs are all gone, the list would be empty.
  if (order.Nodes.length > 0 && !order.Nodes.some((node) => node.IsOwned)) return null;
  const [to, text] =
    order.Kind === OrderKind.TopUp
      ? (['/billing/wallet', 'toWallet'] as const)
      : isOfTraffic(order)
        ? (['/residential-proxies/users', 'toTraffic'] as const)
        : ([proxiesOf(order), 'toProxyList'] as const);
  return (
    <ButtonLink to={to} variant="primary">
      {t(text)}
    </ButtonLink>
  );
}

/** Result of the payment from which the customer returns. */
function Outcome({ order, payment }: { order: Order; payment: Schemas['PaymentView'] | undefined }) {
  const { t } = useTranslation('orders');
  if (order.State === OrderState.Fulfilled && order.Kind !== OrderKind.TopUp) {
    return <Notice tone="good">{t('fulfilled')}</Notice>;
  }
  // An order that is over cannot be paid again, so that its declined payment is no news.
  const isOver = order.State === OrderState.Cancelled || order.State === OrderState.Expired;
  const isUnpaid = payment?.State === PaymentState.Failed || payment?.State === PaymentState.Expired;
  if (isOver && isUnpaid) return null;
  return payment && <Notice tone={paymentTone(payment.State)}>{t(`outcome.${payment.State}`)}</Notice>;
}

interface RoomProps {
  order: Order;
  /** The traffic bought with the order. */
  batch: TrafficBatch | null | undefined;
  askedAt: number;
  end: string | undefined;
  onChanged: () => void;
}

/** Payment comes first while the order can be paid. */
function Room({ order, batch, askedAt, end, onChanged }: RoomProps) {
  const { t } = useTranslation('orders');
  const secondsLeft = Math.max(0, order.SecondsLeft - useSecondsSince(askedAt));
  const { CanPay, CanCancel } = core().orderActions(order.State, secondsLeft);
  const isSuspended = useIsSuspended();
  const isOpen = (CanPay || CanCancel) && !isSuspended;
  const credentials = useCredentials(isSuspended ? undefined : order);
  return (
    <div className={local.room} data-open={isOpen || undefined}>
      {isOpen && (
        <div className={local.open}>
          <Card
            title={t('payTitle')}
            aside={
              CanPay && (
                <span className={s.soft}>
                  {t('timeLeft')} <TimeLeft seconds={secondsLeft} />
                </span>
              )
            }
          >
            {CanPay && <PayForm order={order} onPaid={onChanged} />}
            {CanCancel && (
              <div className={local.cancel}>
                <CancelOrder order={order} onCancelled={onChanged} />
              </div>
            )}
          </Card>
        </div>
      )}
      <div className={s.stack}>
        <SourceRefunds order={order} isOwn />
        <OrderNodes order={order} credentials={credentials} />
        <Replacements order={order} />
        {batch !== null && <BoughtTraffic batch={batch} />}
        <OrderContents order={order} />
        <Documents order={order} />
        <Payments order={order} />
      </div>
      <Card title={t('timeline')}>
        <Timeline order={order} end={end} />
      </Card>
    </div>
  );
}
