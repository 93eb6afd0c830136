// Commissions earned in each of the last twelve months.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { Chart } from '@/ui/chart/Chart';
import { Card } from '@/ui/Page';
import { EmptyState } from '@/ui/State';
import s from './referrals.module.css';

const FULL_HEIGHT = 1000;

export function EarnedChart({ referrals }: { referrals: Schemas['Referrals'] }) {
  const { t, i18n } = useTranslation('referrals');
  const { Months: months, Currency: currency } = referrals;
  const highest = months.find((month) => month.Height === FULL_HEIGHT);
  const shown = (amount: string) => core().displayMoney(amount, currency);
  // Mid-month, so that time zones do not shift the month.
  const nameOf = (month: string, style: 'short' | 'long') =>
    new Intl.DateTimeFormat(
      i18n.language,
      style === 'long' ? { month: 'long', year: 'numeric' } : { month: 'short' },
    ).format(new Date(`${month}-15T12:00:00Z`));
  return (
    <Card title={t('chart.title')}>
      {highest ? (
        <>
          <Chart
            title={t('chart.title')}
            axis={t('chart.month')}
            slots={months.map(({ Month }) => ({ label: nameOf(Month, 'short'), name: nameOf(Month, 'long') }))}
            series={[
              {
                name: t('chart.earned'),
                // Floats are only used for bar heights, never for amounts.
                values: months.map((month) => month.Height),
                texts: months.map((month) => shown(month.Earned)),
              },
            ]}
            ticks={[0, FULL_HEIGHT]}
            scaleText={(height) => (height === FULL_HEIGHT ? shown(highest.Earned) : '')}
            height={260}
          />
          <p className={s.soft}>{t('chart.summary')}</p>
        </>
      ) : (
        <EmptyState title={t('chart.empty')}>{t('chart.emptyHint')}</EmptyState>
      )}
    </Card>
  );
}
