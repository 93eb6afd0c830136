// Traffic per hour, day or month: upload stacked on download.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { UsagePoint, UsageStep } from '@/api/usage';
import { screenRules } from '@/core';
import { Chart } from '@/ui/chart/Chart';
import { bucketsOf } from './days';
import { TITLES } from './dimensions';

interface UsageChartProps {
  range: [string, string];
  step: UsageStep;
  points: readonly UsagePoint[];
  zone: string;
}

export function UsageChart({ range: [from, to], step, points, zone }: UsageChartProps) {
  const { t, i18n } = useTranslation('usage');
  const chart = useMemo(() => {
    const bytes = (amount: number) => screenRules().displayBytes(amount);
    const buckets = bucketsOf([from, to], step, points, zone);
    const dayName = new Intl.DateTimeFormat(i18n.language, { month: 'short', day: 'numeric', timeZone: 'UTC' });
    const monthName = new Intl.DateTimeFormat(i18n.language, { month: 'short', year: 'numeric', timeZone: 'UTC' });
    const monthOfYear = new Intl.DateTimeFormat(i18n.language, { month: 'short', timeZone: 'UTC' });
    const slotOf = (key: string, index: number) => {
      if (step === 'month') {
        // The year once, and where it changes.
        const format = index === 0 || key.endsWith('-01') ? monthName : monthOfYear;
        return { label: format.format(new Date(`${key}-01T00:00:00Z`)), name: key, isMark: true };
      }
      const day = key.slice(0, 10);
      const hour = key.slice(11);
      const isMark = hour === '' || hour === '00';
      return {
        label: isMark && (step === 'day' || from !== to) ? dayName.format(new Date(`${day}T00:00:00Z`)) : `${hour}:00`,
        name: hour ? `${key}:00` : day,
        isMark: isMark && from !== to,
      };
    };
    const column = (name: string, amounts: number[]) => ({ name, values: amounts, texts: amounts.map(bytes) });
    return {
      slots: buckets.map(({ key }, index) => slotOf(key, index)),
      series: [
        column(
          t('download'),
          buckets.map((bucket) => bucket.download),
        ),
        column(
          t('upload'),
          buckets.map((bucket) => bucket.upload),
        ),
      ],
      sums: { name: t('sum'), texts: buckets.map((bucket) => bytes(bucket.download + bucket.upload)) },
    };
  }, [from, to, step, points, zone, i18n.language, t]);
  return (
    <Chart
      title={t(TITLES[step])}
      axis={t(`axis.${step}`)}
      {...chart}
      scaleText={(bytes) => screenRules().displayBytes(Math.round(bytes))}
      height={260}
    />
  );
}
