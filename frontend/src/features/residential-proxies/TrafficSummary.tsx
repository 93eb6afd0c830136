// The account's residential traffic: left, used, expiring soon, and the automatic reorder.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TrafficView } from '@/api/traffic';
import { screenRules } from '@/core';
import { ButtonLink } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Meter } from '@/ui/Meter';
import { Notice } from '@/ui/Notice';
import { Card, Stat } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { UntilText } from '@/ui/texts';
import { Reorder } from './Reorder';
import s from './traffic.module.css';
import { useTraffic } from './useTraffic';

const ORDER = '/residential-proxies/order';
/** Maximum number of active batches shown; the order screen lists all of them. */
const MOST_BATCHES = 3;

export function TrafficSummary() {
  const { t } = useTranslation('residential_buy');
  const traffic = useTraffic();
  const data = traffic.data;
  return (
    <Card
      title={t('summary.title')}
      aside={
        <ButtonLink to={ORDER} variant="primary" size="small">
          {t('summary.buy')}
        </ButtonLink>
      }
    >
      {traffic.isError && !data && <ErrorState error={traffic.error} onRetry={() => traffic.refetch()} />}
      {traffic.isPending && <LoadingState rows={3} />}
      {data && data.Batches.length === 0 && (
        <div className={s.nothing}>
          <EmptyState title={t('summary.empty')}>{t('summary.emptyHint')}</EmptyState>
        </div>
      )}
      {data && data.Batches.length > 0 && <Overview traffic={data} />}
    </Card>
  );
}

function Overview({ traffic }: { traffic: TrafficView }) {
  const { t } = useTranslation('residential_buy');
  const bytes = (amount: number) => screenRules().displayBytes(amount);
  const running = traffic.Batches.filter((batch) => !batch.IsOver);
  return (
    <div className={s.summary}>
      {traffic.LeftBytes === 0 && <Notice tone="bad">{t('summary.usedUp')}</Notice>}
      <div className={s.figures}>
        <div className={s.left}>
          <Stat label={t('summary.left')}>{bytes(traffic.LeftBytes)}</Stat>
          {traffic.BoughtBytes > 0 && (
            <>
              <Meter
                used={traffic.UsedBytes}
                of={traffic.BoughtBytes}
                label={t('summary.meter', {
                  Used: bytes(traffic.UsedBytes),
                  Bought: bytes(traffic.BoughtBytes),
                })}
              />
              <span className={s.meterLine}>
                <span className={s.soft}>
                  {t('summary.meter', { Used: bytes(traffic.UsedBytes), Bought: bytes(traffic.BoughtBytes) })}
                </span>
                <Link to={`${ORDER}#batches`}>{t('summary.all')}</Link>
              </span>
            </>
          )}
        </div>
        {running.length > 0 && (
          <ul className={s.running}>
            {running.slice(0, MOST_BATCHES).map((batch) => (
              <li key={batch.BatchId}>
                <strong>{bytes(batch.LeftBytes)}</strong>
                <span className={s.soft}>
                  {batch.EndsAt
                    ? fillText((marks) => t('summary.expires', marks), { Time: <UntilText value={batch.EndsAt} /> })
                    : t('never')}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {traffic.OverdraftBytes > 0 && (
        <p className={s.soft}>{t('summary.overdraftHint', { Bytes: bytes(traffic.OverdraftBytes) })}</p>
      )}
      <Reorder traffic={traffic} />
    </div>
  );
}
