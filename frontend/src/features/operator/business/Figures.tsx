// The figures of a range of whole days or months, compared with as many before.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessView } from '@/api/business';
import { screenRules } from '@/core';
import type { BusinessRange } from '@/core/constants.gen';
import { SegmentedControl } from '@/ui/Controls';
import { Skeleton } from '@/ui/Loading';
import { Card, Stat } from '@/ui/Page';
import { MoneyText, useNumber } from '@/ui/texts';
import s from './business.module.css';
import { Change, shareOf, usePercent } from './Change';
import { lengthOf, RANGES, unitOf } from './ranges';

interface FiguresProps {
  /** The chosen range. */
  range: BusinessRange;
  /** Undefined while loading; of the range chosen before, until the next one is loaded. */
  business: BusinessView | undefined;
  isFailed: boolean;
  onRange: (range: BusinessRange) => void;
}

export function Figures({ range, business, isFailed, onRange }: FiguresProps) {
  const { t } = useTranslation('business');
  const shown = business?.Range ?? range;
  const count = lengthOf(shown);
  return (
    <Card
      title={t(`range.title.${unitOf(shown)}`, { count })}
      aside={
        <SegmentedControl<BusinessRange>
          label={t('range.label')}
          value={range}
          segments={RANGES.map((value) => ({
            value,
            label: t(`range.${unitOf(value)}`, { count: lengthOf(value) }),
          }))}
          onChange={onRange}
        />
      }
    >
      <Values business={business} isFailed={isFailed} />
      <p className={s.note}>{t(`range.note.${unitOf(shown)}`, { count })}</p>
    </Card>
  );
}

function Values({ business, isFailed }: Pick<FiguresProps, 'business' | 'isFailed'>) {
  const { t } = useTranslation('business');
  const number = useNumber();
  const figure = (label: string, draw: (business: BusinessView) => { value: ReactNode; change: ReactNode }) => {
    const drawn = business && draw(business);
    return (
      <div>
        <Stat label={label}>{drawn ? drawn.value : isFailed ? '–' : <Skeleton width={96} height="1.3em" />}</Stat>
        <p>{drawn?.change}</p>
      </div>
    );
  };
  const money = (amount: string, { Currency }: BusinessView) => <MoneyText amount={amount} currency={Currency} />;
  return (
    <div className={s.figures}>
      {figure(t('figure.revenue'), (of) => ({
        value: money(of.Now.Revenue, of),
        change: <Change of={of.Changes.RevenueBasisPoints} />,
      }))}
      {figure(t('figure.refunded'), (of) => ({
        value: money(of.Now.Refunded, of),
        change: <Change of={of.Changes.RefundedBasisPoints} isCost />,
      }))}
      {figure(t('figure.orders'), (of) => ({
        value: number(of.Now.Orders),
        change: <Change of={of.Changes.OrdersBasisPoints} />,
      }))}
      {figure(t('figure.newAccounts'), (of) => ({
        value: number(of.Now.NewAccounts),
        change: <Change of={of.Changes.NewAccountsBasisPoints} />,
      }))}
      {figure(t('figure.traffic'), (of) => ({
        value: screenRules().displayBytes(of.Now.TrafficBytes),
        change: <Change of={of.Changes.TrafficBasisPoints} />,
      }))}
      {figure(t('figure.customers'), (of) => ({
        value: of.Customers == null ? '–' : number(of.Customers),
        change: <Churn of={of} />,
      }))}
    </div>
  );
}

/** The share of customers who left, beside that of the time before. */
function Churn({ of: { Customers, Now, Before } }: { of: BusinessView }) {
  const { t } = useTranslation('business');
  const percent = usePercent();
  if (Customers == null) return t('churn.customersUnknown');
  if (Now.ChurnBasisPoints == null) return t('churn.unknown');
  const Percent = percent(shareOf(Now.ChurnBasisPoints));
  if (Before.ChurnBasisPoints == null) return t('churn.now', { Percent });
  return t('churn.both', { Percent, Before: percent(shareOf(Before.ChurnBasisPoints)) });
}
