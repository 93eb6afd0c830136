// Quote of an order of IPs: one removable line per city.
import { X } from '@phosphor-icons/react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { core, type Quote } from '@/core';
import { HOLD_MINUTES } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { useConfigStore } from '@/stores/config';
import { useSessionStore } from '@/stores/user';
import { IconButton } from '@/ui/Button';
import { QuotePanel as Panel } from '@/ui/order/QuotePanel';
import { TopUpMissing } from '@/ui/order/TopUpMissing';
import { DateText, dayOf, MoneyText, useNumber } from '@/ui/texts';
import { fieldInDays } from '@/ui/wireTime';
import { HoldLimit } from './HoldLimit';

type PanelProps = ComponentProps<typeof Panel>;
type Shared = 'currency' | 'error' | 'change' | 'busy' | 'onOrder' | 'onBuy' | 'coupon' | 'children';

interface QuotePanelProps extends Pick<PanelProps, Shared> {
  quote: Quote | undefined;
  /** Removes a city from the order. */
  onRemove: (city: string) => void;
}

export function QuotePanel({ quote, onRemove, ...panel }: QuotePanelProps) {
  const { t } = useTranslation('static_residential_proxies');
  const number = useNumber();
  const wallet = useSessionStore((state) => state.wallet);
  const shop = useConfigStore((state) => state.shop);
  return (
    <Panel
      {...panel}
      quote={quote}
      wallet={wallet}
      lines={
        quote && (
          <>
            {quote.Lines.map((line) => (
              <div key={line.City}>
                <dt>
                  {core().cityName(line.City, currentLanguage())} × {number(line.Quantity)}
                  <IconButton
                    size="small"
                    label={t('order.removeLine', { Place: core().cityName(line.City, currentLanguage()) })}
                    onClick={() => onRemove(line.City)}
                  >
                    <X size={13} aria-hidden="true" />
                  </IconButton>
                </dt>
                <dd>
                  <MoneyText amount={line.Amount} currency={panel.currency} />
                </dd>
              </div>
            ))}
            <div>
              <dt>{t('order.ends')}</dt>
              <dd>
                <DateText value={dayOf(fieldInDays(quote.PeriodDays))} />
              </dd>
            </div>
          </>
        )
      }
      total={t('order.totalFor', { count: quote?.Quantity ?? 0 })}
      nothing={t('order.nothing')}
      hints={{ buy: t('order.buyHint'), order: t('order.hold', { Minutes: HOLD_MINUTES }) }}
      whenShort={
        quote && wallet && shop && <TopUpMissing balance={wallet.WalletBalance} total={quote.Total} shop={shop} />
      }
      foot={<HoldLimit />}
    />
  );
}
