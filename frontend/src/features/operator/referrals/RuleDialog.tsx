// Adds a commission rule.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { operatorCore } from '@/core';
import { Button } from '@/ui/Button';
import { DateTimeField } from '@/ui/DateTimeField';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { Dialog } from '@/ui/Overlay';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import { fieldOnWire, nowOnWire } from '@/ui/wireTime';
import { RULES } from './queries';
import s from './referrals.module.css';

export function RuleDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('referrals');
  const queryClient = useQueryClient();
  const formId = useId();
  const fields = useFieldErrors();
  const once = useIdempotentCall();
  const [rate, setRate] = useState('');
  const [from, setFrom] = useState('');
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const rule = { RatePercent: rate.trim(), ValidFrom: fieldOnWire(from) };
    if (once.isBusy || !fields.passes(operatorCore().validateReferralRule(rule, nowOnWire()))) return;
    try {
      const rules = await once.send(rule, (options) => post('Operator/AddReferralRule', rule, options));
      queryClient.setQueryData(RULES, rules);
      showToast(t('operator.added'), 'success');
      onClose();
    } catch (error) {
      fields.takeFrom(error);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('operator.add')}
      actions={
        <>
          <Button onClick={onClose}>{t('operator.cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" loading={once.isBusy}>
            {t('operator.submit')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={add} noValidate>
        <p>{t('operator.addHint')}</p>
        <TextField
          label={t('operator.ratePercent')}
          inputMode="decimal"
          autoComplete="off"
          value={rate}
          error={fields.textOf('RatePercent')}
          onChange={(event) => {
            fields.clear('RatePercent');
            setRate(event.target.value);
          }}
        />
        <DateTimeField
          label={t('operator.from')}
          hint={t('operator.fromHint')}
          value={from}
          error={fields.textOf('ValidFrom')}
          onChange={(event) => {
            fields.clear('ValidFrom');
            setFrom(event.target.value);
          }}
        />
      </form>
    </Dialog>
  );
}
