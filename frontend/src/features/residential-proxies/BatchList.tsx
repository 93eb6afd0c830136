// All batches of purchased traffic, with what is left and their expiry.
import { CaretRight } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TrafficBatch } from '@/api/traffic';
import { SHOWN_BATCHES } from '@/core/constants.gen';
import { LoadingState } from '@/ui/Loading';
import { BatchDetail } from '@/ui/order/BatchDetail';
import { Card } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import s from './traffic.module.css';
import { useTraffic } from './useTraffic';

export function BatchList() {
  const { t } = useTranslation('residential_buy');
  const traffic = useTraffic();
  const batches = traffic.data?.Batches;
  const ended = batches?.filter((batch) => batch.IsOver) ?? [];
  return (
    <div id="batches">
      <Card title={t('batches.title')}>
        {traffic.isError && !batches && <ErrorState error={traffic.error} onRetry={() => traffic.refetch()} />}
        {traffic.isPending && <LoadingState rows={3} />}
        {batches?.length === 0 && <EmptyState title={t('batches.empty')} />}
        {batches && batches.length > 0 && (
          <>
            <p className={s.soft}>{t('batches.lead')}</p>
            <Batches batches={batches.filter((batch) => !batch.IsOver)} />
            {ended.length > 0 && (
              <details className={s.ended}>
                <summary>
                  <CaretRight size={14} aria-hidden="true" />
                  {t('batches.usedUpOrExpired', { Count: ended.length })}
                </summary>
                <Batches batches={ended} />
              </details>
            )}
            {batches.length >= SHOWN_BATCHES && (
              <p className={s.soft}>{t('batches.newest', { Count: SHOWN_BATCHES })}</p>
            )}
          </>
        )}
      </Card>
    </div>
  );
}

function Batches({ batches }: { batches: TrafficBatch[] }) {
  return (
    <ul className={s.batches}>
      {batches.map((batch) => (
        <li key={batch.BatchId}>
          <BatchDetail batch={batch}>
            <Link to={`/order?OrderId=${batch.OrderId}`}>{batch.OrderNumber}</Link>
          </BatchDetail>
        </li>
      ))}
    </ul>
  );
}
