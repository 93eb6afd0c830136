// How much more or less something is than in the time before.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import s from './business.module.css';

/** Hundredths of a percent. */
const WHOLE = 10_000;

/** From this share on, fractions of a percent say nothing. */
const ROUGH = 10;

/** A share as a percentage: 0.125 is 12.5%. */
export function usePercent() {
  const { language } = useTranslation().i18n;
  return useCallback(
    (share: number) => {
      const maximumFractionDigits = Math.abs(share) < ROUGH ? 1 : 0;
      return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits }).format(share);
    },
    [language],
  );
}

export const shareOf = (basisPoints: number) => basisPoints / WHOLE;

interface ChangeProps {
  /** In hundredths of a percent; null if there was nothing before. */
  of: number | null | undefined;
  /** More of it is worse, as with refunds. */
  isCost?: boolean;
}

export function Change({ of, isCost = false }: ChangeProps) {
  const { t } = useTranslation('business');
  const percent = usePercent();
  if (of === null || of === undefined) return <span>{t('change.none')}</span>;
  if (of === 0) return <span>{t('change.same')}</span>;
  const isMore = of > 0;
  const Percent = percent(shareOf(Math.abs(of)));
  return (
    <span className={s.change} data-tone={isMore === isCost ? 'bad' : 'good'}>
      <span aria-hidden="true">{t(isMore ? 'change.up' : 'change.down', { Percent })}</span>
      <span className="visually-hidden">{t(isMore ? 'change.more' : 'change.less', { Percent })}</span>
    </span>
  );
}
