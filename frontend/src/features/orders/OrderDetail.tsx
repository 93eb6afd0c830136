// One order: what is in it, what it costs, how long it waits, and paying it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { core } from '@/core';
import { OrderKind, OrderState } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { useOrderStore } from '@/stores/order';
import { paymentTone, usePayment } from '@/stores/payment';
import { useSessionStore } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { Flag } from '@/ui/Flag';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { MoneyText, placeText, TimeLeft, useName } from '@/ui/texts';
import { CancelOrder } from './CancelOrder';
import { Documents, Payments, Timeline } from './OrderHistory';
import { Bought, OrderNodes, proxiesOf } from './OrderNodes';
import { OrderStateBadge } from './OrderStateBadge';
import s from './orders.module.css';
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
  const refresh = () => {
    queryClient.invalidateQueries({ queryKey: ['order', orderId] });
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
              <Contents order={order.data} />
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

function Outcome({ payment }: { payment: Schemas['PaymentView'] }) {
  const { t } = useTranslation('orders');
  return <Notice tone={paymentTone(payment.State)}>{t(`outcome.${payment.State}`)}</Notice>;
}

export function Contents({ order }: { order: Schemas['OrderView'] }) {
  const { t } = useTranslation('orders');
  return (
    <Card title={t('contents')}>
      <Bought order={order} />
      <table className={s.lines}>
        <thead>
          <tr>
            <th scope="col">{t('item')}</th>
            <th scope="col">{t('quantity')}</th>
            <th scope="col">{t('amount')}</th>
          </tr>
        </thead>
        <tbody>
          {order.Lines.map((line) => (
            <tr key={line.City ?? line.VerStr}>
              <td>
                <Item line={line} />
              </td>
              <td>{line.Quantity}</td>
              <td>
                <MoneyText amount={line.Amount} currency={order.Currency} />
              </td>
            </tr>
          ))}
          {order.Lines.length === 0 && (
            <tr>
              <td>{t('walletMoney')}</td>
              <td>1</td>
              <td>
                <MoneyText amount={order.Subtotal} currency={order.Currency} />
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          {order.Discounts.map((discount) => (
            <tr key={discount.Kind}>
              <th scope="row" colSpan={2}>
                {t(`discount.${discount.Kind}`)}
                {discount.Kind === 'coupon' && ` ${order.Coupon}`}
                {discount.BasisPoints > 0 && ` (${core().displayPercent(discount.BasisPoints)})`}
              </th>
              <td>
                −<MoneyText amount={discount.Amount} currency={order.Currency} />
              </td>
            </tr>
          ))}
          <tr className={s.sum}>
            <th scope="row" colSpan={2}>
              {t('total')}
            </th>
            <td>
              <MoneyText amount={order.Total} currency={order.Currency} />
            </td>
          </tr>
          {order.Refunds.length > 0 && (
            <tr>
              <th scope="row" colSpan={2}>
                {t('refunded')}
              </th>
              <td>
                −<MoneyText amount={order.Refunded} currency={order.Currency} />
              </td>
            </tr>
          )}
        </tfoot>
      </table>
    </Card>
  );
}

/** What a line is about: IPs of a city, or, where it is of none, of a tier. */
function Item({ line }: { line: Schemas['OrderLineView'] }) {
  const { t } = useTranslation('orders');
  const name = useName();
  if (!line.Country || !line.City) return t('ofTier', { Tier: name({ en: line.LabelEn, zh: line.LabelZh }) });
  return (
    <span className={s.place}>
      <Flag country={line.Country} />
      {placeText(core().cityName(line.City, currentLanguage()), core().countryName(line.Country, currentLanguage()))}
    </span>
  );
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
        <div className={s.cancel}>
          <CancelOrder order={order} onCancelled={onChanged} />
        </div>
      )}
      {order.State === OrderState.Fulfilled && (
        <div className={s.done}>
          {order.Kind !== OrderKind.TopUp ? (
            <>
              <Notice tone="good">{t('fulfilled')}</Notice>
              <ButtonLink to={proxiesOf(order)} variant="primary" wide>
                {t('toProxyList')}
              </ButtonLink>
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
