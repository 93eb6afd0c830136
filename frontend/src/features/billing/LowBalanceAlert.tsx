// Low-balance alert: the threshold below which an email is sent.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { core } from '@/core';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { Badge, ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './billing.module.css';

const KEY = ['low-balance-alert'];

export function LowBalanceAlert() {
  const { t } = useTranslation('billing');
  const alert = useQuery({
    queryKey: KEY,
    queryFn: () => post('Wallet/GetLowBalanceAlert', undefined, { silent: true }),
  });
  const isOn = Boolean(alert.data?.Threshold);
  return (
    <Card
      title={t('lowBalance.title')}
      aside={
        alert.data && <Badge tone={isOn ? 'good' : 'neutral'}>{t(isOn ? 'lowBalance.on' : 'lowBalance.off')}</Badge>
      }
    >
      {alert.isError && !alert.data && <ErrorState onRetry={() => alert.refetch()} />}
      {alert.isPending && <LoadingState rows={3} />}
      {alert.data && <Form alert={alert.data} />}
    </Card>
  );
}

function Form({ alert }: { alert: Schemas['LowBalanceAlert'] }) {
  const { t } = useTranslation(['billing', 'common']);
  const queryClient = useQueryClient();
  const errors = useFieldErrors();
  const once = useIdempotentCall();
  const kept = alert.Threshold ?? '';
  const [threshold, setThreshold] = useState(kept);
  const save = async (wanted: string, form?: HTMLFormElement) => {
    if (!errors.passes(core().validateLowBalanceAlert(wanted))) {
      requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    try {
      const body = { Threshold: wanted };
      const saved = await once.send(body, (options) => post('Wallet/SetLowBalanceAlert', body, options));
      queryClient.setQueryData(KEY, saved);
      setThreshold(saved.Threshold ?? '');
      showToast(t(saved.Threshold ? 'lowBalance.saved' : 'lowBalance.turnedOff'), 'success');
    } catch (error) {
      errors.takeFrom(error);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!once.isBusy) save(threshold.trim(), event.currentTarget);
  };
  return (
    <form className={s.form} onSubmit={submit} noValidate>
      <p className={s.soft}>{t('lowBalance.lead')}</p>
      {alert.IsLow && <Notice tone="warn">{t('lowBalance.isLow')}</Notice>}
      <TextField
        label={t('lowBalance.threshold', { Currency: alert.Currency })}
        hint={t('lowBalance.hint')}
        inputMode="decimal"
        autoComplete="off"
        value={threshold}
        error={errors.textOf('Threshold')}
        onChange={(event) => {
          setThreshold(event.target.value);
          errors.clear('Threshold');
        }}
      />
      <div className={s.buttons}>
        <Button type="submit" loading={once.isBusy} disabled={threshold.trim() === kept}>
          {t('common:save')}
        </Button>
        {kept && (
          <Button variant="ghost" disabled={once.isBusy} onClick={() => save('')}>
            {t('lowBalance.turnOff')}
          </Button>
        )}
      </div>
    </form>
  );
}
