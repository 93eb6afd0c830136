// A delivery: request, attempts with responses, and resend.
import { PaperPlaneTilt } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCall } from '@/api/useCall';
import { useRefetch } from '@/api/useRefetch';
import {
  type AttemptView,
  type DeliveryDetail,
  deliveryQuery,
  resendDelivery,
  SENDING,
  type WebhookView,
} from '@/api/webhooks';
import { Button } from '@/ui/Button';
import { CodeBlock } from '@/ui/CopyButton';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { DeliveryBadge, Outcome } from './Outcome';
import s from './webhooks.module.css';

/** Polling interval while an attempt is due. */
const LOOK_AGAIN_MS = 1_000;

/** Whether an attempt is due now. */
function isAboutToBeSent(detail: DeliveryDetail): boolean {
  const { NextAttemptAt } = detail.Delivery;
  return Boolean(NextAttemptAt) && new Date(String(NextAttemptAt).replace(' ', 'T')).getTime() <= Date.now() + 1_000;
}

interface DeliveryDialogProps {
  deliveryId: number;
  webhooks: WebhookView[];
  onClose: () => void;
}

export function DeliveryDialog({ deliveryId, webhooks, onClose }: DeliveryDialogProps) {
  const { t } = useTranslation(['webhooks', 'common']);
  const refetch = useRefetch(SENDING);
  const resend = useCall(resendDelivery);
  const query = useQuery({
    ...deliveryQuery(deliveryId),
    refetchInterval: ({ state }) => (state.data && isAboutToBeSent(state.data) ? LOOK_AGAIN_MS : false),
  });
  const detail = query.data;
  const webhook = webhooks.find((one) => one.WebhookId === detail?.Delivery.WebhookId);
  const isOff = webhook !== undefined && webhook.State !== 'enabled';
  const close = () => {
    refetch();
    onClose();
  };
  return (
    <Dialog
      open
      wide
      onClose={close}
      title={detail ? t(`event.${detail.Delivery.Kind}`) : t('panel.title')}
      actions={
        <>
          <Button
            icon={<PaperPlaneTilt size={16} />}
            disabled={!detail || isOff || isAboutToBeSent(detail)}
            loading={resend.isBusy}
            onClick={() => resend.run({ DeliveryId: deliveryId }, () => showToast(t('panel.resent'), 'success'))}
          >
            {t('panel.resend')}
          </Button>
          <Button variant="primary" onClick={close}>
            {t('common:done')}
          </Button>
        </>
      }
    >
      {query.isPending && <LoadingState rows={6} />}
      {query.isError && !detail && <ErrorState error={query.error} onRetry={() => query.refetch()} />}
      {detail && (
        <div className={s.panel}>
          {isOff && <Notice>{t('panel.off')}</Notice>}
          <Facts detail={detail} />
          {detail.Attempts.length === 0 && isAboutToBeSent(detail) && <Notice>{t('panel.waiting')}</Notice>}
          {detail.Attempts.map((attempt, index) => (
            <Attempt
              key={attempt.AttemptedAt + String(detail.Attempts.length - index)}
              attempt={attempt}
              number={detail.Delivery.Attempts - index}
              body={detail.Body}
              isOpen={index === 0}
            />
          ))}
          {detail.Attempts.length === 0 && <Part title={t('panel.requestBody')} text={pretty(detail.Body)} />}
        </div>
      )}
    </Dialog>
  );
}

function Facts({ detail: { Delivery, Url, IsOfShop } }: { detail: DeliveryDetail }) {
  const { t } = useTranslation('webhooks');
  return (
    <dl className={s.list}>
      <div>
        <dt>{t('deliveries.stateTitle')}</dt>
        <dd>
          <DeliveryBadge state={Delivery.State} />
        </dd>
      </div>
      <div>
        <dt>{t('deliveries.time')}</dt>
        <dd>
          <DateText value={Delivery.CreatedAt} />
        </dd>
      </div>
      {Delivery.NextAttemptAt && (
        <div>
          <dt>{t('deliveries.next')}</dt>
          <dd>
            <DateText value={Delivery.NextAttemptAt} />
          </dd>
        </div>
      )}
      {IsOfShop && (
        <div data-wide>
          <dt>{t('panel.eventsOf')}</dt>
          <dd>{t('form.shop')}</dd>
        </div>
      )}
      <div data-wide>
        <dt>{t('panel.messageId')}</dt>
        <dd>
          <code>{Delivery.MessageId}</code>
        </dd>
      </div>
      <div data-wide>
        <dt>{t('panel.sentTo')}</dt>
        <dd>
          <code>{Url}</code>
        </dd>
      </div>
    </dl>
  );
}

interface AttemptProps {
  attempt: AttemptView;
  number: number;
  body: string;
  isOpen: boolean;
}

function Attempt({ attempt, number, body, isOpen }: AttemptProps) {
  const { t } = useTranslation('webhooks');
  return (
    <details className={s.attempt} open={isOpen}>
      <summary>
        <strong>{t('panel.attempt', { Number: number })}</strong>
        <Outcome status={attempt.Status} problem={attempt.Problem} />
        <DateText value={attempt.AttemptedAt} />
        <span className={s.soft}>{t('deliveries.ms', { Ms: attempt.DurationMs })}</span>
      </summary>
      <div className={s.parts}>
        <Part title={t('panel.requestHeaders')} text={headerText(attempt.RequestHeaders)} />
        <Part title={t('panel.requestBody')} text={pretty(body)} />
        {attempt.Status ? (
          <>
            <Part title={t('panel.responseHeaders')} text={headerText(attempt.AnswerHeaders)} />
            <Part title={t('panel.responseBody')} text={attempt.Answer || t('panel.emptyResponse')} />
          </>
        ) : (
          <p className={s.soft}>{t('panel.noResponse')}</p>
        )}
      </div>
    </details>
  );
}

function Part({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation();
  return (
    <div className={s.part}>
      <h3>{title}</h3>
      <CodeBlock text={text} label={title} copyLabel={t('labelled', { Label: t('copy'), Value: title })} />
    </div>
  );
}

const headerText = (headers: AttemptView['RequestHeaders']) =>
  headers.map(({ Name, Value }) => `${Name}: ${Value}`).join('\n');

/** Formatted for reading; the signature covers the original text. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
