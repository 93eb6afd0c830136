// Tables of what customers pay then, beside what they pay now.
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import type { Prices } from '@/api/prices';
import { core } from '@/core';
import { MoneyText } from '@/ui/texts';
import s from './prices.module.css';
import { usePeriodText, useTierName, useValueText } from './priceTexts';

interface TableProps {
  now: Prices;
  then: Prices;
}

const ascending = (numbers: number[]) => [...new Set(numbers)].sort((one, other) => one - other);

/** What this many IPs cost; undefined if they are not offered. */
function totalOf(catalogue: Schemas['Catalogue'], verStr: string, periodDays: number, quantity: number) {
  try {
    return core().estimate(verStr, periodDays, quantity, catalogue).Total;
  } catch {
    return undefined;
  }
}

export function StaticPreview({ now, then }: TableProps) {
  const { t } = useTranslation('prices');
  const period = usePeriodText();
  const tierName = useTierName(now);
  const valueText = useValueText(now);
  const saleText = (isSold: boolean) => t(isSold ? 'sale.on' : 'sale.off');
  const both = [now.Catalogue, then.Catalogue];
  const periods = ascending(both.flatMap(({ Periods }) => Periods.map(({ PeriodDays }) => PeriodDays)));
  const quantities = ascending([
    1,
    ...both.flatMap(({ QuantitySteps }) => QuantitySteps.map(({ MinQuantity }) => MinQuantity)),
  ]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide content must be scrollable by keyboard
    <section className={s.scroll} tabIndex={0} aria-label={t('preview.title')}>
      <table className={`${s.table} ${s.preview}`}>
        <caption className="visually-hidden">{t('preview.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('periods.period')}</th>
            {quantities.map((count) => (
              <th key={count} scope="col">
                {t('ips', { count })}
              </th>
            ))}
          </tr>
        </thead>
        {then.Catalogue.Tiers.map((tier) => {
          const { VerStr, IsSold } = tier;
          const before = now.Catalogue.Tiers.find((one) => one.VerStr === VerStr);
          const wasSold = before?.IsSold === true;
          const limitTexts = { before: valueText({ limits: before ?? tier }), after: valueText({ limits: tier }) };
          const isLimited = [before, tier].some((one) => one?.MaxConnections || one?.MaxMegabits);
          return (
            <tbody key={VerStr}>
              <tr className={s.group}>
                <th scope="rowgroup" colSpan={quantities.length + 1}>
                  <span className={s.change}>
                    {tierName(VerStr)}{' '}
                    <span className={s.sale}>
                      <Changed now={saleText(wasSold)} then={saleText(IsSold)} isSame={wasSold === IsSold} />
                      {IsSold && isLimited && (
                        <>
                          {' · '}
                          <Changed
                            now={limitTexts.before}
                            then={limitTexts.after}
                            isSame={limitTexts.before === limitTexts.after}
                          />
                        </>
                      )}
                    </span>
                  </span>
                </th>
              </tr>
              {/* Customers see no price of a plan that is not on sale. */}
              {IsSold &&
                periods.map((days) => (
                  <tr key={days}>
                    <th scope="row">{period(days)}</th>
                    {quantities.map((quantity) => {
                      const total = totalOf(then.Catalogue, VerStr, days, quantity);
                      return (
                        <td key={quantity}>
                          <Paid
                            now={wasSold ? totalOf(now.Catalogue, VerStr, days, quantity) : total}
                            then={total}
                            currency={now.Catalogue.Currency}
                          />
                        </td>
                      );
                    })}
                  </tr>
                ))}
            </tbody>
          );
        })}
      </table>
    </section>
  );
}

export function TrafficPreview({ now, then }: TableProps) {
  const { t } = useTranslation('prices');
  const period = usePeriodText();
  const both = [...now.Traffic.Offers, ...then.Traffic.Offers];
  const priceOf = ({ Traffic }: Prices, days: number, gigabytes: number) =>
    Traffic.Offers.find(({ PeriodDays }) => PeriodDays === days)?.Steps.find(
      ({ MinGigabytes }) => MinGigabytes === gigabytes,
    )?.Price;
  if (both.length === 0) return <p>{t('preview.noTraffic')}</p>;
  return (
    <table className={`${s.table} ${s.preview}`}>
      <caption className="visually-hidden">{t('preview.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('traffic.order')}</th>
          <th scope="col">{t('traffic.price')}</th>
        </tr>
      </thead>
      {[...new Set(both.map(({ PeriodDays }) => PeriodDays))].map((days) => {
        const steps = both.filter(({ PeriodDays }) => PeriodDays === days).flatMap(({ Steps }) => Steps);
        return (
          <tbody key={days}>
            <tr className={s.group}>
              <th scope="rowgroup" colSpan={2}>
                {period(days)}
              </th>
            </tr>
            {ascending(steps.map(({ MinGigabytes }) => MinGigabytes)).map((gigabytes) => (
              <tr key={gigabytes}>
                <th scope="row">{t('fromGb', { Count: gigabytes })}</th>
                <td>
                  <Paid
                    now={priceOf(now, days, gigabytes)}
                    then={priceOf(then, days, gigabytes)}
                    currency={now.Traffic.Currency}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        );
      })}
    </table>
  );
}

interface PaidProps {
  now: string | undefined;
  then: string | undefined;
  currency: Schemas['Currency'];
}

/** A price, and today's struck through if it is another. */
function Paid({ now, then, currency }: PaidProps) {
  const { t } = useTranslation('prices');
  const money = (amount: string | undefined) =>
    amount === undefined ? <span>{t('notOffered')}</span> : <MoneyText amount={amount} currency={currency} />;
  return <Changed now={money(now)} then={money(then)} isSame={now === then} />;
}

interface ChangedProps {
  now: ReactNode;
  then: ReactNode;
  isSame: boolean;
}

/** What will be, with today's struck through if it is another. */
function Changed({ now, then, isSame }: ChangedProps) {
  const { t } = useTranslation('prices');
  if (isSame) return then;
  return (
    <Fragment>
      <strong className={s.marked}>{then}</strong>{' '}
      <s className={s.before}>
        <span className="visually-hidden">{t('preview.before')} </span>
        {now}
      </s>
    </Fragment>
  );
}
