// Top-up form: amount and payment method, then redirects to the gateway.
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, newIdempotencyKey, post, type Schemas } from '@/api/client';
import { core } from '@/core';
import { OrderKind } from '@/core/constants.gen';
import { useConfigStore } from '@/stores/config';
import { usePaymentMethods } from '@/stores/order';
import { Button } from '@/ui/Button';
import { SelectField, TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { showToast } from '@/ui/toast';
import s from './billing.module.css';
import { Presets } from './Presets';
import { ShopPending } from './ShopPending';

export function TopUpForm({ initialAmount }: { initialAmount: string }) {
  const { t } = useTranslation('billing');
  const shop = useConfigStore((state) => state.shop);
  const [amount, setAmount] = useState(initialAmount);
  const [chosen, setChosen] = useState<Schemas['PaymentMethod']>();
  const [isBusy, setBusy] = useState(false);
  const [attempt, setAttempt] = useState({ for: '', key: '' });
  const fields = useFieldErrors();
  const methods = usePaymentMethods(OrderKind.TopUp);
  const method = chosen ?? methods.data?.[0]?.PaymentMethod;
  if (!shop) return <ShopPending rows={11} />;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const errors = core().validateTopUp(amount, shop.MinTopUp, shop.MaxTopUp);
    fields.set(errors);
    if (Object.keys(errors).length > 0) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    if (!method) return;
    setBusy(true);
    const body = { Amount: amount, PaymentMethod: method };
    const asked = JSON.stringify(body);
    const key = attempt.for === asked ? attempt.key : newIdempotencyKey();
    setAttempt({ for: asked, key });
    try {
      const { Payment } = await post('Wallet/CreateTopUp', body, { idempotencyKey: key });
      if (Payment.PayUrl) window.location.assign(Payment.PayUrl);
      return;
    } catch (error) {
      fields.takeFrom(error);
      // Too many unpaid top-ups: an error of the form, not of a field.
      if (error instanceof CallError && typeof error.data.Key === 'string') showToast(error.message, 'warning');
      setBusy(false);
    }
  };
  return (
    <form className={s.form} onSubmit={submit} noValidate>
      <Presets
        label={t('topUp.presets')}
        chosen={amount}
        onChoose={(preset) => {
          setAmount(preset);
          fields.clear('Amount');
        }}
      />
      <TextField
        label={t('topUp.amount', { Currency: shop.Currency })}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        error={fields.textOf('Amount')}
        hint={t('topUp.limits', {
          Min: core().displayMoney(shop.MinTopUp, shop.Currency),
          Max: core().displayMoney(shop.MaxTopUp, shop.Currency),
        })}
        onChange={(event) => {
          setAmount(event.target.value);
          fields.clear('Amount');
        }}
      />
      <SelectField
        label={t('topUp.method')}
        value={method}
        error={fields.textOf('PaymentMethod')}
        onChange={(event) => setChosen(methods.data?.[event.target.selectedIndex]?.PaymentMethod)}
      >
        {methods.data?.map(({ PaymentMethod }) => (
          <option key={PaymentMethod} value={PaymentMethod}>
            {t(`method.${PaymentMethod}` as 'method.sandbox')}
          </option>
        ))}
      </SelectField>
      <Button type="submit" variant="primary" size="large" wide loading={isBusy} disabled={!method}>
        {t('topUp.submit')}
      </Button>
      <p className={s.soft}>{t('topUp.hint')}</p>
    </form>
  );
}
