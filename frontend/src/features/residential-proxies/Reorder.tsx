// The automatic reorder: settings, status, and the form.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ReorderForm, type ReorderView, setReorder, type TrafficView, trafficCatalogueQuery } from '@/api/traffic';
import { useCall } from '@/api/useCall';
import { core, fieldErrorsOf, screenRules, type TrafficCatalogue } from '@/core';
import { useResellerDiscount } from '@/stores/user';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Badge, EmptyState, ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import s from './traffic.module.css';
import { usePeriodText } from './useTraffic';

export function Reorder({ traffic }: { traffic: TrafficView }) {
  const { t } = useTranslation('residential_buy');
  const period = usePeriodText();
  const [isOpen, setOpen] = useState(false);
  const prices = useQuery(trafficCatalogueQuery);
  const reorder = traffic.Reorder ?? undefined;
  const isOn = reorder?.IsOn ?? false;
  const failure = isOn ? reorder?.Failure : undefined;
  return (
    <section className={s.reorder} aria-label={t('reorder.title')}>
      <div>
        <h3>
          {t('reorder.title')}{' '}
          <Badge tone={failure ? 'bad' : isOn ? 'good' : 'neutral'}>
            {t(failure ? 'reorder.failed' : isOn ? 'reorder.on' : 'reorder.off')}
          </Badge>
        </h3>
        <p className={s.soft}>
          {reorder && isOn
            ? t('reorder.summary', {
                Threshold: reorder.ThresholdGigabytes,
                Count: reorder.Gigabytes,
                Period: period(reorder.PeriodDays),
                Limit: prices.data
                  ? core().displayMoney(reorder.MonthlyLimit, prices.data.Currency)
                  : reorder.MonthlyLimit,
              })
            : t('reorder.lead')}
        </p>
      </div>
      <Button size="small" onClick={() => setOpen(true)}>
        {t(isOn ? 'reorder.edit' : 'reorder.setUp')}
      </Button>
      {failure && <Notice tone="bad">{t(`reorder.failure.${failure}`, { Time: reorder?.FailedAt ?? '' })}</Notice>}
      {isOpen && prices.data && prices.data.Offers.length > 0 && (
        <ReorderDialog prices={prices.data} reorder={reorder} onClose={() => setOpen(false)} />
      )}
      {isOpen && prices.data?.Offers.length === 0 && (
        <NothingOnSaleDialog reorder={reorder} onClose={() => setOpen(false)} />
      )}
      <Dialog open={isOpen && !prices.data} onClose={() => setOpen(false)} title={t('reorder.title')}>
        {prices.isPending && <LoadingState rows={5} />}
        {prices.isError && <ErrorState error={prices.error} onRetry={() => prices.refetch()} />}
      </Dialog>
    </section>
  );
}

interface ReorderDialogProps {
  prices: TrafficCatalogue;
  reorder: ReorderView | undefined;
  onClose: () => void;
}

/** Form values as typed. */
type Typed = Omit<ReorderForm, 'IsOn' | 'Gigabytes'> & { Gigabytes: string };

function ReorderDialog({ prices, reorder, onClose }: ReorderDialogProps) {
  const { t } = useTranslation('residential_buy');
  const period = usePeriodText();
  const save = useCall(setReorder);
  const { errors } = save;
  const formId = useId();
  const terms = { ResellerBasisPoints: useResellerDiscount() };
  const [typed, setTyped] = useState<Typed>({
    ThresholdGigabytes: reorder?.ThresholdGigabytes ?? '',
    Gigabytes: reorder ? String(reorder.Gigabytes) : '',
    PeriodDays: reorder?.PeriodDays ?? prices.Offers[0]?.PeriodDays ?? 0,
    MonthlyLimit: reorder?.MonthlyLimit ?? '',
  });
  const isOn = reorder?.IsOn ?? false;
  const shown = (amount: string) => core().displayMoney(amount, prices.Currency);
  const change = (field: keyof Typed, value: string | number) => {
    errors.clear(field);
    setTyped({ ...typed, [field]: value });
  };
  const bind = (field: 'ThresholdGigabytes' | 'Gigabytes' | 'MonthlyLimit') => ({
    autoComplete: 'off',
    ...save.bind(field, typed[field], (value) => change(field, value)),
  });

  /** Current price of a reorder. */
  const total = () => {
    try {
      const request = {
        Gigabytes: screenRules().readGigabytes(typed.Gigabytes),
        PeriodDays: typed.PeriodDays,
      };
      return screenRules().quoteTraffic(request, prices, terms).Total;
    } catch {
      // Incomplete or invalid input: reported on submit.
      return undefined;
    }
  };
  const price = total();

  const send = async (IsOn: boolean) => {
    try {
      // Turning it off does not validate the other fields.
      const Gigabytes = !IsOn && reorder ? reorder.Gigabytes : screenRules().readGigabytes(typed.Gigabytes);
      const form = IsOn || !reorder ? { ...typed, IsOn, Gigabytes } : { ...settingsOf(reorder), IsOn };
      if (!errors.passes(screenRules().validateReorder(form, prices, terms))) return;
      await save.run(form, () => {
        showToast(t(IsOn ? 'reorder.turnedOn' : 'reorder.turnedOff'), 'success');
        onClose();
      });
    } catch (error) {
      errors.set(fieldErrorsOf(error));
    }
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    await send(true);
    errors.focusFirst(form);
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('reorder.title')}
      actions={
        <>
          {isOn && (
            <Button disabled={save.isBusy} onClick={() => send(false)}>
              {t('reorder.turnOff')}
            </Button>
          )}
          <Button type="submit" form={formId} variant="primary" loading={save.isBusy}>
            {t(isOn ? 'reorder.save' : 'reorder.turnOn')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={submit} noValidate>
        <p className={s.soft}>{t('reorder.lead')}</p>
        <TextField label={t('reorder.threshold')} inputMode="decimal" {...bind('ThresholdGigabytes')} />
        <TextField
          label={t('reorder.gigabytes')}
          inputMode="numeric"
          hint={price && t('reorder.price', { Total: shown(price) })}
          {...bind('Gigabytes')}
        />
        <div className={s.field}>
          <span aria-hidden="true">{t('reorder.period')}</span>
          <SegmentedControl
            label={t('reorder.period')}
            value={typed.PeriodDays}
            onChange={(periodDays) => change('PeriodDays', periodDays)}
            segments={prices.Offers.map((offer) => ({ value: offer.PeriodDays, label: period(offer.PeriodDays) }))}
          />
          {errors.textOf('PeriodDays') && <Notice tone="bad">{errors.textOf('PeriodDays')}</Notice>}
        </div>
        <TextField
          label={t('reorder.monthlyLimit', { Currency: prices.Currency })}
          inputMode="decimal"
          hint={
            reorder
              ? t('reorder.spent', { Spent: shown(reorder.SpentThisMonth), Limit: shown(reorder.MonthlyLimit) })
              : t('reorder.limitHint')
          }
          {...bind('MonthlyLimit')}
        />
      </form>
    </Dialog>
  );
}

/** While no traffic is on sale, a reorder can only be turned off. */
function NothingOnSaleDialog({ reorder, onClose }: Omit<ReorderDialogProps, 'prices'>) {
  const { t } = useTranslation('residential_buy');
  const save = useCall(setReorder);
  const turnOff = (settings: ReorderView) =>
    save.run({ ...settingsOf(settings), IsOn: false }, () => {
      showToast(t('reorder.turnedOff'), 'success');
      onClose();
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('reorder.title')}
      actions={
        reorder?.IsOn && (
          <Button loading={save.isBusy} onClick={() => turnOff(reorder)}>
            {t('reorder.turnOff')}
          </Button>
        )
      }
    >
      <EmptyState title={t('pricing.none')}>{t(reorder?.IsOn ? 'reorder.noneHint' : 'pricing.noneHint')}</EmptyState>
    </Dialog>
  );
}

const settingsOf = ({ ThresholdGigabytes, Gigabytes, PeriodDays, MonthlyLimit }: ReorderView) => ({
  ThresholdGigabytes,
  Gigabytes,
  PeriodDays,
  MonthlyLimit,
});
