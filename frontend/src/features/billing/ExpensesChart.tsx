// What was spent in each of the latest twelve months: bars for the eye, a table for screen readers.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { core } from '@/core';
import { useSessionStore } from '@/stores/user';
import { LoadingState } from '@/ui/Loading';
import { Card } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import s from './billing.module.css';

const BAR_WIDTH = 60;
const BAR_PITCH = 100;
const FULL_HEIGHT = 1000;

export function ExpensesChart() {
  const { t } = useTranslation('billing');
  const spent = useSessionStore((state) => state.wallet?.TotalExpenses);
  const expenses = useQuery({
    // What was spent in all says when there is news.
    queryKey: ['monthly-expenses', spent],
    placeholderData: keepPreviousData,
    queryFn: () => post('Wallet/GetMonthlyExpenses', undefined, { silent: true }),
  });
  const highest = expenses.data?.Months.find((month) => month.Height === FULL_HEIGHT);
  return (
    <Card title={t('expensesByMonth.title')}>
      {expenses.isError && !expenses.data && <ErrorState onRetry={() => expenses.refetch()} />}
      {expenses.isPending && <LoadingState rows={4} />}
      {expenses.data && !highest && (
        <EmptyState title={t('expensesByMonth.empty')}>{t('expensesByMonth.emptyHint')}</EmptyState>
      )}
      {expenses.data && highest && <Chart expenses={expenses.data} highest={highest.Expenses} />}
    </Card>
  );
}

/** `highest` is what the tallest bar stands for. */
function Chart({ expenses, highest }: { expenses: Schemas['MonthlyExpenses']; highest: string }) {
  const { t, i18n } = useTranslation('billing');
  const months = expenses.Months;
  const shown = (amount: string) => core().displayMoney(amount, expenses.Currency);
  // The middle of the month is in that month wherever the reader is.
  const nameOf = (month: string, style: 'short' | 'long') =>
    new Intl.DateTimeFormat(
      i18n.language,
      style === 'long' ? { month: 'long', year: 'numeric' } : { month: 'short' },
    ).format(new Date(`${month}-15T12:00:00Z`));
  return (
    <div className={s.chart}>
      <div aria-hidden="true">
        <small className={s.scale}>{shown(highest)}</small>
        <svg viewBox={`0 0 ${months.length * BAR_PITCH} ${FULL_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {months.map((month, index) => (
            <g key={month.Month}>
              <title>{`${nameOf(month.Month, 'long')}: ${shown(month.Expenses)}`}</title>
              <rect className={s.slot} x={index * BAR_PITCH} y={0} width={BAR_PITCH} height={FULL_HEIGHT} />
              <rect
                className={s.bar}
                x={index * BAR_PITCH + (BAR_PITCH - BAR_WIDTH) / 2}
                y={FULL_HEIGHT - month.Height}
                width={BAR_WIDTH}
                height={month.Height}
              />
            </g>
          ))}
        </svg>
        <ol>
          {months.map((month) => (
            <li key={month.Month}>{nameOf(month.Month, 'short')}</li>
          ))}
        </ol>
      </div>
      <table className="visually-hidden">
        <caption>{t('expensesByMonth.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('expensesByMonth.month')}</th>
            <th scope="col">{t('expensesByMonth.spent')}</th>
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <tr key={month.Month}>
              <th scope="row">{nameOf(month.Month, 'long')}</th>
              <td>{shown(month.Expenses)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
