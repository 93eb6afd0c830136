// An account: level and discount, account center, suspension, and changes.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BodyOf, CallError, type Schemas } from '@/api/client';
import { accountQuery, setAccountTerms } from '@/api/operator';
import { type Sender, useCall } from '@/api/useCall';
import { core, screenRules } from '@/core';
import { CUSTOMER, MAX_DISCOUNT_BASIS_POINTS, OPERATOR, RESELLER } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { OptionList } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { AccountHistory, useTermsText } from './AccountHistory';
import { AccountState } from './AccountState';
import s from './accounts.module.css';
import { CenterFlags } from './CenterFlags';

interface TermsDialogProps {
  accountId: number;
  onClose: () => void;
}

export function TermsDialog({ accountId, onClose }: TermsDialogProps) {
  const { t } = useTranslation(['accounts', 'common']);
  const formId = useId();
  const call = useCall(setAccountTerms);
  const found = useQuery(accountQuery(accountId));
  const refused = found.error instanceof CallError && found.error.code !== undefined ? found.error.message : undefined;
  const closedAt = found.data?.ClosedAt;
  const canGrant = found.data !== undefined && found.data.Account.Level !== OPERATOR && !closedAt;
  return (
    <Dialog
      open
      onClose={onClose}
      title={found.data?.Account.Email ?? t('terms.title', { AccountId: String(accountId) })}
      actions={
        <>
          <Button onClick={onClose}>{canGrant ? t('common:cancel') : t('common:close')}</Button>
          {canGrant && (
            <Button type="submit" form={formId} variant="primary" loading={call.isBusy}>
              {t('common:save')}
            </Button>
          )}
        </>
      }
    >
      {found.isPending && <LoadingState rows={6} />}
      {refused && <Notice tone="bad">{refused}</Notice>}
      {found.isError && !refused && <ErrorState error={found.error} onRetry={() => found.refetch()} />}
      {found.data && (
        <div className={s.terms}>
          <Facts account={found.data.Account} />
          {canGrant && <TermsForm formId={formId} account={found.data.Account} call={call} onDone={onClose} />}
          {!canGrant && (
            <Notice tone="neutral">
              {closedAt
                ? t('terms.closed', { At: closedAt })
                : fillText((marks) => t('terms.staff', marks), {
                    Command: <code>{`postern account level ${found.data.Account.Email} customer`}</code>,
                  })}
            </Notice>
          )}
          {!closedAt && <CenterFlags detail={found.data} />}
          {canGrant && <AccountState account={found.data.Account} />}
          <AccountHistory detail={found.data} />
        </div>
      )}
    </Dialog>
  );
}

function Facts({ account }: { account: Schemas['Account'] }) {
  const { t } = useTranslation('accounts');
  return (
    <dl className={s.facts}>
      <dt>{t('name')}</dt>
      <dd>{account.Name}</dd>
      <dt>{t('balance')}</dt>
      <dd>
        <MoneyText amount={account.WalletBalance} currency={account.Currency} />
      </dd>
      <dt>{t('spent')}</dt>
      <dd>
        <MoneyText amount={account.TotalExpenses} currency={account.Currency} />
      </dd>
      <dt>{t('since')}</dt>
      <dd>
        <DateText value={account.CreatedAt} />
      </dd>
    </dl>
  );
}

type Grantable = 'customer' | 'reseller';

interface TermsFormProps {
  formId: string;
  account: Schemas['Account'];
  call: Sender<BodyOf<'Operator/SetAccountTerms'>, Schemas['AccountDetail']>;
  onDone: () => void;
}

function TermsForm({ formId, account, call, onDone }: TermsFormProps) {
  const { t } = useTranslation('accounts');
  const termsText = useTermsText();
  const [level, setLevel] = useState<Grantable>(account.Level === RESELLER ? 'reseller' : 'customer');
  const [discount, setDiscount] = useState(
    account.ResellerBasisPoints > 0 ? screenRules().plainPercent(account.ResellerBasisPoints) : '',
  );
  const save = (event: FormEvent<HTMLFormElement>) => {
    const terms: Schemas['AccountTermsForm'] & { Level: number; Discount: string } =
      level === 'reseller' ? { Level: RESELLER, Discount: discount.trim() } : { Level: CUSTOMER, Discount: '' };
    return call.submit(event, {
      broken: screenRules().validateAccountTerms(terms),
      body: { AccountId: account.AccountId, ...terms },
      onDone: ({ Account: { Level, ResellerBasisPoints } }) => {
        showToast(t('terms.saved', { Email: account.Email, Terms: termsText(Level, ResellerBasisPoints) }), 'success');
        onDone();
      },
    });
  };
  return (
    <form id={formId} className={s.form} onSubmit={save} noValidate>
      <OptionList<Grantable>
        label={t('levelTitle')}
        value={level}
        onChange={(chosen) => {
          call.errors.set({});
          setLevel(chosen);
        }}
        options={[
          { value: 'customer', label: t('level.customer'), hint: t('terms.customerHint') },
          { value: 'reseller', label: t('level.reseller'), hint: t('terms.resellerHint') },
        ]}
      />
      {level === 'reseller' && (
        <TextField
          label={t('terms.percent')}
          hint={t('terms.percentHint', { Max: core().displayPercent(MAX_DISCOUNT_BASIS_POINTS) })}
          inputMode="decimal"
          autoComplete="off"
          {...call.bind('Discount', discount, setDiscount)}
        />
      )}
    </form>
  );
}
