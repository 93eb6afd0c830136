// Compares the tiers: resources, and prices for a quantity by period.
import { Check, Minus } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { DEDICATED_NODE_TYPE } from '@/core/constants.gen';
import { useResellerDiscount } from '@/stores/user';
import { SegmentedControl } from '@/ui/Controls';
import { Card } from '@/ui/Page';
import { MoneyText } from '@/ui/texts';
import { useLimitTexts } from '@/ui/useLimitTexts';
import { useTierTexts } from '../tierTexts';
import local from './buy.module.css';
import { estimate } from './estimate';

/** What one IP may carry. */
const LIMITS = [
  { key: 'MaxConnections', title: 'pricing.connections' },
  { key: 'MaxMegabits', title: 'pricing.bandwidth' },
] as const;

/** `catalogue`: with the tiers on sale only. */
export function Comparison({ catalogue }: { catalogue: Schemas['Catalogue'] }) {
  const { t } = useTranslation('static_residential_proxies');
  const texts = useTierTexts();
  const limitTexts = useLimitTexts();
  const terms = { ResellerBasisPoints: useResellerDiscount() };
  const [quantity, setQuantity] = useState(1);
  const steps = [{ MinQuantity: 1, DiscountBasisPoints: 0 }, ...catalogue.QuantitySteps];
  return (
    <Card title={t('pricing.compare')}>
      <div className={local.comparison}>
        <SegmentedControl
          label={t('pricing.compareFor')}
          value={quantity}
          onChange={setQuantity}
          segments={steps.map(({ MinQuantity, DiscountBasisPoints }) => ({
            value: MinQuantity,
            label: [t('pricing.ips', { count: MinQuantity }), discountText(DiscountBasisPoints)]
              .filter(Boolean)
              .join(' '),
          }))}
        />
        <p className={local.desc}>{t('pricing.compareLead')}</p>
        <table className={local.table}>
          <caption className="visually-hidden">{t('pricing.compare')}</caption>
          <thead>
            <tr>
              <td />
              {catalogue.Tiers.map((tier) => (
                <th key={tier.VerStr} scope="col">
                  {texts(tier).label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t('pricing.dedicated')}</th>
              {catalogue.Tiers.map((tier) => (
                <td key={tier.VerStr}>
                  <Mark isThere={tier.NodeType === DEDICATED_NODE_TYPE} />
                </td>
              ))}
            </tr>
            {LIMITS.filter(({ key }) => catalogue.Tiers.some((tier) => tier[key])).map(({ key, title }) => (
              <tr key={key}>
                <th scope="row">{t(title)}</th>
                {catalogue.Tiers.map((tier) => (
                  <td key={tier.VerStr}>{limitTexts({ [key]: tier[key] })[0] ?? t('unlimited')}</td>
                ))}
              </tr>
            ))}
            {catalogue.Periods.map(({ PeriodDays, DiscountBasisPoints }) => (
              <tr key={PeriodDays}>
                <th scope="row">
                  {t('days', { count: PeriodDays })} <small>{discountText(DiscountBasisPoints)}</small>
                </th>
                {catalogue.Tiers.map(({ VerStr }) => {
                  const quote = estimate(VerStr, PeriodDays, quantity, catalogue, terms);
                  return (
                    <td key={VerStr}>{quote ? <MoneyText amount={quote.Total} currency={quote.Currency} /> : '–'}</td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

const discountText = (basisPoints: number) => (basisPoints > 0 ? `−${core().displayPercent(basisPoints)}` : '');

function Mark({ isThere }: { isThere: boolean }) {
  const { t } = useTranslation('static_residential_proxies');
  return (
    <>
      {isThere ? (
        <Check size={18} weight="bold" className={local.tick} aria-hidden="true" />
      ) : (
        <Minus size={18} className={local.dash} aria-hidden="true" />
      )}
      <span className="visually-hidden">{t(isThere ? 'pricing.yes' : 'pricing.no')}</span>
    </>
  );
}
