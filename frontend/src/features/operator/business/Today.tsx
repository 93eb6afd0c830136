// The present day, so far, in one line.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessView } from '@/api/business';
import { screenRules } from '@/core';
import { Skeleton } from '@/ui/Loading';
import { MoneyText, useNumber } from '@/ui/texts';
import s from './business.module.css';

interface TodayProps {
  /** Undefined while loading. */
  business: BusinessView | undefined;
  isFailed: boolean;
}

export function Today({ business, isFailed }: TodayProps) {
  const { t } = useTranslation('business');
  const number = useNumber();
  const figure = (label: string, value: ReactNode) => (
    <div>
      <dt>{label}</dt>
      <dd>{business ? value : isFailed ? '–' : <Skeleton width={64} height="1em" />}</dd>
    </div>
  );
  const today = business?.Today;
  return (
    <dl className={s.today}>
      {figure(
        t('figure.revenue'),
        business && <MoneyText amount={business.Today.Revenue} currency={business.Currency} />,
      )}
      {figure(t('figure.orders'), today && number(today.Orders))}
      {figure(t('figure.newAccounts'), today && number(today.NewAccounts))}
      {figure(t('figure.traffic'), today && screenRules().displayBytes(today.TrafficBytes))}
    </dl>
  );
}
