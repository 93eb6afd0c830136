// The wallet screen: balance, expenses, top-up and latest transactions.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { Schemas } from '@/api/client';
import { latestTransactionsQuery } from '@/api/wallet';
import { core } from '@/core';
import { PaymentState } from '@/core/constants.gen';
import { useOwingWallet } from '@/stores/owed';
import { usePayment } from '@/stores/payment';
import { useIsSuspended } from '@/stores/sidebar';
import { refreshWallet } from '@/stores/user';
import { ButtonLink } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { paymentTone } from '@/ui/order/paymentTone';
import { Card, Page } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import { AutoTopUp } from './AutoTopUp';
import { Balance, BUY } from './Balance';
import s from './billing.module.css';
import { ExpensesChart } from './ExpensesChart';
import { LowBalanceAlert } from './LowBalanceAlert';
import { TopUpForm } from './TopUpForm';

const LATEST = 8;

export function WalletPage() {
  const { t } = useTranslation('billing');
  const [parameters] = useSearchParams();
  const payment = usePayment();
  const isSuspended = useIsSuspended();
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    refreshWallet();
  }, []);
  return (
    <Page title={t('wallet.title')} description={t('wallet.lead')}>
      {payment.data && <Outcome payment={payment.data} canBuy={!isSuspended} />}
      <Owed />
      <div className={isSuspended ? s.stack : s.columns}>
        <div className={s.stack}>
          <Balance onTopUp={() => form.current?.querySelector('input')?.focus()} />
          <ExpensesChart />
          <Latest />
        </div>
        {!isSuspended && (
          <div className={s.stack}>
            <div ref={form}>
              <Card title={t('topUp.title')}>
                <TopUpForm initialAmount={parameters.get('Amount') ?? ''} />
              </Card>
            </div>
            <AutoTopUp cardRequestId={parameters.get('CardRequestId')} />
            <LowBalanceAlert />
          </div>
        )}
      </div>
    </Page>
  );
}

/** What came of a payment. */
function Outcome({ payment, canBuy }: { payment: Schemas['PaymentView']; canBuy: boolean }) {
  const { t } = useTranslation(['billing', 'common']);
  const { State, Amount, Credited, Currency } = payment;
  return (
    <Notice tone={paymentTone(State)}>
      {t(`outcome.${State}`, { Amount: core().displayMoney(Credited ?? Amount, Currency) })}{' '}
      {State === PaymentState.Succeeded && canBuy && <Link to={BUY}>{t('common:buyProxies')}</Link>}
    </Notice>
  );
}

/** What the customer owes, why, and what that stops. */
function Owed() {
  const { t } = useTranslation(['billing', 'common']);
  const wallet = useOwingWallet();
  if (!wallet) return null;
  return (
    <Notice tone="bad">
      <strong>{t('common:owed.fact', { Owed: core().displayMoney(wallet.Owed, wallet.Currency) })}</strong>
      <p>{t('owed.why')}</p>
      <p>{t(wallet.AreProxiesPaused ? 'owed.paused' : 'owed.blocked')}</p>
    </Notice>
  );
}

function Latest() {
  const { t } = useTranslation('billing');
  const latest = useQuery(latestTransactionsQuery(LATEST));
  return (
    <Card
      title={t('wallet.latest')}
      aside={
        <ButtonLink to="/billing/transactions" variant="ghost" size="small">
          {t('wallet.allTransactions')}
        </ButtonLink>
      }
    >
      {latest.isError && !latest.data && <ErrorState error={latest.error} onRetry={() => latest.refetch()} />}
      {latest.isPending && <LoadingState rows={4} />}
      {latest.data?.Total === 0 && (
        <EmptyState title={t('transactions.empty')}>{t('transactions.emptyHint')}</EmptyState>
      )}
      <ul className={s.latest}>
        {latest.data?.Rows.map((row) => (
          <li key={row.TransactionId}>
            <span>
              {t(`transactions.kind.${row.Kind}`)}
              {row.Reason && <small>{row.Reason}</small>}
              <small>
                <DateText value={row.CreatedAt} />
              </small>
            </span>
            <strong>
              <MoneyText amount={row.Amount} currency={row.Currency} signed />
            </strong>
          </li>
        ))}
      </ul>
    </Card>
  );
}
