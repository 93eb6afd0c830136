// Adds money to a customer's wallet, or takes it, with a reason that the customer sees.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { adjustWallet } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { core, screenRules } from '@/core';
import { Adjustment } from '@/core/constants.gen';
import { OptionList } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from './accounts.module.css';

interface AdjustDialogProps {
  account: Schemas['Account'];
  onClose: () => void;
}

const ADDING: readonly Adjustment[] = [Adjustment.Received, Adjustment.Goodwill];

export function AdjustDialog({ account, onClose }: AdjustDialogProps) {
  const { t } = useTranslation('accounts');
  const call = useCall(adjustWallet);
  const [adjustment, setAdjustment] = useState<Adjustment>(Adjustment.Received);
  const [Amount, setAmount] = useState('');
  const [Reason, setReason] = useState('');
  const { Currency, WalletBalance } = account;
  const isAdding = ADDING.includes(adjustment);
  const change = changeOf(Amount, isAdding);
  const shown = change && core().displayMoney(change.amount, Currency);
  const action = () => {
    if (!shown) return t(isAdding ? 'adjust.add' : 'adjust.take');
    return t(isAdding ? 'adjust.addAmount' : 'adjust.takeAmount', { Amount: shown });
  };
  const onDone = ({ Account }: Schemas['AccountDetail']) => {
    const Balance = core().displayMoney(Account.WalletBalance, Currency);
    showToast(t('adjust.done', { Email: account.Email, Balance }), 'success');
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={t('adjust.open')}
      action={action()}
      danger={!isAdding}
      className={s.form}
      onSubmit={(event) =>
        call.submit(event, {
          broken: screenRules().validateCredit({ Amount, Reason }),
          body: { AccountId: account.AccountId, Adjustment: adjustment, Amount: Amount.trim(), Reason },
          onDone,
        })
      }
      onClose={onClose}
    >
      <OptionList<Adjustment>
        label={t('adjust.what')}
        value={adjustment}
        onChange={(chosen) => {
          call.errors.set({});
          setAdjustment(chosen);
        }}
        options={Object.values(Adjustment).map((value) => ({
          value,
          label: t(`adjust.kind.${value}`),
          hint: t(`adjust.hint.${value}`),
        }))}
      />
      <TextField
        label={t('adjust.amountIn', { Currency })}
        inputMode="decimal"
        autoComplete="off"
        {...call.bind('Amount', Amount, setAmount)}
      />
      <TextField
        label={t('adjust.reason')}
        hint={t('adjust.reasonHint')}
        autoComplete="off"
        {...call.bind('Reason', Reason, setReason)}
      />
      <dl className={s.list} aria-live="polite">
        <dt>{t('adjust.now')}</dt>
        <dd>
          <MoneyText amount={WalletBalance} currency={Currency} />
        </dd>
        <dt>{t('adjust.after')}</dt>
        <dd>
          {change ? (
            <strong>
              <MoneyText amount={core().subtractMoney(WalletBalance, change.taken)} currency={Currency} />
            </strong>
          ) : (
            '–'
          )}
        </dd>
      </dl>
      <p className={s.soft}>{t(isAdding ? 'adjust.adds' : 'adjust.takes')}</p>
    </FormDialog>
  );
}

/** The typed amount as core writes it, and what it takes from the wallet; undefined until it is an amount. */
function changeOf(typed: string, isAdding: boolean): { amount: string; taken: string } | undefined {
  if (screenRules().validateCredit({ Amount: typed, Reason: '-' }).Amount) return undefined;
  try {
    const amount = core().subtractMoney(typed.trim(), '0.00');
    return { amount, taken: isAdding ? core().subtractMoney('0.00', amount) : amount };
  } catch {
    // Forms accept more ways of writing an amount.
    return undefined;
  }
}
