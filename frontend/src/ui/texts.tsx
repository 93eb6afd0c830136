// Money, times and places as text: the only ways in which screens show them.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { core } from '@/core';
import s from './ui.module.css';

/** An amount in its currency. The sign of a movement is shown where asked for. */
export function MoneyText({
  amount,
  currency = 'USD',
  signed,
}: {
  amount: string;
  currency?: string;
  signed?: boolean;
}) {
  const shown = core().displayMoney(amount, currency);
  return <span className={s.money}>{signed && !core().isNegative(amount) ? `+${shown}` : shown}</span>;
}

/** A list price; where somebody has a wholesale discount, what they pay, and the list price struck through. */
export function PriceText({
  listPrice,
  currency,
  basisPoints,
}: {
  listPrice: string;
  currency: string;
  /** The discount in hundredths of a percent. */
  basisPoints: number;
}) {
  const { t } = useTranslation();
  if (basisPoints === 0) return <MoneyText amount={listPrice} currency={currency} />;
  return (
    <>
      <MoneyText amount={core().resellerPrice(listPrice, basisPoints)} currency={currency} />{' '}
      <s className={s.listPrice}>
        <span className="visually-hidden">{t('listPrice')} </span>
        <MoneyText amount={listPrice} currency={currency} />
      </s>
    </>
  );
}

/** A time, which the API layer has put into the reader's zone already. */
export function DateText({ value }: { value: string | null | undefined }) {
  if (!value) return <span>–</span>;
  return (
    <time dateTime={value.replace(' ', 'T')} className={s.money} style={{ whiteSpace: 'nowrap' }}>
      {value}
    </time>
  );
}

/** Minutes and seconds. */
export function TimeLeft({ seconds }: { seconds: number }) {
  const minutes = Math.floor(seconds / 60);
  return <span className={s.money}>{`${minutes}:${String(seconds % 60).padStart(2, '0')}`}</span>;
}

/** Which of two names the reader's language takes. */
export function useName() {
  const isChinese = useTranslation().i18n.language === 'zh';
  return useCallback((names: { en: string; zh: string }) => (isChinese ? names.zh : names.en), [isChinese]);
}
