// The quote: lines, discounts, total, the balance afterwards, and the button that orders.
import { X } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core, type Quote } from '@/core';
import { HOLD_MINUTES } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { useSessionStore } from '@/stores/user';
import { Button, IconButton } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { MoneyText } from '@/ui/texts';
import s from '../static.module.css';
import room from './buy.module.css';
import { HoldLimit } from './HoldLimit';

interface QuotePanelProps {
  catalogue: Schemas['Catalogue'];
  quote: Quote | undefined;
  error: string | undefined;
  /** That the price has changed since it was shown. */
  change: string | undefined;
  /** What is under way. */
  busy: 'order' | 'buy' | undefined;
  /** Leaves out what is chosen of a city. */
  onRemove: (city: string) => void;
  onOrder: () => void;
  /** Pays from the wallet at once. */
  onBuy: () => void;
  children: ReactNode;
  /** Where a coupon is typed. */
  coupon: ReactNode;
}

export function QuotePanel({
  catalogue,
  quote,
  error,
  change,
  busy,
  onRemove,
  onOrder,
  onBuy,
  children,
  coupon,
}: QuotePanelProps) {
  const { t } = useTranslation('static_residential_proxies');
  const wallet = useSessionStore((state) => state.wallet);
  const currency = catalogue.Currency;
  const after = quote && wallet ? core().subtractMoney(wallet.WalletBalance, quote.Total) : undefined;
  const isShort = after !== undefined && core().isNegative(after);
  // What a coupon has made free needs no wallet.
  const isFree = after === wallet?.WalletBalance;
  const isCovered = after !== undefined && !isShort && !isFree;
  return (
    <aside className={room.quote} aria-label={t('order.summary')}>
      <h2>{t('order.summary')}</h2>
      {children}
      {quote ? (
        <dl className={s.sums}>
          {quote.Lines.map((line) => (
            <div key={line.City}>
              <dt>
                {core().cityName(line.City, currentLanguage())} × {line.Quantity}
                <IconButton
                  size="small"
                  label={t('order.removeLine', { Place: core().cityName(line.City, currentLanguage()) })}
                  onClick={() => onRemove(line.City)}
                >
                  <X size={13} aria-hidden="true" />
                </IconButton>
              </dt>
              <dd>
                <MoneyText amount={line.Amount} currency={currency} />
              </dd>
            </div>
          ))}
          {quote.Discounts.map((discount) => (
            <div key={discount.Kind} className={s.discount}>
              <dt>
                {t(`order.discount.${discount.Kind}`)}
                {discount.BasisPoints > 0 && ` (${core().displayPercent(discount.BasisPoints)})`}
              </dt>
              <dd>
                −<MoneyText amount={discount.Amount} currency={currency} />
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={room.nothing}>{t('order.nothing')}</p>
      )}
      {coupon}
      {error && <Notice tone="bad">{error}</Notice>}
      {change && <Notice tone="warn">{change}</Notice>}
      <div className={room.bar} data-both={isCovered || undefined}>
        <dl className={s.total} aria-live="polite">
          <dt>{quote ? t('order.totalFor', { count: quote.Quantity }) : t('order.total')}</dt>
          <dd>
            <MoneyText amount={quote?.Total ?? '0.00'} currency={currency} />
          </dd>
        </dl>
        {isCovered && (
          <Button
            variant="primary"
            size="large"
            wide
            disabled={busy === 'order'}
            loading={busy === 'buy'}
            onClick={onBuy}
          >
            {t('order.buy')}
          </Button>
        )}
        <Button
          variant={isCovered ? 'secondary' : 'primary'}
          size="large"
          wide
          disabled={!quote || busy === 'buy'}
          loading={busy === 'order'}
          onClick={onOrder}
        >
          {t('order.place')}
        </Button>
      </div>
      {wallet && (
        <dl className={room.after}>
          <dt>{isShort ? t('order.balanceShort') : t('order.balanceAfter')}</dt>
          <dd data-short={isShort || undefined}>
            <MoneyText
              amount={
                isShort && quote ? core().shortfall(wallet.WalletBalance, quote.Total) : (after ?? wallet.WalletBalance)
              }
              currency={wallet.Currency}
            />
          </dd>
        </dl>
      )}
      <div className={room.hold}>
        {isCovered && <p>{t('order.buyHint')}</p>}
        <p>{t('order.hold', { Minutes: HOLD_MINUTES })}</p>
      </div>
      <HoldLimit />
    </aside>
  );
}
