// One callback: what came of it, where it came from, the beginning of its body, and how to process it again.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { type Callback, replayCallback } from '@/api/operatorPayments';
import { useCall } from '@/api/useCall';
import { PaymentMethod, Verdict } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { CodeBlock } from '@/ui/CopyButton';
import { Notice, type Tone } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Copied } from '@/ui/Secret';
import { Badge } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { OrderLink, PaymentLink } from './links';
import s from './payments.module.css';

type Replayed = Schemas['CallbackReplayed'];

function toneOf({ Verdict: verdict, IsRefused }: Callback): Tone {
  if (verdict === Verdict.Settle) return 'good';
  return IsRefused || verdict === Verdict.CreditWallet ? 'warn' : 'neutral';
}

/** What came of a callback, in words. */
export function CallbackVerdict({ callback }: { callback: Callback }) {
  const { t } = useTranslation('orders');
  return <Badge tone={toneOf(callback)}>{t(`verdict.${callback.Verdict ?? 'none'}`)}</Badge>;
}

/** Who sent a callback. The confirmation of a transfer has no sender: an operator gave it. */
export function useSenderText() {
  const { t } = useTranslation('payments');
  return ({ Gateway, Sender }: Callback): string =>
    Sender || (Gateway === PaymentMethod.Transfer ? t('callbacks.operator') : '–');
}

export function CallbackDialog({ callback: listed, onClose }: { callback: Callback; onClose: () => void }) {
  const { t } = useTranslation(['payments', 'orders', 'common']);
  const senderText = useSenderText();
  const may = useMay();
  const [replayed, setReplayed] = useState<Replayed>();
  const callback = { ...listed, ...replayed };
  const { Gateway, OrderNumber, PaymentId, ReceivedAt, JudgedAt, SizeBytes, Sha256, Beginning } = callback;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('callbacks.one', { Gateway: t(`orders:method.${Gateway}`) })}
      actions={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      <div className={s.form}>
        {callback.Verdict === Verdict.BadSignature && <Notice tone="warn">{t('callbacks.untrusted')}</Notice>}
        <dl className={s.facts}>
          <dt>{t('callbacks.verdict')}</dt>
          <dd>
            <CallbackVerdict callback={callback} />
          </dd>
          <dt>{t('callbacks.received')}</dt>
          <dd>
            <DateText value={ReceivedAt} />
          </dd>
          <dt>{t('callbacks.judged')}</dt>
          <dd>{replayed ? t('callbacks.judgedNow') : <DateText value={JudgedAt} />}</dd>
          <dt>{t('order')}</dt>
          <dd>{OrderNumber ? <OrderLink number={OrderNumber} /> : '–'}</dd>
          <dt>{t('payment')}</dt>
          <dd>{PaymentId ? <PaymentLink id={PaymentId} /> : '–'}</dd>
          <dt>{t('callbacks.sender')}</dt>
          <dd>{senderText(callback)}</dd>
          <dt>{t('callbacks.size')}</dt>
          <dd>{t('orders:operator.callbackSize', { count: SizeBytes })}</dd>
          <dt>{t('callbacks.checksum')}</dt>
          <dd>
            <Copied text={Sha256} label={t('callbacks.copyChecksum')} />
          </dd>
        </dl>
        {listed.CanReplay && may('Operator/ReplayCallback') && (
          <Replay callback={listed} replayed={replayed} onReplayed={setReplayed} />
        )}
        <h3>{t('callbacks.beginning')}</h3>
        <CodeBlock text={Beginning} label={t('callbacks.beginning')} copyLabel={t('callbacks.copyBody')} />
      </div>
    </Dialog>
  );
}

interface ReplayProps {
  callback: Callback;
  replayed: Replayed | undefined;
  onReplayed: (replayed: Replayed) => void;
}

/** Processes the callback again, and says what came of it; once more, as long as it is refused. */
function Replay({ callback: { CallbackId }, replayed, onReplayed }: ReplayProps) {
  const { t } = useTranslation(['payments', 'orders']);
  const call = useCall(replayCallback, { silent: true });
  const Verdict = replayed && t(`orders:verdict.${replayed.Verdict}`);
  return (
    <div className={s.replay}>
      {replayed ? (
        <Notice tone={replayed.IsRefused ? 'warn' : 'good'}>
          {t(replayed.IsRefused ? 'callbacks.againRefused' : 'callbacks.againAccepted', { Verdict })}
        </Notice>
      ) : (
        <p className={s.soft}>{t('callbacks.againHint')}</p>
      )}
      {call.message && <Notice tone="bad">{call.message}</Notice>}
      {replayed?.IsRefused !== false && (
        <div>
          <Button loading={call.isBusy} onClick={() => call.run({ CallbackId }, onReplayed)}>
            {t('callbacks.again')}
          </Button>
        </div>
      )}
    </div>
  );
}
