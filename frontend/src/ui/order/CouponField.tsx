// Coupon field of an order form: the server validates the code, core prices it.
import { X } from '@phosphor-icons/react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkCoupon } from '@/api/orders';
import { useCall } from '@/api/useCall';
import { type Coupon, core, type FieldErrors } from '@/core';
import { COUPON_CODE_MAX_LENGTH } from '@/core/constants.gen';
import { Button, IconButton } from '../Button';
import { TextField } from '../Field';
import { type useFieldErrors, useRuleText } from '../form';
import s from './quote.module.css';

interface CouponFieldProps {
  coupon: Coupon | null;
  /** Whether there is a quote, with or without the coupon. */
  isQuoted: boolean;
  /** Field errors from the server. */
  errors: ReturnType<typeof useFieldErrors>;
  /** Why the coupon does not reduce the current quote. */
  quoteErrors: FieldErrors;
  onChange: (coupon: Coupon | null) => void;
}

export function CouponField({ coupon, isQuoted, errors, quoteErrors, onChange }: CouponFieldProps) {
  const { t } = useTranslation('orders');
  const ruleText = useRuleText(quoteErrors.Coupon !== undefined);
  const [code, setCode] = useState('');
  const call = useCall(checkCoupon, { silent: true });

  if (coupon) {
    const broken = isQuoted && quoteErrors.Coupon?.[0];
    return (
      <div className={s.coupon}>
        <p data-idle={broken ? true : undefined}>
          {t('quote.couponApplied')} <code>{coupon.Code}</code>
          <IconButton label={t('quote.couponRemove', { Code: coupon.Code })} onClick={() => onChange(null)}>
            <X size={14} aria-hidden="true" />
          </IconButton>
        </p>
        {broken && (
          <p className={s.couponMisfit} role="status">
            {ruleText(broken)}
          </p>
        )}
      </div>
    );
  }

  const apply = (event: FormEvent<HTMLFormElement>) => {
    errors.clear('Coupon');
    return call.submit(event, {
      broken: core().validateCouponCode(code),
      body: { Coupon: code },
      onDone: (found) => {
        onChange(found as unknown as Coupon);
        setCode('');
      },
    });
  };
  const field = call.bind('Coupon', code, (typed) => {
    errors.clear('Coupon');
    setCode(typed);
  });

  return (
    <form className={s.couponForm} onSubmit={apply} noValidate>
      <TextField
        label={t('quote.coupon')}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={COUPON_CODE_MAX_LENGTH}
        {...field}
        error={errors.textOf('Coupon') ?? field.error ?? call.message}
      />
      <Button type="submit" loading={call.isBusy} disabled={code.trim() === ''}>
        {t('quote.couponApply')}
      </Button>
    </form>
  );
}
