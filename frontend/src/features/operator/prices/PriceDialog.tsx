// Changes, adds or removes a price or a discount, sells, pauses or limits a plan, now or from a later time.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changePrice, type PriceForm, type Prices, pricesQuery } from '@/api/prices';
import { useCall } from '@/api/useCall';
import { core, screenRules } from '@/core';
import { MAX_DISCOUNT_BASIS_POINTS, PRICE_PERIOD_DAYS } from '@/core/constants.gen';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { showToast } from '@/ui/toast';
import { nowOnWire } from '@/ui/wireTime';
import { FIELDS, type Field, isRemoval, isSoldAfter, type Subject, subjectOf, valueIn } from './changes';
import s from './prices.module.css';
import { usePeriodText, useSubjectText, useTierName, useValueText } from './priceTexts';
import { useWhen, When } from './When';

export interface PriceTarget {
  form: PriceForm;
  /** The operator chooses which price it is: there may be none yet. */
  isNew?: boolean;
}

interface PriceDialogProps extends PriceTarget {
  /** Those of today. */
  prices: Prices;
  onClose: () => void;
}

/** What can be added and removed. */
type Listed = Exclude<Subject, 'tier' | 'sale' | 'limit'>;

export function PriceDialog({ form: first, isNew = false, prices, onClose }: PriceDialogProps) {
  const { t } = useTranslation(['prices', 'common']);
  const call = useCall(changePrice);
  const when = useWhen();
  const [form, setForm] = useState(first);
  const subjectText = useSubjectText(prices);
  const valueText = useValueText(prices);
  const tierName = useTierName(prices);
  const then = useQuery({ ...pricesQuery(when.validFrom), enabled: when.isTime });
  // The change is made to the prices of its time.
  const base = when.isTime ? then.data?.Prices : prices;
  const subject = subjectOf(form);
  const isRemoving = isRemoval(form);
  const { which, values } = FIELDS[subject];
  const current = base && valueIn(base, form);
  const shown: readonly Field[] = [...(isNew ? which : []), ...(isRemoving ? [] : values)];
  const elsewhere = which.filter((field) => !shown.includes(field)).flatMap((field) => call.errors.textOf(field) ?? []);
  const bind = (field: Field) => ({
    autoComplete: 'off',
    ...call.bind(field, form[field], (typed) => setForm({ ...form, [field]: typed })),
  });
  const title = () => {
    if (isNew) return t(`add.${subject as Listed}`);
    if (subject === 'sale' || subject === 'limit') return subjectText(first);
    return t(isRemoving ? 'dialog.remove' : 'dialog.edit', { Name: subjectText(first) });
  };
  const action = () => {
    if (isRemoving) return t(when.isLater ? 'dialog.planRemoval' : 'dialog.removeNow');
    if (when.isLater) return t('dialog.plan');
    if (subject === 'sale') return t(isSoldAfter(form) ? 'sale.sell' : 'sale.pause');
    return t('common:save');
  };
  const doneText = () => {
    if (when.isLater) return t('done.later', { Time: when.typed.trim() });
    if (subject === 'sale') return t(isSoldAfter(form) ? 'sale.sold' : 'sale.paused', { Name: tierName(form.VerStr) });
    return t(subject === 'limit' ? 'done.limits' : 'done.now');
  };
  const onDone = () => {
    showToast(doneText(), 'success');
    onClose();
  };
  const hintOfValue = (value: Field) => {
    if (subject === 'limit') return t('field.limitHint');
    if (current) return t(when.isTime ? 'dialog.untilThen' : 'dialog.current', { Value: valueText(current) });
    return value === 'Discount'
      ? t('dialog.discountHint', { Max: core().displayPercent(MAX_DISCOUNT_BASIS_POINTS) })
      : undefined;
  };
  const labels: Record<Exclude<Field, 'VerStr'>, string> = {
    Price: t(subject === 'traffic' ? 'field.perGb' : 'field.price', { Currency: prices.Catalogue.Currency }),
    Discount: t('field.discount'),
    Days: t('field.days'),
    Min: t('field.min'),
    Period: t('field.validity'),
    FromGb: t('field.fromGb'),
    MaxConnections: t('field.connections'),
    MaxMegabits: t('field.megabits'),
  };
  const hintOf = (field: Field) => {
    if (values.includes(field)) return hintOfValue(field);
    return field === 'Period' ? t('field.validityHint') : undefined;
  };
  return (
    <FormDialog
      call={call}
      title={title()}
      action={action()}
      danger={isRemoving}
      className={s.form}
      onSubmit={(event) => {
        const typed = trimmed(form);
        return call.submit(event, {
          // Without the prices of that time, the server decides.
          broken:
            when.broken ??
            (base || !when.isTime
              ? screenRules().validatePriceChange(typed, when.validFrom, base ?? prices, nowOnWire())
              : {}),
          body: { ...typed, ValidFrom: when.validFrom },
          onDone,
        });
      }}
      onClose={onClose}
    >
      {isRemoving && (
        <>
          <p>{t(isLastOfTraffic(base ?? prices, form) ? 'removal.lastTraffic' : `removal.${subject as Listed}`)}</p>
          <p className={s.soft}>{t('removal.again')}</p>
        </>
      )}
      {subject === 'sale' && <SaleText form={form} prices={base ?? prices} />}
      {subject === 'limit' && (
        <p className={s.soft}>
          {t(when.isTime ? 'dialog.untilThen' : 'dialog.current', { Value: valueText(current) })}
        </p>
      )}
      {shown.map(
        (field) =>
          field !== 'VerStr' && (
            <TextField
              key={field}
              label={labels[field]}
              hint={hintOf(field)}
              inputMode={field === 'Price' || field === 'Discount' ? 'decimal' : 'numeric'}
              {...bind(field)}
            />
          ),
      )}
      <When when={when} nowHint={t(subject === 'limit' ? 'when.limitsNowHint' : 'when.nowHint')} call={call} />
      {elsewhere.length > 0 && <Notice tone="bad">{elsewhere.join(' ')}</Notice>}
    </FormDialog>
  );
}

/** What selling or pausing a plan means. */
function SaleText({ form, prices }: { form: PriceForm; prices: Prices }) {
  const { t } = useTranslation('prices');
  const period = usePeriodText();
  const { Currency, Tiers } = prices.Catalogue;
  const price = Tiers.find(({ VerStr }) => VerStr === form.VerStr)?.Price;
  if (!isSoldAfter(form)) return <p>{t('sale.pauseWhat')}</p>;
  if (price === undefined) return null;
  return (
    <p>{t('sale.sellWhat', { Price: core().displayMoney(price, Currency), Period: period(PRICE_PERIOD_DAYS) })}</p>
  );
}

/** Without this price, traffic is not on sale. */
const isLastOfTraffic = ({ Traffic }: Prices, form: PriceForm) =>
  subjectOf(form) === 'traffic' && Traffic.Offers.flatMap(({ Steps }) => Steps).length === 1;

const trimmed = (form: PriceForm): PriceForm => ({
  Action: form.Action,
  VerStr: form.VerStr,
  Period: form.Period.trim(),
  FromGb: form.FromGb.trim(),
  Price: form.Price.trim(),
  Days: form.Days.trim(),
  Discount: form.Discount.trim(),
  Min: form.Min.trim(),
  MaxConnections: form.MaxConnections.trim(),
  MaxMegabits: form.MaxMegabits.trim(),
});
