// Low-balance alert: the threshold below which an email is sent.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { useCall } from '@/api/useCall';
import { lowBalanceAlertQuery, setLowBalanceAlert } from '@/api/wallet';
import { core } from '@/core';
import { Button } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { Badge, ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import s from './billing.module.css';

export function LowBalanceAlert() {
  const { t } = useTranslation('billing');
  const alert = useQuery(lowBalanceAlertQuery);
  const isOn = Boolean(alert.data?.Threshold);
  return (
    <Card
      title={t('lowBalance.title')}
      aside={
        alert.data && <Badge tone={isOn ? 'good' : 'neutral'}>{t(isOn ? 'lowBalance.on' : 'lowBalance.off')}</Badge>
      }
    >
      {alert.isError && !alert.data && <ErrorState error={alert.error} onRetry={() => alert.refetch()} />}
      {alert.isPending && <LoadingState rows={3} />}
      {alert.data && <Form alert={alert.data} />}
    </Card>
  );
}

function Form({ alert }: { alert: Schemas['LowBalanceAlert'] }) {
  const { t } = useTranslation(['billing', 'common']);
  const call = useCall(setLowBalanceAlert);
  const kept = alert.Threshold ?? '';
  const [threshold, setThreshold] = useState(kept);
  const onDone = (saved: Schemas['LowBalanceAlert']) => {
    setThreshold(saved.Threshold ?? '');
    showToast(t(saved.Threshold ? 'lowBalance.saved' : 'lowBalance.turnedOff'), 'success');
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const Threshold = threshold.trim();
    return call.submit(event, { broken: core().validateLowBalanceAlert(Threshold), body: { Threshold }, onDone });
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
        {...call.bind('Threshold', threshold, setThreshold)}
      />
      <div className={s.buttons}>
        <Button type="submit" loading={call.isBusy} disabled={threshold.trim() === kept}>
          {t('common:save')}
        </Button>
        {kept && (
          <Button variant="ghost" disabled={call.isBusy} onClick={() => call.run({ Threshold: '' }, onDone)}>
            {t('lowBalance.turnOff')}
          </Button>
        )}
      </div>
    </form>
  );
}
