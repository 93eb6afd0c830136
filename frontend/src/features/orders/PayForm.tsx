// Choosing how to pay an order, and paying it.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { newIdempotencyKey, post, type Schemas } from '@/api/client';
import { core } from '@/core';
import { OrderKind, PaymentMethod } from '@/core/constants.gen';
import { useOrderStore } from '@/stores/order';
import { useSessionStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { Toggle } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { ErrorState } from '@/ui/State';
import { MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from './orders.module.css';

export function PayForm({ order, onPaid }: { order: Schemas['OrderView']; onPaid: () => void }) {
  const { t } = useTranslation('orders');
  const { paymentMethodList, loadPaymentMethods } = useOrderStore();
  const wallet = useSessionStore((state) => state.wallet);
  const [chosen, setChosen] = useState<Schemas['PaymentMethod']>();
  const [usesWallet, setUsesWallet] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  // One key for each method: sending again cannot pay twice.
  const [keys] = useState(() => new Map<string, string>());
  useEffect(() => {
    loadPaymentMethods(order.Kind).then(
      () => setFailed(false),
      () => setFailed(true),
    );
  }, [loadPaymentMethods, order.Kind]);

  const missing = wallet ? core().shortfall(wallet.WalletBalance, order.Total) : undefined;
  const isShort = missing !== undefined && core().isNegative(`-${missing}`);
  const method =
    chosen ?? paymentMethodList.find((one) => one.PaymentMethod !== PaymentMethod.Wallet || !isShort)?.PaymentMethod;

  // What the wallet has can go first, when it is not enough for all.
  const isMixable = method !== PaymentMethod.Wallet && order.Kind !== OrderKind.TopUp && isShort;
  const rest = wallet && isMixable ? core().gatewayPart(wallet.WalletBalance, order.Total) : order.Total;
  const canMix = core().isNegative(core().subtractMoney(rest, order.Total));
  const isMixed = canMix && usesWallet;

  const pay = async () => {
    if (!method || isBusy) return;
    setBusy(true);
    const attempt = `${method} ${isMixed ? rest : order.Total}`;
    const key = keys.get(attempt) ?? newIdempotencyKey();
    keys.set(attempt, key);
    try {
      const { Payment } = await post(
        'Order/PayOrder',
        { OrderId: order.OrderId, PaymentMethod: method, UseWallet: isMixed },
        { idempotencyKey: key },
      );
      if (Payment.PayUrl) {
        window.location.assign(Payment.PayUrl);
        return;
      }
      showToast(t('paidToast'), 'success');
      onPaid();
    } catch {
      // The toast has said why; nothing was paid, and the order is shown as it is now.
      keys.delete(attempt);
      onPaid();
    }
    setBusy(false);
  };

  if (hasFailed) return <ErrorState onRetry={() => loadPaymentMethods(order.Kind)} />;
  if (paymentMethodList.length === 0) return <LoadingState rows={2} />;
  return (
    <div className={s.payForm}>
      <fieldset className={s.methods}>
        <legend>{t('payWith')}</legend>
        {paymentMethodList.map(({ PaymentMethod: one }) => (
          <label key={one} className={s.method}>
            <input type="radio" name="method" checked={one === method} onChange={() => setChosen(one)} />
            <span>
              <strong>{t(`method.${one}`)}</strong>
              {one === PaymentMethod.Wallet && wallet && (
                <small>
                  {t('balance')} <MoneyText amount={wallet.WalletBalance} currency={wallet.Currency} />
                </small>
              )}
            </span>
          </label>
        ))}
      </fieldset>
      {isShort && missing && (
        <p className={s.soft}>
          {t('missing')} <MoneyText amount={missing} currency={order.Currency} />.{' '}
          <Link to={`/billing/wallet?Amount=${missing}`}>{t('topUp')}</Link>
        </p>
      )}
      {canMix && (
        <Toggle
          label={t('useWallet', {
            amount: core().displayMoney(core().subtractMoney(order.Total, rest), order.Currency),
          })}
          checked={usesWallet}
          onChange={setUsesWallet}
        />
      )}
      <Button
        variant="primary"
        size="large"
        wide
        loading={isBusy}
        disabled={!method || (method === PaymentMethod.Wallet && isShort)}
        onClick={pay}
      >
        {t('payNow')} <MoneyText amount={isMixed ? rest : order.Total} currency={order.Currency} />
      </Button>
    </div>
  );
}
