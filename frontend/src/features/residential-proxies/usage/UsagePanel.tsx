// Usage by hour, day or month, split by proxy user, static IP, country or target, compared with the previous period.
import { DownloadSimple } from '@phosphor-icons/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportUsage, type UsageRequest, type UsageStep, type UsageView, usageQuery } from '@/api/usage';
import { useCall } from '@/api/useCall';
import { core, screenRules, shownTimeZone } from '@/core';
import { ProxyServerKind } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { DateRange, type Range } from '@/ui/DateRange';
import { addDays, daysIn, isDay, monthsBefore, today } from '@/ui/days';
import { LoadingState } from '@/ui/Loading';
import { useFilters } from '@/ui/listAddress';
import { Card, Stat } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { saveFile } from '@/ui/saveFile';
import { DIMENSIONS, type Dimension, TITLES } from './dimensions';
import { SplitTable } from './SplitTable';
import { UsageChart } from './UsageChart';
import s from './usage.module.css';

/** New traffic appears within ten seconds: the server counts it within a second, and this polls. */
const POLL_MS = 5_000;
/** Preset ranges in days, ending today. */
const RANGES = [1, 7, 30, 90] as const;
const FIRST_RANGE = 7;
/** Preset range in calendar months, including the current one. */
const MONTHS = 12;

interface UsagePanelProps {
  /** Residential traffic by default. */
  kind?: ProxyServerKind;
  /** Only this proxy user. */
  proxyUserId?: number;
}

export function UsagePanel({ kind = ProxyServerKind.Residential, proxyUserId }: UsagePanelProps) {
  const { t } = useTranslation('usage');
  const zone = shownTimeZone();
  const [filters, change] = useFilters(['From', 'To', 'Step', 'By']);
  const save = useCall(exportUsage);
  const lastDay = today(zone);
  const range: [string, string] =
    isDay(filters.From) && isDay(filters.To) && filters.From <= filters.To
      ? [filters.From, filters.To]
      : [addDays(lastDay, 1 - FIRST_RANGE), lastDay];
  const days = daysIn(...range);
  const steps = screenRules().usageSteps(days);
  const step = steps.find((one) => one === filters.Step) ?? screenRules().usualUsageStep(days);
  const yearStart = monthsBefore(lastDay, MONTHS - 1);
  const dimensions = DIMENSIONS[kind];
  const by = dimensions.find((one) => one === filters.By) ?? dimensions[0];
  const request: UsageRequest<Dimension> = {
    Kind: kind,
    Dimension: by,
    Step: step,
    StartAndEndTime: range,
    TimeZone: zone,
    ...(proxyUserId !== undefined && { ProxyUserId: proxyUserId }),
  };
  const usage = useQuery({ ...usageQuery(request), refetchInterval: POLL_MS, placeholderData: keepPreviousData });
  const data = usage.data;

  return (
    <div className={s.panel}>
      <p className={s.soft}>{t(`lead.${kind}`, { Zone: zone })}</p>
      <div className={s.tools}>
        <SegmentedControl
          label={t('ranges')}
          value={range[1] === lastDay ? range[0] : ''}
          onChange={(From: string) => change({ From, To: lastDay, Step: '' })}
          segments={[
            ...RANGES.map((count) => ({
              value: addDays(lastDay, 1 - count),
              label: count === 1 ? t('today') : t('lastDays', { count }),
            })),
            { value: yearStart, label: t('lastMonths', { count: MONTHS }) },
          ]}
        />
        <Days range={range} onChange={([From, To]) => change({ From, To, Step: '' })} />
        {steps.length > 1 && (
          <SegmentedControl
            label={t('step')}
            value={step}
            onChange={(chosen: UsageStep) => change({ Step: chosen })}
            segments={steps.map((one) => ({ value: one, label: t(one) }))}
          />
        )}
        <Button
          icon={<DownloadSimple size={16} aria-hidden="true" />}
          loading={save.isBusy}
          onClick={() => save.run(request, saveFile)}
        >
          {t('csv')}
        </Button>
      </div>
      {!data && (
        <Card>
          {usage.isError ? (
            <ErrorState error={usage.error} onRetry={() => usage.refetch()} />
          ) : (
            <LoadingState rows={8} />
          )}
        </Card>
      )}
      {data && (
        <div className={s.results} data-stale={usage.isPlaceholderData || undefined} aria-busy={usage.isFetching}>
          <Card>
            <Figures usage={data} />
          </Card>
          <Card title={t(TITLES[step])}>
            {data.TotalBytes === 0 ? (
              <EmptyState title={t('empty')}>{t(`emptyHint.${kind}`)}</EmptyState>
            ) : (
              <UsageChart range={range} step={step} points={data.Points} zone={zone} />
            )}
          </Card>
          <Card
            title={t('splitBy')}
            aside={
              <SegmentedControl
                label={t('splitBy')}
                value={by}
                onChange={(chosen: Dimension) => change({ By: chosen })}
                segments={dimensions.map((one) => ({ value: one, label: t(`split.${one}`) }))}
              />
            }
          >
            {/* The previous data has a different dimension. */}
            {usage.isPlaceholderData ? (
              <LoadingState rows={4} />
            ) : (
              <SplitTable by={data.by} shares={data.Split ?? []} total={data.TotalBytes} />
            )}
          </Card>
        </div>
      )}
    </div>
  );
}

/** A date range. An incomplete range is kept in local state. */
function Days({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const { t } = useTranslation('usage');
  const [half, setHalf] = useState<Range>();
  return (
    <DateRange
      label={t('range')}
      value={half ?? range}
      onChange={(chosen) => {
        const isHalf = Boolean(chosen[0]) && !chosen[1];
        setHalf(isHalf ? chosen : undefined);
        if (!isHalf) onChange(chosen);
      }}
    />
  );
}

function Figures({ usage }: { usage: UsageView }) {
  const { t, i18n } = useTranslation('usage');
  const bytes = (amount: number) => screenRules().displayBytes(amount);
  const change = screenRules().usageChange(usage.TotalBytes, usage.PreviousBytes);
  const percent = change === undefined ? undefined : core().displayPercent(Math.abs(change));
  return (
    <div className={s.figures}>
      <Stat label={t('total')}>{bytes(usage.TotalBytes)}</Stat>
      <Stat label={t('requests')}>{new Intl.NumberFormat(i18n.language).format(usage.Requests)}</Stat>
      <div>
        <Stat label={t('change')}>{percent === undefined ? '–' : `${(change ?? 0) < 0 ? '−' : '+'}${percent}`}</Stat>
        <span className={s.soft}>
          {usage.PreviousBytes === 0 ? t('noneBefore') : t('before', { Bytes: bytes(usage.PreviousBytes) })}
        </span>
      </div>
    </div>
  );
}
