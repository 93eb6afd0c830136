// The account's products: a row per tier of static proxies, and one for residential traffic.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { OverviewView } from '@/api/welcome';
import { screenRules } from '@/core';
import { useCatalogue } from '@/stores/plan';
import { ButtonLink } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { Meter } from '@/ui/Meter';
import { Card } from '@/ui/Page';
import { isToCome, ProductBadges } from '@/ui/ProductBadges';
import { Badge, EmptyState } from '@/ui/State';
import { UntilText, useName } from '@/ui/texts';
import { useTrafficLeft } from './useOverview';
import s from './welcome.module.css';

const ORDER = '/static-residential-proxies/order';
const TRAFFIC_ORDER = '/residential-proxies/order';

export function OwnedProducts({ overview }: { overview: OverviewView }) {
  const { t, i18n } = useTranslation('welcome');
  const traffic = useTrafficLeft().data;
  const name = useName();
  const catalogue = useCatalogue().data;
  const number = new Intl.NumberFormat(i18n.language);
  const hasTraffic = (traffic?.Batches.length ?? 0) > 0;
  const batch = traffic?.Batches.find((one) => !one.IsOver && one.EndsAt);
  return (
    <Card
      title={t('products.title')}
      aside={
        <ButtonLink to="/billing/products" size="small">
          {t('products.all')}
        </ButtonLink>
      }
    >
      {overview.Tiers.length === 0 && traffic && !hasTraffic ? (
        <EmptyState
          title={t('products.none')}
          action={
            <span className={s.buttons}>
              <ButtonLink to={ORDER} variant="primary">
                {t('products.buyStatic')}
              </ButtonLink>
              <ButtonLink to={TRAFFIC_ORDER}>{t('products.buyTraffic')}</ButtonLink>
            </span>
          }
        >
          {t('products.noneHint')}
        </EmptyState>
      ) : (
        <ul className={s.products}>
          {overview.Tiers.map((tier) => {
            const known = catalogue?.Tiers.find((one) => one.VerStr === tier.VerStr);
            return (
              <li key={tier.VerStr}>
                <div className={s.productName}>
                  <Link to={`/static-residential-proxies/proxy-list?${new URLSearchParams({ VerStr: tier.VerStr })}`}>
                    {known ? name({ en: known.LabelEn, zh: known.LabelZh }) : tier.VerStr}
                  </Link>
                  <small>{t('products.static')}</small>
                </div>
                <div>
                  <strong>
                    {t('products.ips', { count: tier.ActiveCount, Number: number.format(tier.ActiveCount) })}
                  </strong>
                  <small>{t('products.autoRenew', { count: tier.AutoRenewCount })}</small>
                </div>
                <div className={s.productState}>
                  <ProductBadges summary={tier} />
                  {isToCome(tier.NextExpiresAt) && (
                    <small>
                      {fillText((marks) => t('products.nextExpiry', marks), {
                        Time: <UntilText value={tier.NextExpiresAt} />,
                      })}
                    </small>
                  )}
                </div>
              </li>
            );
          })}
          {traffic && hasTraffic && (
            <li>
              <div className={s.productName}>
                <Link to="/residential-proxies/users">{t('products.residential')}</Link>
                <small>{t('products.traffic')}</small>
              </div>
              <div>
                <strong>{t('products.left', { Bytes: screenRules().displayBytes(traffic.LeftBytes) })}</strong>
                <Meter
                  className={s.meter}
                  used={traffic.UsedBytes}
                  of={traffic.BoughtBytes}
                  label={t('products.used', {
                    Used: screenRules().displayBytes(traffic.UsedBytes),
                    Bought: screenRules().displayBytes(traffic.BoughtBytes),
                  })}
                />
              </div>
              <div className={s.productState}>
                <Badge tone={traffic.LeftBytes > 0 ? 'good' : 'bad'}>
                  {t(traffic.LeftBytes > 0 ? 'products.active' : 'products.usedUp')}
                </Badge>
                {batch?.EndsAt && (
                  <small>
                    {fillText((marks) => t('products.nextExpiry', marks), { Time: <UntilText value={batch.EndsAt} /> })}
                  </small>
                )}
              </div>
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}
