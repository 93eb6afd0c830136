// All batches of purchased traffic, with what is left and their expiry.
import { CaretRight } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TrafficBatch } from '@/api/traffic';
import { residential } from '@/core';
import { SHOWN_BATCHES } from '@/core/constants.gen';
import { LoadingState } from '@/ui/Loading';
import type { Tone } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { Badge, EmptyState, ErrorState } from '@/ui/State';
import { DateText, UntilText } from '@/ui/texts';
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
        {traffic.isError && !batches && <ErrorState onRetry={() => traffic.refetch()} />}
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
        <Batch key={batch.BatchId} batch={batch} />
      ))}
    </ul>
  );
}

function Batch({ batch }: { batch: TrafficBatch }) {
  const { t } = useTranslation('residential_buy');
  const bytes = (amount: number) => residential().displayBytes(amount);
  const [tone, state]: [Tone, 'ended' | 'expiresSoon' | 'running'] = batch.IsOver
    ? ['neutral', 'ended']
    : batch.EndsSoon
      ? ['warn', 'expiresSoon']
      : ['good', 'running'];
  return (
    <li data-over={batch.IsOver || undefined}>
      <div className={s.batchHead}>
        <span>
          <strong>{bytes(batch.BoughtBytes)}</strong>{' '}
          <Link to={`/order?OrderId=${batch.OrderId}`}>{batch.OrderNumber}</Link>
        </span>
        <Badge tone={tone}>{t(`batches.state.${state}`)}</Badge>
      </div>
      <progress
        className={s.meter}
        max={batch.BoughtBytes}
        value={batch.UsedBytes}
        aria-label={t('summary.meter', { Used: bytes(batch.UsedBytes), Bought: bytes(batch.BoughtBytes) })}
      />
      <dl className={s.batchFacts}>
        <div>
          <dt>{t(batch.IsOver ? 'batches.unused' : 'batches.left')}</dt>
          <dd>{bytes(batch.LeftBytes)}</dd>
        </div>
        <div>
          <dt>{t('batches.boughtOn')}</dt>
          <dd>
            <DateText value={dayOf(batch.BeginsAt)} />
          </dd>
        </div>
        <div>
          <dt>{t('batches.expires')}</dt>
          <dd>{batch.EndsAt ? <End at={batch.EndsAt} isOver={batch.IsOver} /> : t('batches.never')}</dd>
        </div>
      </dl>
    </li>
  );
}

/** The order has the time. */
const dayOf = (time: string) => time.slice(0, 10);

/** An expiry in the past is not highlighted. */
function End({ at, isOver }: { at: string; isOver: boolean }) {
  return isOver ? <DateText value={dayOf(at)} /> : <UntilText value={at} />;
}
