// Where a refund goes: to the wallet, or back to where the money came from.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CallError, type Schemas } from '@/api/client';
import { refundSourceQuery } from '@/api/operatorPayments';
import { OrderKind, PaymentMethod, PaymentState } from '@/core/constants.gen';
import { isPositive } from '@/core/money';
import { OptionList } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import s from '@/ui/order/order.module.css';
import local from './operator.module.css';

type Order = Schemas['OrderView'];
type Source = Schemas['RefundSource'];

/** The money of a top-up is in the wallet already. */
export const isOfTopUp = ({ Kind }: Pick<Order, 'Kind'>) => Kind === OrderKind.TopUp;

/** Where the money of an order can go back to. Asked once, because previews come and go while an amount is typed. */
export function useRefundSource(order: Order) {
  const { data, error, isPending } = useQuery(refundSourceQuery(order.OrderNumber, isOfTopUp(order)));
  const source = data?.Source;
  return { source: source && isPositive(source.Left) ? source : undefined, error, isPending };
}

function useWayText() {
  const { t } = useTranslation('orders');
  return ({ IsByHand, MustBeClaimed }: Source) => {
    if (IsByHand) return t('refund.toHint.byHand');
    return t(MustBeClaimed ? 'refund.toHint.claimed' : 'refund.toHint.automatic');
  };
}

interface RefundToProps {
  order: Order;
  found: ReturnType<typeof useRefundSource>;
  toSource: boolean;
  error: string | undefined;
  onChange: (toSource: boolean) => void;
}

export function RefundTo({ order, found: { source, error: failure }, toSource, error, onChange }: RefundToProps) {
  const { t } = useTranslation('orders');
  const wayText = useWayText();
  if (source) {
    return (
      <OptionList
        label={t('refund.to')}
        value={toSource ? 'source' : 'wallet'}
        options={[
          { value: 'wallet', label: t('method.wallet'), hint: t('refund.toHint.wallet') },
          { value: 'source', label: t(`method.${source.Gateway}`), hint: wayText(source) },
        ]}
        error={error}
        onChange={(chosen) => onChange(chosen === 'source')}
      />
    );
  }
  // Nothing is known, and another part of the dialog says why.
  if (failure) return null;
  const isFromWallet = order.Payments.some(
    (one) => one.PaymentMethod === PaymentMethod.Wallet && one.State === PaymentState.Succeeded,
  );
  return <p className={s.soft}>{t(isFromWallet ? 'refund.paidFromWallet' : 'refund.walletOnly')}</p>;
}

/** The same of a top-up, which has no choice. */
export function TopUpRefundTo({ found, error }: Pick<RefundToProps, 'found' | 'error'>) {
  const { t } = useTranslation('orders');
  const wayText = useWayText();
  if (found.isPending) return <LoadingState rows={2} />;
  if (!found.source) {
    const { error: failure } = found;
    const isKnown = !failure || (failure instanceof CallError && failure.data.Fields !== undefined);
    if (isKnown) return <Notice tone="warn">{t('refund.topUpNothing')}</Notice>;
    return <Notice tone="bad">{failure.message}</Notice>;
  }
  return (
    <div className={local.way}>
      <p>{t('refund.topUp', { Method: t(`method.${found.source.Gateway}`) })}</p>
      <p className={s.soft}>{wayText(found.source)}</p>
      {error && <Notice tone="bad">{error}</Notice>}
    </div>
  );
}
