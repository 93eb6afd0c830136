// Quote beside an order form: lines, discounts, total, balance afterwards, and the order buttons.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { type Currency, core, type Quote } from '@/core';
import { Button } from '../Button';
import { Notice } from '../Notice';
import { MoneyText } from '../texts';
import { BOTTOM_BAR } from '../useToastEdge';
import { DiscountLines } from './QuoteLines';
import s from './quote.module.css';

interface QuotePanelProps {
  currency: Currency;
  /** Undefined while nothing valid is selected. */
  quote: Pick<Quote, 'Discounts' | 'Total'> | undefined;
  /** Null until loaded. */
  wallet: Pick<Schemas['Wallet'], 'WalletBalance' | 'Currency'> | null;
  /** Lines of the quote: term and amount. */
  lines: ReactNode;
  /** Label of the total. */
  total: string;
  /** Hint while there is no quote. */
  nothing: string;
  error: string | undefined;
  /** Notice that the price has changed. */
  change: string | undefined;
  /** The action in progress. */
  busy: 'order' | 'buy' | undefined;
  /** Hint about the two buttons. */
  hints: { buy: string; order: string };
  onOrder: () => void;
  /** Pays from the wallet at once. */
  onBuy: () => void;
  /** The coupon field. */
  coupon: ReactNode;
  /** Shown below the missing amount. */
  whenShort?: ReactNode;
  /** Shown at the end. */
  foot?: ReactNode;
  children?: ReactNode;
}

export function QuotePanel({ currency, quote, wallet, busy, hints, ...panel }: QuotePanelProps) {
  const { t } = useTranslation('orders');
  const after = quote && wallet ? core().subtractMoney(wallet.WalletBalance, quote.Total) : undefined;
  const isShort = after !== undefined && core().isNegative(after);
  // An order reduced to zero needs no wallet balance.
  const isFree = after === wallet?.WalletBalance;
  const isCovered = after !== undefined && !isShort && !isFree;
  return (
    <aside className={s.quote} aria-label={t('quote.summary')}>
      <h2>{t('quote.summary')}</h2>
      {panel.children}
      {quote ? (
        <dl className={s.sums}>
          {panel.lines}
          <DiscountLines discounts={quote.Discounts} currency={currency} />
        </dl>
      ) : (
        <p className={s.nothing}>{panel.nothing}</p>
      )}
      {panel.coupon}
      {panel.error && <Notice tone="bad">{panel.error}</Notice>}
      {panel.change && <Notice tone="warn">{panel.change}</Notice>}
      <div className={s.bar} data-both={isCovered || undefined} {...BOTTOM_BAR}>
        <dl className={s.total} aria-live="polite">
          <dt>{quote ? panel.total : t('quote.total')}</dt>
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
            onClick={panel.onBuy}
          >
            {t('quote.buy')}
          </Button>
        )}
        <Button
          variant={isCovered ? 'secondary' : 'primary'}
          size="large"
          wide
          disabled={!quote || busy === 'buy'}
          loading={busy === 'order'}
          onClick={panel.onOrder}
        >
          {t('quote.place')}
        </Button>
      </div>
      {wallet && (
        <dl className={s.after}>
          <dt>{isShort ? t('quote.balanceShort') : t('quote.balanceAfter')}</dt>
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
      {isShort && panel.whenShort}
      <div className={s.hold}>
        {isCovered && <p>{hints.buy}</p>}
        <p>{hints.order}</p>
      </div>
      {panel.foot}
    </aside>
  );
}
