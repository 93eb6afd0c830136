// Proxies that expire on each of the coming days, and a link to renew them.
import { useTranslation } from 'react-i18next';
import type { OverviewView } from '@/api/welcome';
import { ENDS_SOON_DAYS } from '@/core/constants.gen';
import { ButtonLink } from '@/ui/Button';
import { Chart } from '@/ui/chart/Chart';
import { Card } from '@/ui/Page';
import { EmptyState } from '@/ui/State';
import s from './welcome.module.css';

const ENDING_LIST = `/static-residential-proxies/proxy-list?EndsWithinDays=${ENDS_SOON_DAYS}`;

export function Endings({ overview }: { overview: OverviewView }) {
  const { t, i18n } = useTranslation('welcome');
  const days = overview.Days;
  const dayOf = (style: 'short' | 'long') =>
    new Intl.DateTimeFormat(i18n.language, { month: style, day: 'numeric', timeZone: 'UTC' });
  const number = new Intl.NumberFormat(i18n.language);
  const named = (at: string, style: 'short' | 'long') => dayOf(style).format(new Date(`${at.slice(0, 10)}T00:00:00Z`));
  const toRenew = overview.EndingSoonCount - overview.EndingSoonRenewing;
  const column = (name: string, counts: number[]) => ({
    name,
    values: counts,
    texts: counts.map((count) => number.format(count)),
  });
  return (
    <Card
      title={t('endings.title', { count: days.length })}
      aside={
        toRenew > 0 && (
          <ButtonLink to={`${ENDING_LIST}&AutoRenew=false&Renew=All`} variant="primary" size="small">
            {t('endings.renew', { count: toRenew })}
          </ButtonLink>
        )
      }
    >
      {days.every((day) => day.Count === 0) ? (
        <EmptyState title={t('endings.none')}>{t('endings.noneHint')}</EmptyState>
      ) : (
        <div className={s.endings}>
          <p className={s.soft}>
            {overview.EndingSoonCount > 0
              ? t('endings.soon', { count: overview.EndingSoonCount, Days: ENDS_SOON_DAYS })
              : t('endings.noneSoon', { count: ENDS_SOON_DAYS })}
            {overview.EndingSoonRenewing > 0 && ` ${t('endings.renewing', { count: overview.EndingSoonRenewing })}`}
          </p>
          <Chart
            title={t('endings.chart')}
            axis={t('endings.day')}
            slots={days.map((day) => ({ label: named(day.StartsAt, 'short'), name: named(day.StartsAt, 'long') }))}
            series={[
              column(
                t('endings.ending'),
                days.map((day) => day.Count - day.Renewing),
              ),
              column(
                t('endings.automatic'),
                days.map((day) => day.Renewing),
              ),
            ]}
            sums={{ name: t('endings.all'), texts: days.map((day) => number.format(day.Count)) }}
            scaleText={(count) => (Number.isInteger(count) ? number.format(count) : '')}
            height={200}
          />
        </div>
      )}
    </Card>
  );
}
