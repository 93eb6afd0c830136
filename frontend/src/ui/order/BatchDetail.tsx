// A batch of residential traffic: how much is used and left, and its expiry.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrafficBatch } from '@/api/traffic';
import { screenRules } from '@/core';
import { Meter } from '@/ui/Meter';
import type { Tone } from '@/ui/Notice';
import { Badge } from '@/ui/State';
import { DateText, dayOf, UntilText } from '@/ui/texts';
import s from './batch.module.css';

interface BatchDetailProps {
  batch: TrafficBatch;
  /** Beside the amount bought. */
  children?: ReactNode;
}

export function BatchDetail({ batch, children }: BatchDetailProps) {
  const { t } = useTranslation('residential_buy');
  const bytes = (amount: number) => screenRules().displayBytes(amount);
  const [tone, state]: [Tone, 'ended' | 'expiresSoon' | 'running'] = batch.IsOver
    ? ['neutral', 'ended']
    : batch.EndsSoon
      ? ['warn', 'expiresSoon']
      : ['good', 'running'];
  return (
    <div className={s.batch} data-over={batch.IsOver || undefined}>
      <div className={s.head}>
        <span>
          <strong>{bytes(batch.BoughtBytes)}</strong> {children}
        </span>
        <Badge tone={tone}>{t(`batches.state.${state}`)}</Badge>
      </div>
      <Meter
        used={batch.UsedBytes}
        of={batch.BoughtBytes}
        label={t('summary.meter', { Used: bytes(batch.UsedBytes), Bought: bytes(batch.BoughtBytes) })}
      />
      <dl className={s.facts}>
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
    </div>
  );
}

/** An expiry in the past is not highlighted; the order has the time. */
function End({ at, isOver }: { at: string; isOver: boolean }) {
  return isOver ? <DateText value={dayOf(at)} /> : <UntilText value={at} />;
}
