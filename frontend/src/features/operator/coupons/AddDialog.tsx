// Adds a coupon.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addCoupon, pricesQuery } from '@/api/prices';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { COUPON_CODE_MAX_LENGTH, TRAFFIC_PRODUCT } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { DateTimeField } from '@/ui/DateTimeField';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { LoadingState } from '@/ui/Loading';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import { fieldOnWire } from '@/ui/wireTime';
import { newCode } from './code';
import s from './coupons.module.css';
import { useProductName } from './couponTexts';

type Kind = 'Percent' | 'Amount';

const EMPTY = {
  Code: '',
  Percent: '',
  Amount: '',
  Minimum: '',
  UsesPerAccount: '',
  TotalUses: '',
  ValidFrom: '',
  ValidUntil: '',
};
type Field = keyof typeof EMPTY;

export function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['coupons', 'common']);
  const call = useCall(addCoupon);
  const productName = useProductName();
  const prices = useQuery(pricesQuery());
  const [kind, setKind] = useState<Kind>('Percent');
  const [typed, setTyped] = useState(EMPTY);
  const [products, setProducts] = useState<string[]>([]);
  const [isFirstOrderOnly, setFirstOrderOnly] = useState(false);
  const catalogue = prices.data?.Prices.Catalogue;
  if (!catalogue) {
    return (
      <Dialog
        open
        title={t('add.title')}
        onClose={onClose}
        actions={<Button onClick={onClose}>{t('common:cancel')}</Button>}
      >
        {prices.isError ? (
          <ErrorState error={prices.error} onRetry={() => prices.refetch()} />
        ) : (
          <LoadingState rows={6} />
        )}
      </Dialog>
    );
  }
  const bind = (field: Field) =>
    call.bind(field, typed[field], (text) => setTyped((now) => ({ ...now, [field]: text })));
  const generate = () => {
    call.errors.clear('Code');
    setTyped((now) => ({ ...now, Code: newCode() }));
  };
  const form = {
    ...typed,
    Code: typed.Code.trim(),
    // Only what is shown counts.
    Percent: kind === 'Percent' ? typed.Percent.trim() : '',
    Amount: kind === 'Amount' ? typed.Amount.trim() : '',
    Products: products,
    FirstOrderOnly: isFirstOrderOnly,
    ValidFrom: fieldOnWire(typed.ValidFrom),
    ValidUntil: fieldOnWire(typed.ValidUntil),
  };
  const broken = () => {
    const { Percent, ...others } = screenRules().validateCoupon(form, catalogue);
    // An empty form is an error of the percentage, which is not shown for an amount.
    return Percent ? { ...others, [kind]: Percent } : others;
  };
  const currency = { Currency: catalogue.Currency };
  const productsError = call.errors.textOf('Products');
  return (
    <FormDialog
      call={call}
      wide
      title={t('add.title')}
      action={t('add.submit')}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, {
          broken: broken(),
          body: form,
          onDone: ({ Coupon: { Code } }) => {
            showToast(t('add.done', { Code }), 'success');
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <div className={s.code}>
        <TextField
          label={t('code')}
          hint={t('add.codeHint')}
          maxLength={COUPON_CODE_MAX_LENGTH}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          {...bind('Code')}
        />
        <Button onClick={generate}>{t('add.generate')}</Button>
      </div>
      <div className={s.benefit}>
        <SegmentedControl<Kind>
          label={t('add.kind')}
          value={kind}
          segments={[
            { value: 'Percent', label: t('add.percent') },
            { value: 'Amount', label: t('add.amount') },
          ]}
          onChange={(chosen) => {
            call.errors.clear(kind);
            setKind(chosen);
          }}
        />
        <div className={s.columns}>
          <TextField
            key={kind}
            label={kind === 'Percent' ? t('add.percentOff') : t('add.amountOff', currency)}
            inputMode="decimal"
            autoComplete="off"
            {...bind(kind)}
          />
          <TextField
            label={t('add.minimum', currency)}
            hint={t('add.minimumHint')}
            inputMode="decimal"
            autoComplete="off"
            {...bind('Minimum')}
          />
        </div>
      </div>
      <fieldset className={s.products}>
        <legend>{t('products')}</legend>
        <div>
          {[...catalogue.Tiers.map(({ VerStr }) => VerStr), TRAFFIC_PRODUCT].map((product) => (
            <label key={product} className={s.check}>
              <input
                type="checkbox"
                checked={products.includes(product)}
                onChange={(event) => {
                  call.errors.clear('Products');
                  setProducts(
                    event.target.checked ? [...products, product] : products.filter((one) => one !== product),
                  );
                }}
              />
              <span>{productName(product)}</span>
            </label>
          ))}
        </div>
        {productsError ? (
          <p className={s.error} role="alert">
            {productsError}
          </p>
        ) : (
          <p className={s.soft}>{t('add.productsHint')}</p>
        )}
      </fieldset>
      <div className={s.columns}>
        <TextField
          label={t('add.totalUses')}
          hint={t('add.noLimit')}
          inputMode="numeric"
          autoComplete="off"
          {...bind('TotalUses')}
        />
        <TextField
          label={t('add.usesPerAccount')}
          hint={t('add.noLimit')}
          inputMode="numeric"
          autoComplete="off"
          {...bind('UsesPerAccount')}
        />
        <DateTimeField label={t('validFrom')} hint={t('add.fromHint')} {...bind('ValidFrom')} />
        <DateTimeField label={t('validUntil')} hint={t('add.untilHint')} {...bind('ValidUntil')} />
      </div>
      <label className={s.check}>
        <input
          type="checkbox"
          checked={isFirstOrderOnly}
          onChange={(event) => setFirstOrderOnly(event.target.checked)}
        />
        <span>
          {t('firstOrderOnly')} <small>{t('add.firstOrderHint')}</small>
        </span>
      </label>
    </FormDialog>
  );
}
