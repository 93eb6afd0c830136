// Residential traffic among the products: what is left, and what expires next.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { trafficQuery } from '@/api/traffic';
import { core } from '@/core';
import { ButtonLink } from '@/ui/Button';
import { Card } from '@/ui/Page';
import { Badge } from '@/ui/State';
import { UntilText } from '@/ui/texts';
import s from './billing.module.css';

/** Renders nothing if no traffic was ever bought. */
export function TrafficProduct() {
  const { t } = useTranslation(['billing', 'common']);
  const traffic = useQuery(trafficQuery).data;
  if (!traffic || traffic.Batches.length === 0) return null;
  const next = traffic.Batches.find((batch) => !batch.IsOver && batch.EndsAt);
  const isLeft = traffic.LeftBytes > 0;
  const gigabytes = (bytes: number) => t('products.traffic.gigabytes', { Count: core().formatGigabytes(bytes) });
  return (
    <Card
      title={t('products.traffic.title')}
      aside={
        <Badge tone={isLeft ? 'good' : 'neutral'}>
          {isLeft ? t('common:product.active') : t('products.traffic.usedUp')}
        </Badge>
      }
    >
      <dl className={s.facts}>
        <dt>{t('products.traffic.left')}</dt>
        <dd>{gigabytes(traffic.LeftBytes)}</dd>
        <dt>{t('products.traffic.used')}</dt>
        <dd>{gigabytes(traffic.UsedBytes)}</dd>
        <dt>{t('products.nextExpiry')}</dt>
        <dd>
          <UntilText value={next?.EndsAt ?? null} />
        </dd>
        <dt>{t('products.traffic.reorder')}</dt>
        <dd>{t(traffic.Reorder?.IsOn ? 'products.traffic.on' : 'products.traffic.off')}</dd>
      </dl>
      <div className={s.more}>
        <ButtonLink to="/residential-proxies/users">{t('products.traffic.show')}</ButtonLink>
        <ButtonLink to="/residential-proxies/order" variant="primary">
          {t('products.traffic.buy')}
        </ButtonLink>
      </div>
    </Card>
  );
}
