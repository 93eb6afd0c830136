// Pays an order with a chosen method.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { payOrder } from '@/api/orders';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { OrderKind, PaymentMethod } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { usePaymentMethods } from '@/stores/order';
import { useSessionStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { Toggle } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { chargedFor } from '@/ui/order/charged';
import { isOfTraffic } from '@/ui/order/contents';
import s from '@/ui/order/order.module.css';
import { ErrorState } from '@/ui/State';
import { MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { useRedirect } from '@/ui/useRedirect';
import local from './orders.module.css';

export function PayForm({ order, onPaid }: { order: Schemas['OrderView']; onPaid: () => void }) {
  const { t } = useTranslation('orders');
  const methods = usePaymentMethods(order.Kind);
  const wallet = useSessionStore((state) => state.wallet);
  const shop = useConfigStore((state) => state.shop);
  const [chosen, setChosen] = useState<Schemas['PaymentMethod']>();
  const [usesWallet, setUsesWallet] = useState(false);
  const call = useCall(payOrder);
  const [isRedirecting, redirect] = useRedirect();

  const isShort = wallet !== null && core().isNegative(core().subtractMoney(wallet.WalletBalance, order.Total));
  const method =
    chosen ?? methods.data?.find((one) => one.PaymentMethod !== PaymentMethod.Wallet || !isShort)?.PaymentMethod;

  // The wallet can pay a part if it does not cover the total.
  const isMixable = method !== PaymentMethod.Wallet && order.Kind !== OrderKind.TopUp && isShort;
  const rest = wallet && isMixable ? core().gatewayPart(wallet.WalletBalance, order.Total) : order.Total;
  const canMix = core().isNegative(core().subtractMoney(rest, order.Total));
  const isMixed = canMix && usesWallet;
  const due = isMixed ? rest : order.Total;

  const pay = () =>
    method &&
    call.run(
      { OrderId: order.OrderId, PaymentMethod: method, UseWallet: isMixed },
      ({ Payment }) => {
        if (Payment.PayUrl) return redirect(Payment.PayUrl);
        showToast(t(isOfTraffic(order) ? 'paidTrafficToast' : 'paidToast'), 'success');
        onPaid();
      },
      onPaid,
    );

  if (methods.isError && !methods.data) return <ErrorState error={methods.error} onRetry={() => methods.refetch()} />;
  if (!methods.data) return <LoadingState rows={2} />;
  return (
    <div className={local.payForm}>
      <fieldset className={local.methods}>
        <legend>{t('payWith')}</legend>
        {methods.data.map((offered) => {
          const { PaymentMethod: one } = offered;
          const charged = chargedFor(offered, due);
          return (
            <label key={one} className={local.method}>
              <input type="radio" name="method" checked={one === method} onChange={() => setChosen(one)} />
              <span>
                <strong>{t(`method.${one}`)}</strong>
                {one === PaymentMethod.Wallet && wallet && (
                  <small>
                    {t('balance')} <MoneyText amount={wallet.WalletBalance} currency={wallet.Currency} />
                  </small>
                )}
                {charged && <small className={local.charged}>{t('charged', charged)}</small>}
              </span>
            </label>
          );
        })}
      </fieldset>
      {isShort && (
        <p className={s.soft}>
          {t('walletShortBy', {
            Amount: core().displayMoney(core().shortfall(wallet.WalletBalance, order.Total), order.Currency),
          })}{' '}
          {shop && (
            <Link to={`/billing/wallet?Amount=${core().topUpFor(wallet.WalletBalance, order.Total, shop.MinTopUp)}`}>
              {t('topUp')}
            </Link>
          )}
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
      {call.message && <Notice tone="bad">{call.message}</Notice>}
      <Button
        variant="primary"
        size="large"
        wide
        loading={call.isBusy || isRedirecting}
        disabled={!method || (method === PaymentMethod.Wallet && isShort)}
        onClick={pay}
      >
        {t('payNow')} <MoneyText amount={due} currency={order.Currency} />
      </Button>
    </div>
  );
}
