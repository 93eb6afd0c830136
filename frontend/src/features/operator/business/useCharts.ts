// What the charts of the business show: a bar for each day or month, the last one so far.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessPoint, BusinessView } from '@/api/business';
import { core, screenRules } from '@/core';
import type { Series, Slot } from '@/ui/chart/parts';
import { monthName } from '@/ui/days';
import { useNumber } from '@/ui/texts';
import { unitOf } from './ranges';

const NOT_COUNTED = '–';

export const CHARTS = ['revenue', 'orders', 'newAccounts', 'traffic', 'customers', 'customersLeft'] as const;

export interface ChartOfBusiness {
  key: (typeof CHARTS)[number];
  slots: readonly Slot[];
  series: Series;
  scaleText: (value: number) => string;
}

/** The charts; each is redrawn only if the figures or the language have changed. */
export function useCharts({ Points, Range, Currency }: BusinessView): ChartOfBusiness[] {
  const { t, i18n } = useTranslation('business');
  const { language } = i18n;
  const number = useNumber();
  return useMemo(() => {
    const slots = slotsOf(Points, unitOf(Range), language, (Name, unit) => t(`charts.partial.${unit}`, { Name }));
    const series = (
      name: string,
      heightOf: (point: BusinessPoint) => number,
      textOf: (point: BusinessPoint) => string,
    ) => ({
      name,
      values: Points.map(heightOf),
      texts: Points.map(textOf),
    });
    const counts = (name: string, countOf: (point: BusinessPoint) => number | null | undefined) =>
      series(
        name,
        (point) => countOf(point) ?? 0,
        (point) => {
          const count = countOf(point);
          return count == null ? NOT_COUNTED : number(count);
        },
      );
    const money = (amount: string) => core().displayMoney(amount, Currency);
    const bytes = (amount: number) => screenRules().displayBytes(Math.round(amount));
    return [
      {
        key: 'revenue',
        slots,
        series: series(
          t('charts.revenue'),
          // Floats are only used for bar heights, never for amounts.
          ({ Figures }) => Number(Figures.Revenue),
          ({ Figures }) => money(Figures.Revenue),
        ),
        // Ticks are whole units of the currency.
        scaleText: (value) => money(value.toFixed(2)),
      },
      {
        key: 'orders',
        slots,
        series: counts(t('charts.orders'), ({ Figures }) => Figures.Orders),
        scaleText: number,
      },
      {
        key: 'newAccounts',
        slots,
        series: counts(t('charts.newAccounts'), ({ Figures }) => Figures.NewAccounts),
        scaleText: number,
      },
      {
        key: 'traffic',
        slots,
        series: series(
          t('charts.traffic'),
          ({ Figures }) => Figures.TrafficBytes,
          ({ Figures }) => bytes(Figures.TrafficBytes),
        ),
        scaleText: bytes,
      },
      {
        key: 'customers',
        slots,
        series: counts(t('charts.customers'), ({ Customers }) => Customers),
        scaleText: number,
      },
      {
        key: 'customersLeft',
        slots,
        series: counts(t('charts.customersLeft'), ({ Figures }) => Figures.CustomersLeft),
        scaleText: number,
      },
    ];
  }, [Points, Range, Currency, language, number, t]);
}

function slotsOf(
  points: readonly BusinessPoint[],
  unit: 'days' | 'months',
  language: string,
  partialName: (name: string, unit: 'days' | 'months') => string,
): Slot[] {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  const dayOfMonth = format({ month: 'short', day: 'numeric' });
  const monthOfYear = format({ month: 'short' });
  const monthAndYear = format({ month: 'short', year: 'numeric' });
  return points.map(({ Day, IsPartial }, index) => {
    const time = new Date(`${Day}T00:00:00Z`);
    // The year once, and where it changes.
    const ofMonths = index === 0 || time.getUTCMonth() === 0 ? monthAndYear : monthOfYear;
    const name = unit === 'months' ? monthName(Day, language) : Day;
    return {
      label: (unit === 'months' ? ofMonths : dayOfMonth).format(time),
      name: IsPartial ? partialName(name, unit) : name,
    };
  });
}
