// A webhook: endpoint, events, recent deliveries and actions.
import { ArrowsClockwise, DotsThree, PaperPlaneTilt, PencilSimple, Power, Trash } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { useCall } from '@/api/useCall';
import { enableWebhook, sendTestEvent, type WebhookView } from '@/api/webhooks';
import { Button, IconButton } from '@/ui/Button';
import { Notice, type Tone } from '@/ui/Notice';
import { Menu } from '@/ui/Overlay';
import { Badge } from '@/ui/State';
import { localTime, relativeTime } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { Outcome } from './Outcome';
import s from './webhooks.module.css';

/** Actions that open a dialog. */
export type Action = 'edit' | 'rotate' | 'off' | 'delete';

const TONES: Record<WebhookView['State'], Tone> = {
  enabled: 'good',
  paused: 'neutral',
  failed: 'bad',
  deleted: 'neutral',
};

interface WebhookCardProps {
  webhook: WebhookView;
  onOpenDialog: (action: Action) => void;
  onOpen: (deliveryId: number) => void;
}

export function WebhookCard({ webhook, onOpenDialog, onOpen }: WebhookCardProps) {
  const { t, i18n } = useTranslation(['webhooks', 'common']);
  const test = useCall(sendTestEvent);
  const enable = useCall(enableWebhook);
  const { WebhookId, Url, State } = webhook;
  const isOn = State === 'enabled';

  const sendTest = () => test.run({ WebhookId }, ({ DeliveryId }) => onOpen(DeliveryId));
  const switchOn = () => enable.run({ WebhookId, IsEnabled: true }, () => showToast(t('turnedOn'), 'success'));

  const chosen = webhook.Events;
  const names = chosen && new Intl.ListFormat(i18n.language).format(chosen.map((kind) => t(`event.${kind}`)));
  const now = new Date();
  // The server's clock may be ahead, but an attempt was in the past.
  const attemptedAt = webhook.LastAttemptAt && Math.min(localTime(webhook.LastAttemptAt).getTime(), now.getTime() - 1);
  return (
    <article className={s.endpoint} aria-label={Url}>
      <div className={s.endpointHead}>
        <div className={s.address}>
          <code title={Url}>{Url}</code>
          {webhook.Description && <span className={s.soft}>{webhook.Description}</span>}
        </div>
        <div className={s.buttons}>
          {isOn ? (
            <Button size="small" icon={<PaperPlaneTilt size={15} />} loading={test.isBusy} onClick={sendTest}>
              {t('action.test')}
            </Button>
          ) : (
            <Button size="small" icon={<Power size={15} />} loading={enable.isBusy} onClick={switchOn}>
              {t('action.turnOn')}
            </Button>
          )}
          <Menu
            trigger={
              <IconButton size="small" label={t('actionsOf', { Url })}>
                <DotsThree size={18} weight="bold" />
              </IconButton>
            }
            items={() => [
              {
                key: 'edit',
                label: t('action.edit'),
                icon: <PencilSimple size={17} aria-hidden="true" />,
                onSelect: () => onOpenDialog('edit'),
              },
              {
                key: 'rotate',
                label: t('action.rotate'),
                icon: <ArrowsClockwise size={17} aria-hidden="true" />,
                onSelect: () => onOpenDialog('rotate'),
              },
              ...(isOn
                ? [
                    {
                      key: 'off',
                      label: t('action.turnOff'),
                      icon: <Power size={17} aria-hidden="true" />,
                      onSelect: () => onOpenDialog('off'),
                    },
                  ]
                : []),
              {
                key: 'delete',
                label: t('action.delete'),
                icon: <Trash size={17} aria-hidden="true" />,
                danger: true,
                onSelect: () => onOpenDialog('delete'),
              },
            ]}
          />
        </div>
      </div>
      <div className={s.facts}>
        {State !== 'deleted' && <Badge tone={TONES[State]}>{t(`state.${State}`)}</Badge>}
        {webhook.IsOfShop && <Badge>{t('ofShop')}</Badge>}
        <span title={names || undefined}>
          {chosen ? t('someEvents', { count: chosen.length }) : t('allEvents')}
          {names && <span className="visually-hidden">: {names}</span>}
        </span>
        <span className={s.fact} data-last>
          <span className={s.soft}>{t('lastDelivery')}</span>
          {webhook.LastAttemptAt && attemptedAt ? (
            <>
              <time dateTime={webhook.LastAttemptAt.replace(' ', 'T')} title={webhook.LastAttemptAt}>
                {relativeTime(new Date(attemptedAt), now, i18n.language)}
              </time>
              <Outcome status={webhook.LastStatus} problem={webhook.LastProblem} />
            </>
          ) : (
            t('never')
          )}
        </span>
        {webhook.RecentAttempts > 0 && (
          <span className={s.fact} title={t('failuresHint', { Of: webhook.RecentAttempts })}>
            <span className={s.soft}>{t('failures')}</span>
            <span className={s.number}>
              {t('failuresOf', { Failed: webhook.RecentFailures, Of: webhook.RecentAttempts })}
            </span>
          </span>
        )}
      </div>
      {State === 'failed' && <Notice tone="bad">{t('failed')}</Notice>}
      {isOn && webhook.FailingSince && (
        <Notice tone="warn">{t('failing', { Time: webhook.FailingSince.slice(0, 16) })}</Notice>
      )}
      {webhook.OldSecretUntil && <Notice>{t('oldSecret', { Time: webhook.OldSecretUntil.slice(0, 16) })}</Notice>}
    </article>
  );
}
