// The traffic bought with an order: what is used and left of it.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { type TrafficBatch, trafficQuery } from '@/api/traffic';
import { loadScreenRules } from '@/core';
import { OrderState } from '@/core/constants.gen';
import { LoadingState } from '@/ui/Loading';
import { isOfTraffic } from '@/ui/order/contents';
import { Card } from '@/ui/Page';
import local from './orders.module.css';

const Batch = lazy(async () => {
  const [{ BatchDetail }] = await Promise.all([import('@/ui/order/BatchDetail'), loadScreenRules()]);
  return { default: BatchDetail };
});

/** The batch of an order, `undefined` until it is known, and `null` if there is none or it is no longer listed. */
export function useBatch(order: Schemas['OrderView'] | undefined): TrafficBatch | null | undefined {
  const isDelivered = order?.State === OrderState.Fulfilled && isOfTraffic(order);
  const traffic = useQuery({ ...trafficQuery, enabled: isDelivered });
  if (!isDelivered || traffic.isError) return null;
  if (!traffic.data) return undefined;
  return traffic.data.Batches.find((batch) => batch.OrderId === order.OrderId) ?? null;
}

export function BoughtTraffic({ batch }: { batch: TrafficBatch | undefined }) {
  const { t } = useTranslation('orders');
  const loading = <LoadingState rows={3} />;
  return (
    <Card title={t('traffic')}>
      <div className={local.traffic}>
        <Suspense fallback={loading}>{batch ? <Batch batch={batch} /> : loading}</Suspense>
      </div>
    </Card>
  );
}
