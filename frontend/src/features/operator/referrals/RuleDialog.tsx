// Adds a commission rule.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addReferralRule } from '@/api/referrals';
import { useCall } from '@/api/useCall';
import { screenRules } from '@/core';
import { DateTimeField } from '@/ui/DateTimeField';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { showToast } from '@/ui/toast';
import { fieldOnWire, nowOnWire } from '@/ui/wireTime';
import s from './referrals.module.css';

export function RuleDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('referrals');
  const call = useCall(addReferralRule);
  const [rate, setRate] = useState('');
  const [from, setFrom] = useState('');
  const rule = { RatePercent: rate.trim(), ValidFrom: fieldOnWire(from) };
  const onDone = () => {
    showToast(t('operator.added'), 'success');
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={t('operator.add')}
      action={t('operator.submit')}
      cancel={t('operator.cancel')}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, { broken: screenRules().validateReferralRule(rule, nowOnWire()), body: rule, onDone })
      }
      onClose={onClose}
    >
      <p>{t('operator.addHint')}</p>
      <TextField
        label={t('operator.ratePercent')}
        inputMode="decimal"
        autoComplete="off"
        {...call.bind('RatePercent', rate, setRate)}
      />
      <DateTimeField
        label={t('operator.from')}
        hint={t('operator.fromHint')}
        {...call.bind('ValidFrom', from, setFrom)}
      />
    </FormDialog>
  );
}
