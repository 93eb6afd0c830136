// Residential traffic of the last days, and what is left of each batch.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrafficView } from '@/api/traffic';
import { type UsageRequest, type UsageView, usageQuery } from '@/api/usage';
import { screenRules, shownTimeZone } from '@/core';
import { ButtonLink } from '@/ui/Button';
import { Chart } from '@/ui/chart/Chart';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Card } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { UntilText } from '@/ui/texts';
import { useTrafficLeft } from './useOverview';
import s from './welcome.module.css';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Maximum number of batches shown; the order screen lists all. */
const MOST_BATCHES = 4;

/** The last days of a time zone's calendar, as text. */
function latestDays(zone: string): [string, string] {
  const inZone = { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const today = new Intl.DateTimeFormat('en-CA', inZone).format();
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - (DAYS - 1) * DAY_MS);
  return [first.toISOString().slice(0, 10), today];
}

export function TrafficUsed() {
  const { t } = useTranslation('welcome');
  const zone = shownTimeZone();
  const request: UsageRequest = {
    Kind: 'residential',
    Dimension: 'all',
    Step: 'day',
    StartAndEndTime: latestDays(zone),
    TimeZone: zone,
  };
  const usage = useQuery(usageQuery(request));
  const traffic = useTrafficLeft();
  const hasTraffic = (traffic.data?.Batches.length ?? 0) > 0;
  const failed = [usage, traffic].filter((one) => one.isError && !one.data);
  return (
    <Card
      title={t('used.title', { count: DAYS })}
      aside={
        hasTraffic && (
          <ButtonLink to="/residential-proxies/users?view=usage" size="small">
            {t('used.more')}
          </ButtonLink>
        )
      }
    >
      {failed.length > 0 && <ErrorState onRetry={() => failed.map((one) => one.refetch())} />}
      {failed.length === 0 && (!usage.data || !traffic.data) && <LoadingState rows={5} />}
      {usage.data && traffic.data && !hasTraffic && (
        <EmptyState
          title={t('used.none')}
          action={<ButtonLink to="/residential-proxies/order">{t('products.buyTraffic')}</ButtonLink>}
        >
          {t('used.noneHint')}
        </EmptyState>
      )}
      {usage.data && traffic.data && hasTraffic && (
        <div className={s.used}>
          <Used usage={usage.data} />
          <Left traffic={traffic.data} />
        </div>
      )}
    </Card>
  );
}

function Used({ usage }: { usage: UsageView }) {
  const { t, i18n } = useTranslation('welcome');
  const chart = useMemo(() => {
    const bytes = (amount: number) => screenRules().displayBytes(amount);
    const dayName = new Intl.DateTimeFormat(i18n.language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
    const named = (at: string) => dayName.format(new Date(`${at.slice(0, 10)}T00:00:00Z`));
    const column = (name: string, amounts: number[]) => ({ name, values: amounts, texts: amounts.map(bytes) });
    const points = usage.Points;
    return {
      slots: points.map(({ StartsAt }) => ({ label: named(StartsAt), name: StartsAt.slice(0, 10) })),
      series: [
        column(
          t('used.download'),
          points.map((point) => point.DownloadBytes),
        ),
        column(
          t('used.upload'),
          points.map((point) => point.UploadBytes),
        ),
      ],
      sums: { name: t('used.sum'), texts: points.map((point) => bytes(point.DownloadBytes + point.UploadBytes)) },
    };
  }, [usage, i18n.language, t]);
  return (
    <Chart
      title={t('used.chart')}
      axis={t('endings.day')}
      {...chart}
      scaleText={(bytes) => screenRules().displayBytes(Math.round(bytes))}
      height={220}
    />
  );
}

function Left({ traffic }: { traffic: TrafficView }) {
  const { t } = useTranslation('welcome');
  const bytes = (amount: number) => screenRules().displayBytes(amount);
  const running = traffic.Batches.filter((batch) => !batch.IsOver && batch.LeftBytes > 0);
  return (
    <div className={s.left}>
      <span className={s.soft}>{t('used.left')}</span>
      <strong className={s.big}>{bytes(traffic.LeftBytes)}</strong>
      <ul>
        {running.slice(0, MOST_BATCHES).map((batch) => (
          <li key={batch.BatchId}>
            <strong>{bytes(batch.LeftBytes)}</strong>
            <span className={s.soft}>
              {batch.EndsAt
                ? fillText((marks) => t('figure.trafficExpires', marks), { Time: <UntilText value={batch.EndsAt} /> })
                : t('figure.trafficNeverExpires')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
