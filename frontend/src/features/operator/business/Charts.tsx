// Revenue, orders, new accounts, traffic and customers by day or month.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessPoint, BusinessView } from '@/api/business';
import { Chart } from '@/ui/chart/Chart';
import { Skeleton } from '@/ui/Loading';
import { Card } from '@/ui/Page';
import { EmptyState } from '@/ui/State';
import s from './business.module.css';
import { unitOf } from './ranges';
import { CHARTS, type ChartOfBusiness, useCharts } from './useCharts';

const HEIGHT = 180;

export function Charts({ business }: { business: BusinessView }) {
  const { t } = useTranslation('business');
  return useCharts(business).map((chart) => (
    <Card key={chart.key} title={t(`charts.${chart.key}`)}>
      <div className={s.chart}>
        <Body chart={chart} business={business} />
      </div>
    </Card>
  ));
}

/** As high as charts, while they are loading. */
export function LoadingCharts() {
  const { t } = useTranslation('business');
  return CHARTS.map((key) => (
    <Card key={key} title={t(`charts.${key}`)}>
      <div className={s.chart}>
        <Skeleton height="100%" />
      </div>
    </Card>
  ));
}

function Body({ chart, business }: { chart: ChartOfBusiness; business: BusinessView }) {
  const { t } = useTranslation('business');
  // A plot draws again when it gets another list.
  const series = useMemo(() => [chart.series], [chart.series]);
  const whole = business.Points.filter((point) => !point.IsPartial);
  // Not on every day: only from the version on that can.
  const counted = chart.key === 'customers' || chart.key === 'customersLeft' ? chart.key : undefined;
  const isCounted = ({ Customers, Figures }: BusinessPoint) =>
    (counted === 'customers' ? Customers : Figures.CustomersLeft) != null;
  if (counted && !whole.some(isCounted)) {
    return <EmptyState title={t(`charts.uncounted.${counted}`)}>{t('charts.uncountedHint')}</EmptyState>;
  }
  if (chart.series.values.every((value) => value === 0)) return <EmptyState title={t('charts.empty')} />;
  return (
    <>
      <Chart
        title={t(`charts.${chart.key}`)}
        axis={t(`charts.axis.${unitOf(business.Range)}`)}
        slots={chart.slots}
        series={series}
        scaleText={chart.scaleText}
        height={HEIGHT}
      />
      {counted && (
        <p className={s.note}>
          {t(`charts.note.${counted}`)} {!whole.every(isCounted) && t('charts.gaps')}
        </p>
      )}
    </>
  );
}
