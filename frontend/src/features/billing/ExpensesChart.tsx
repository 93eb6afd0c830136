// Expenses of the last twelve months.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { monthlyExpensesQuery } from '@/api/wallet';
import { core } from '@/core';
import { useSessionStore } from '@/stores/user';
import { Chart } from '@/ui/chart/Chart';
import { LoadingState } from '@/ui/Loading';
import { Card } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import s from './billing.module.css';

const FULL_HEIGHT = 1000;

export function ExpensesChart() {
  const { t } = useTranslation('billing');
  const spent = useSessionStore((state) => state.wallet?.TotalExpenses);
  const expenses = useQuery(monthlyExpensesQuery(spent));
  const highest = expenses.data?.Months.find((month) => month.Height === FULL_HEIGHT);
  return (
    <Card title={t('expensesByMonth.title')}>
      <div className={s.expenses}>
        {expenses.isError && !expenses.data && <ErrorState error={expenses.error} onRetry={() => expenses.refetch()} />}
        {expenses.isPending && <LoadingState rows={4} />}
        {expenses.data && !highest && (
          <EmptyState title={t('expensesByMonth.empty')}>{t('expensesByMonth.emptyHint')}</EmptyState>
        )}
        {expenses.data && highest && <Bars expenses={expenses.data} highest={highest.Expenses} />}
      </div>
    </Card>
  );
}

/** `highest` is the value of the tallest bar. */
function Bars({ expenses, highest }: { expenses: Schemas['MonthlyExpenses']; highest: string }) {
  const { t, i18n } = useTranslation('billing');
  const months = expenses.Months;
  const shown = (amount: string) => core().displayMoney(amount, expenses.Currency);
  // Mid-month, so that time zones do not shift the month.
  const nameOf = (month: string, style: 'short' | 'long') =>
    new Intl.DateTimeFormat(
      i18n.language,
      style === 'long' ? { month: 'long', year: 'numeric' } : { month: 'short' },
    ).format(new Date(`${month}-15T12:00:00Z`));
  return (
    <Chart
      title={t('expensesByMonth.title')}
      axis={t('expensesByMonth.month')}
      slots={months.map(({ Month }) => ({ label: nameOf(Month, 'short'), name: nameOf(Month, 'long') }))}
      series={[
        {
          name: t('expensesByMonth.spent'),
          // Floats are only used for bar heights, never for amounts.
          values: months.map((month) => month.Height),
          texts: months.map((month) => shown(month.Expenses)),
        },
      ]}
      ticks={[0, FULL_HEIGHT]}
      scaleText={(height) => (height === FULL_HEIGHT ? shown(highest) : '')}
      showsValues
      height={200}
    />
  );
}
