// Exchange rates of the currencies that payment methods charge besides the shop's: where they come from, and what is wrong with them.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ExchangeRate, exchangeRatesQuery } from '@/api/operatorPayments';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Notice, type Tone } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { Badge, EmptyState, ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import s from './payments.module.css';
import { SetRate } from './SetRate';

export function ExchangeRates() {
  const { t } = useTranslation('payments');
  const rates = useQuery(exchangeRatesQuery);
  const [edited, setEdited] = useState<ExchangeRate>();
  if (!rates.data) {
    return (
      <Card>
        {rates.isError ? <ErrorState error={rates.error} onRetry={() => rates.refetch()} /> : <LoadingState rows={4} />}
      </Card>
    );
  }
  if (rates.data.length === 0) return <EmptyState title={t('empty.rates')}>{t('emptyHint.rates')}</EmptyState>;
  return (
    <>
      <ul className={s.rates} aria-label={t('view.rates')}>
        {rates.data.map((rate) => (
          <li key={rate.Currency}>
            <RateCard rate={rate} onSet={() => setEdited(rate)} />
          </li>
        ))}
      </ul>
      {edited && <SetRate rate={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

const TONES = { inUse: 'good', unused: 'neutral', notOffered: 'warn', feedProblem: 'warn' } as const satisfies Record<
  string,
  Tone
>;

function conditionOf({ Methods, IsUsable, Problem }: ExchangeRate): keyof typeof TONES {
  if (Methods.length === 0) return 'unused';
  if (!IsUsable) return 'notOffered';
  return Problem ? 'feedProblem' : 'inUse';
}

function RateCard({ rate, onSet }: { rate: ExchangeRate; onSet: () => void }) {
  const { t, i18n } = useTranslation(['payments', 'orders']);
  const maySet = useMay()('Operator/SetExchangeRate');
  const { Currency, ShopCurrency, Methods, Rate, FeedUrl, Margin, SetAt } = rate;
  const condition = conditionOf(rate);
  const methods = Methods.map((one) => t(`orders:method.${one}`));
  return (
    <Card
      title={
        Rate ? t('rates.pair', { One: 1, ShopCurrency, Rate, Currency }) : t('rates.unset', { ShopCurrency, Currency })
      }
      aside={
        maySet && (
          <Button size="small" aria-label={t('rates.setOf', { Currency })} onClick={onSet}>
            {t('rates.set')}
          </Button>
        )
      }
    >
      <div className={s.form}>
        <dl className={s.facts}>
          <dt>{t('state')}</dt>
          <dd>
            <Badge tone={TONES[condition]}>{t(`rates.condition.${condition}`)}</Badge>
          </dd>
          <dt>{t('rates.methods')}</dt>
          <dd>{methods.length > 0 ? new Intl.ListFormat(i18n.language).format(methods) : '–'}</dd>
          {SetAt && (
            <>
              <dt>{t('rates.source')}</dt>
              <dd>
                {FeedUrl
                  ? t('rates.fromFeed', { Host: new URL(FeedUrl).host, Margin: Margin ?? '–' })
                  : t('rates.byHand')}
              </dd>
              <dt>{t(FeedUrl ? 'rates.fetchedAt' : 'rates.setAt')}</dt>
              <dd>
                <DateText value={SetAt} />
              </dd>
            </>
          )}
        </dl>
        <Trouble rate={rate} />
      </div>
    </Card>
  );
}

/** What is wrong with a rate, and what follows from it. */
function Trouble({ rate: { Methods, IsUsable, Problem } }: { rate: ExchangeRate }) {
  const { t } = useTranslation('payments');
  const texts = [
    Problem ? t(`rates.problem.${Problem}`) : '',
    Problem && IsUsable ? t('rates.stillUsed') : '',
    !IsUsable && Methods.length > 0 ? t('rates.notOffered') : '',
  ].filter(Boolean);
  if (texts.length === 0) return null;
  return (
    <Notice tone="warn">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Notice>
  );
}
