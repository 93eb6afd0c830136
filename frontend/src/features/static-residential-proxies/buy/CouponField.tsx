// A coupon's code at the order form: applied once the server knows it, priced by core from then on, and taken off again.
import { X } from '@phosphor-icons/react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, post } from '@/api/client';
import { type Coupon, core, type FieldErrors, type Quote } from '@/core';
import { Button, IconButton } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { type useFieldErrors, useRuleText } from '@/ui/form';
import room from './buy.module.css';

interface CouponFieldProps {
  coupon: Coupon | null;
  quote: Quote | undefined;
  /** What the server said about the form. */
  errors: ReturnType<typeof useFieldErrors>;
  /** Why the coupon does not lower what is chosen now. */
  quoteErrors: FieldErrors;
  onChange: (coupon: Coupon | null) => void;
}

export function CouponField({ coupon, quote, errors, quoteErrors, onChange }: CouponFieldProps) {
  const { t } = useTranslation('static_residential_proxies');
  const ruleText = useRuleText(quoteErrors.Coupon !== undefined);
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  if (coupon) {
    const broken = quote && quoteErrors.Coupon?.[0];
    return (
      <div className={room.coupon}>
        <p data-idle={broken ? true : undefined}>
          {t('order.couponApplied')} <code>{coupon.Code}</code>
          <IconButton label={t('order.couponRemove', { Code: coupon.Code })} onClick={() => onChange(null)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </p>
        {broken && (
          <p className={room.couponMisfit} role="status">
            {ruleText(broken)}
          </p>
        )}
      </div>
    );
  }

  const apply = async (event: FormEvent) => {
    event.preventDefault();
    setRefusal(undefined);
    if (isBusy || !errors.passes(core().validateCouponCode(code))) return;
    setBusy(true);
    try {
      onChange((await post('Order/CheckCoupon', { Coupon: code }, { silent: true })) as unknown as Coupon);
      setCode('');
    } catch (error) {
      if (!errors.takeFrom(error) && error instanceof CallError && !error.isIgnored) {
        setRefusal(error.message);
      }
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className={room.couponForm} onSubmit={apply} noValidate>
      <TextField
        label={t('order.coupon')}
        value={code}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        error={errors.textOf('Coupon') ?? refusal}
        onChange={(event) => {
          errors.clear('Coupon');
          setRefusal(undefined);
          setCode(event.target.value);
        }}
      />
      <Button type="submit" loading={isBusy} disabled={code.trim() === ''}>
        {t('order.couponApply')}
      </Button>
    </form>
  );
}
