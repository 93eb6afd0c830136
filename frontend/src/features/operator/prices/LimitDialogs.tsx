// Changes a limit, and adds, changes and removes steps of the limit on held IPs.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { type HoldStep, setHoldStep, setLimit } from '@/api/prices';
import { useCall } from '@/api/useCall';
import { core, type FieldErrors, screenRules } from '@/core';
import { Limit as LIMITS } from '@/core/constants.gen';
import { TextField } from '@/ui/Field';
import { ConfirmDialog, FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { showToast } from '@/ui/toast';
import s from './prices.module.css';

interface LimitDialogProps extends Pick<Schemas['LimitsView'], 'Currency'> {
  limit: Schemas['LimitView'];
  onClose: () => void;
}

export function LimitDialog({ limit: { Limit, Most }, Currency, onClose }: LimitDialogProps) {
  const { t } = useTranslation(['prices', 'common']);
  const call = useCall(setLimit);
  const [most, setMost] = useState(String(Most));
  const isMoney = Limit === LIMITS.SupportRefund;
  const onDone = () => {
    showToast(t('limits.done'), 'success');
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={t(`limit.${Limit}`)}
      action={t('common:save')}
      className={s.form}
      onSubmit={(event) => {
        const body = { Limit, Most: most.trim() };
        call.submit(event, { broken: screenRules().validateLimit(body), body, onDone });
      }}
      onClose={onClose}
    >
      <TextField
        label={isMoney ? t('limits.mostIn', { Currency }) : t('limits.mostOf')}
        hint={t(`limitHint.${Limit}`)}
        inputMode="numeric"
        autoComplete="off"
        {...call.bind('Most', most, setMost)}
      />
      <Hint of={Limit} />
    </FormDialog>
  );
}

/** What a limit is about, and from when it counts. */
function Hint({ of: limit }: { of: Schemas['LimitView']['Limit'] }) {
  const { t } = useTranslation(['prices', 'audit']);
  if (limit === LIMITS.ViewChanges) {
    return (
      <>
        <p className={s.soft}>{t('limits.hintViews')}</p>
        <p className={s.soft}>{t('limits.hintViewsLog', { Action: t('audit:action.changed_as_customer') })}</p>
      </>
    );
  }
  return <p className={s.soft}>{t(limit === LIMITS.SupportRefund ? 'limits.hintRefunds' : 'limits.hint')}</p>;
}

interface HoldStepDialogProps {
  currency: Schemas['Currency'];
  onClose: () => void;
}

/** Without a number, the call would remove the step. */
const MISSING: FieldErrors = { Ips: [{ Rule: 'required', Params: {} }] };

export function HoldStepDialog({ step, currency, onClose }: HoldStepDialogProps & { step?: HoldStep }) {
  const { t } = useTranslation(['prices', 'common']);
  const call = useCall(setHoldStep);
  const [from, setFrom] = useState(step?.From ?? '');
  const [ips, setIps] = useState(step ? String(step.Ips) : '');
  const onDone = () => {
    showToast(t('limits.done'), 'success');
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={step ? t('hold.edit', { Amount: core().displayMoney(step.From, currency) }) : t('hold.add')}
      action={step ? t('common:save') : t('hold.submit')}
      className={s.form}
      onSubmit={(event) => {
        const body = { From: from.trim(), Ips: ips.trim() };
        call.submit(event, {
          broken: { ...screenRules().validateHoldStep(body), ...(body.Ips === '' && MISSING) },
          body,
          onDone,
        });
      }}
      onClose={onClose}
    >
      {!step && (
        <TextField
          label={t('hold.amount', { Currency: currency })}
          hint={t('hold.amountHint')}
          inputMode="decimal"
          autoComplete="off"
          {...call.bind('From', from, setFrom)}
        />
      )}
      <TextField label={t('hold.ips')} inputMode="numeric" autoComplete="off" {...call.bind('Ips', ips, setIps)} />
      <p className={s.soft}>{t('limits.hint')}</p>
    </FormDialog>
  );
}

export function RemoveStepDialog({ step, currency, onClose }: HoldStepDialogProps & { step: HoldStep }) {
  const { t } = useTranslation('prices');
  const call = useCall(setHoldStep);
  const Amount = core().displayMoney(step.From, currency);
  const onDone = () => {
    showToast(t('hold.removed'), 'success');
    onClose();
  };
  const refusals = call.errors.texts();
  return (
    <ConfirmDialog
      call={call}
      title={t('hold.removeTitle', { Amount })}
      action={t('dialog.removeNow')}
      danger
      onConfirm={() => call.run({ From: step.From, Ips: '' }, onDone)}
      onClose={onClose}
    >
      <div className={s.form}>
        <p>{t('hold.removeWhat')}</p>
        <p className={s.soft}>{t('removal.again')}</p>
        {refusals.length > 0 && <Notice tone="bad">{refusals.join(' ')}</Notice>}
      </div>
    </ConfirmDialog>
  );
}
