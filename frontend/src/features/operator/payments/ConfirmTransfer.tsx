// Confirms that a bank transfer has arrived, also with more or less money than is due.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { type Payment, settlePayment } from '@/api/operatorPayments';
import { useCall } from '@/api/useCall';
import { core, screenRules } from '@/core';
import { PaymentState } from '@/core/constants.gen';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { Copied } from '@/ui/Secret';
import { DateText, MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { AccountLink } from './links';
import s from './payments.module.css';

interface ConfirmTransferProps {
  payment: Payment;
  onClose: () => void;
}

export function ConfirmTransfer({ payment, onClose }: ConfirmTransferProps) {
  const { t } = useTranslation('payments');
  const call = useCall(settlePayment);
  const [Amount, setAmount] = useState('');
  const [accepts, setAccepts] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const { PaymentId, Currency, Email, OrderNumber } = payment;
  const shown = (amount: string) => core().displayMoney(amount, Currency);
  const arrived = arrivedOf(Amount, payment.Amount);
  const differenceText = () => {
    if (arrived?.missing) return t('confirm.less', { Difference: shown(arrived.missing) });
    if (arrived?.extra) return t('confirm.more', { Difference: shown(arrived.extra) });
    return t('confirm.differs');
  };
  const isOther = isRefused || Boolean(arrived?.missing || arrived?.extra);
  const type = (typed: string) => {
    setAmount(typed);
    // They were about another amount.
    setAccepts(false);
    setRefused(false);
  };
  const onDone = (settled: Schemas['PaymentView']) => {
    showToast(t('confirm.done', { Amount: shown(settled.Amount), Email }), 'success');
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={t('confirm.title')}
      action={arrived ? t('confirm.submitAmount', { Amount: shown(arrived.amount) }) : t('confirm.submit')}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, {
          broken: screenRules().validateReceived(Amount),
          body: { PaymentId, Amount: Amount.trim(), AcceptDifference: isOther && accepts },
          onDone,
          onFailed: (error) => setRefused(Boolean(error.data.Fields)),
        })
      }
      onClose={onClose}
    >
      <dl className={s.facts}>
        <dt>{t('confirm.due')}</dt>
        <dd>
          <strong>
            <MoneyText amount={payment.Amount} currency={Currency} />
          </strong>
        </dd>
        <dt>{t('confirm.reference')}</dt>
        <dd>
          <Copied text={OrderNumber} label={t('confirm.copyReference')} />
        </dd>
        <dt>{t('customer')}</dt>
        <dd>
          <AccountLink of={payment} />
        </dd>
        <dt>{t('created')}</dt>
        <dd>
          <DateText value={payment.CreatedAt} />
        </dd>
      </dl>
      {payment.State !== PaymentState.Pending && <Notice tone="warn">{t('confirm.late')}</Notice>}
      <TextField
        label={t('confirm.received', { Currency })}
        hint={t('confirm.receivedHint')}
        inputMode="decimal"
        autoComplete="off"
        {...call.bind('Amount', Amount, type)}
      />
      {isOther && (
        <Notice tone="warn">
          <div className={s.other}>
            <span>{differenceText()}</span>
            <label className={s.tick}>
              <input
                type="checkbox"
                checked={accepts}
                onChange={(event) => {
                  setAccepts(event.target.checked);
                  call.errors.clear('Amount');
                }}
              />
              <span>{t('confirm.accept')}</span>
            </label>
          </div>
        </Notice>
      )}
      <p className={s.soft}>{t('confirm.result')}</p>
    </FormDialog>
  );
}

/** The typed amount as core writes it, and what is missing or extra; undefined until it is an amount. */
function arrivedOf(typed: string, due: string): { amount: string; missing?: string; extra?: string } | undefined {
  if (screenRules().validateReceived(typed).Amount) return undefined;
  try {
    const amount = core().subtractMoney(typed.trim(), '0.00');
    const extra = core().subtractMoney(amount, due);
    const missing = core().subtractMoney(due, amount);
    if (core().isNegative(extra)) return { amount, missing };
    return core().isNegative(missing) ? { amount, extra } : { amount };
  } catch {
    // Forms accept more ways of writing an amount; the server compares those.
    return undefined;
  }
}
