// Records the outcome of a refund that an operator sends by hand: it was sent, or the money goes back to the wallet.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PaymentReturn, settleRefund } from '@/api/operatorPayments';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { OptionList } from '@/ui/Controls';
import { TextAreaField, TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { DateText, MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { AccountLink, OrderLink } from './links';
import s from './payments.module.css';

const OUTCOMES = ['sent', 'notSent'] as const;
type Outcome = (typeof OUTCOMES)[number];

interface SettleRefundProps {
  of: PaymentReturn;
  onClose: () => void;
}

export function SettleRefund({ of, onClose }: SettleRefundProps) {
  const { t } = useTranslation(['payments', 'orders']);
  const call = useCall(settleRefund);
  const [outcome, setOutcome] = useState<Outcome>('sent');
  const [reference, setReference] = useState('');
  const [note, setNote] = useState('');
  const HasArrived = outcome === 'sent';
  const body = { ReturnId: of.ReturnId, HasArrived, Reference: HasArrived ? reference : '', Note: note };
  const onDone = () => {
    const Amount = core().displayMoney(of.Taken, of.Currency);
    showToast(
      HasArrived
        ? t('returns.settle.doneSent', { Amount })
        : t('returns.settle.doneNotSent', { Amount, Email: of.Email }),
      'success',
    );
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={t('returns.settle.title')}
      action={t(HasArrived ? 'returns.settle.submitSent' : 'returns.settle.submitNotSent')}
      danger={!HasArrived}
      className={s.form}
      onSubmit={(event) => call.submit(event, { body, onDone })}
      onClose={onClose}
    >
      <dl className={s.facts}>
        <dt>{t('returns.settle.toSend')}</dt>
        <dd>
          <strong>
            <MoneyText amount={of.Reported} currency={of.ReportedCurrency} />
          </strong>
        </dd>
        <dt>{t('callbacks.gateway')}</dt>
        <dd>{t(`orders:method.${of.Gateway}`)}</dd>
        <dt>{t('customer')}</dt>
        <dd>
          <AccountLink of={of} />
        </dd>
        <dt>{t('order')}</dt>
        <dd>
          <OrderLink number={of.OrderNumber} />
        </dd>
        <dt>{t('cases.opened')}</dt>
        <dd>
          <DateText value={of.OpenedAt} />
        </dd>
      </dl>
      {of.Trouble && <Notice tone="warn">{of.Trouble}</Notice>}
      <OptionList<Outcome>
        label={t('returns.settle.outcome')}
        value={outcome}
        options={OUTCOMES.map((value) => ({
          value,
          label: t(`returns.settle.${value}`),
          hint: t(`returns.settle.${value}Hint`),
        }))}
        onChange={(next) => {
          call.errors.set({});
          setOutcome(next);
        }}
      />
      {HasArrived && (
        <TextField
          label={t('returns.settle.reference')}
          hint={t('returns.settle.referenceHint')}
          autoComplete="off"
          spellCheck={false}
          {...call.bind('Reference', reference, setReference)}
        />
      )}
      <TextAreaField
        label={t('returns.settle.note')}
        hint={t('returns.settle.noteHint')}
        rows={3}
        {...call.bind('Note', note, setNote)}
      />
      <p className={s.soft}>{t('returns.settle.lasts')}</p>
    </FormDialog>
  );
}
