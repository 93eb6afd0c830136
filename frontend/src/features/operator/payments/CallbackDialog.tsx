// One callback: what came of it, where it came from, and the beginning of its body.
import { useTranslation } from 'react-i18next';
import type { Callback } from '@/api/operatorPayments';
import { PaymentMethod, Verdict } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { CodeBlock } from '@/ui/CopyButton';
import { Notice, type Tone } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Copied } from '@/ui/Secret';
import { Badge } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { OrderLink, PaymentLink } from './links';
import s from './payments.module.css';

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

export function CallbackDialog({ callback, onClose }: { callback: Callback; onClose: () => void }) {
  const { t } = useTranslation(['payments', 'orders', 'common']);
  const senderText = useSenderText();
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
          <dd>
            <DateText value={JudgedAt} />
          </dd>
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
        <h3>{t('callbacks.beginning')}</h3>
        <CodeBlock text={Beginning} label={t('callbacks.beginning')} copyLabel={t('callbacks.copyBody')} />
      </div>
    </Dialog>
  );
}
