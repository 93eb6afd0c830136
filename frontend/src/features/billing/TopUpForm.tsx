// Top-up form: amount and payment method, then redirects to the gateway.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCall } from '@/api/useCall';
import { createTopUp } from '@/api/wallet';
import { core } from '@/core';
import { OrderKind } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { usePaymentMethods } from '@/stores/order';
import { Button } from '@/ui/Button';
import { SelectField, TextField } from '@/ui/Field';
import { chargedFor } from '@/ui/order/charged';
import { showToast } from '@/ui/toast';
import { useRedirect } from '@/ui/useRedirect';
import s from './billing.module.css';
import { Presets } from './Presets';
import { ShopPending } from './ShopPending';

export function TopUpForm({ initialAmount }: { initialAmount: string }) {
  const { t } = useTranslation('billing');
  const shop = useConfigStore((state) => state.shop);
  const [amount, setAmount] = useState(initialAmount);
  const [chosen, setChosen] = useState<Schemas['PaymentMethod']>();
  const call = useCall(createTopUp);
  const [isRedirecting, redirect] = useRedirect();
  const methods = usePaymentMethods(OrderKind.TopUp);
  const method = chosen ?? methods.data?.[0]?.PaymentMethod;
  const offered = methods.data?.find((one) => one.PaymentMethod === method);
  if (!shop) return <ShopPending rows={11} />;

  const broken = core().validateTopUp(amount, shop.MinTopUp, shop.MaxTopUp);
  /** For a method with a rate there is always a text, so that nothing moves while an amount is typed. */
  const chargedHint = () => {
    const { ChargedCurrency, Rate } = offered ?? {};
    if (!offered || !ChargedCurrency || !Rate) return undefined;
    const charged = broken.Amount ? undefined : chargedFor(offered, amount.trim());
    return charged ? t('topUp.charged', charged) : t('topUp.chargedIn', { Currency: ChargedCurrency, Rate });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!method) return;
    call.submit(event, {
      broken,
      body: { Amount: amount, PaymentMethod: method },
      onDone: ({ Payment }) => Payment.PayUrl && redirect(Payment.PayUrl),
      // Too many unpaid top-ups: an error of the form, not of a field.
      onFailed: (error) => typeof error.data.Key === 'string' && showToast(error.message, 'warning'),
    });
  };
  return (
    <form className={s.form} onSubmit={submit} noValidate>
      <Presets
        label={t('topUp.presets')}
        chosen={amount}
        onChoose={(preset) => {
          setAmount(preset);
          call.errors.clear('Amount');
        }}
      />
      <TextField
        label={t('topUp.amount', { Currency: shop.Currency })}
        inputMode="decimal"
        autoComplete="off"
        hint={t('topUp.limits', {
          Min: core().displayMoney(shop.MinTopUp, shop.Currency),
          Max: core().displayMoney(shop.MaxTopUp, shop.Currency),
        })}
        {...call.bind('Amount', amount, setAmount)}
      />
      <SelectField
        label={t('topUp.method')}
        value={method}
        hint={chargedHint()}
        error={call.errors.textOf('PaymentMethod')}
        onChange={(event) => setChosen(methods.data?.[event.target.selectedIndex]?.PaymentMethod)}
      >
        {methods.data?.map(({ PaymentMethod }) => (
          <option key={PaymentMethod} value={PaymentMethod}>
            {t(`method.${PaymentMethod}` as 'method.sandbox')}
          </option>
        ))}
      </SelectField>
      <Button
        type="submit"
        variant="primary"
        size="large"
        wide
        loading={call.isBusy || isRedirecting}
        disabled={!method}
      >
        {t('topUp.submit')}
      </Button>
      <p className={s.soft}>{t('topUp.hint')}</p>
    </form>
  );
}
