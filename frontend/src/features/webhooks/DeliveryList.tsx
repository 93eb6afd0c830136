// Deliveries of the account: event, endpoint, time and outcome.
import { ArrowsClockwise } from '@phosphor-icons/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { useRefetch } from '@/api/useRefetch';
import { DELIVERIES, type DeliveryView, loadDeliveries, SENDING, type WebhookView } from '@/api/webhooks';
import { DeliveryState, WEBHOOK_DELIVERIES_KEPT_DAYS } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { DeliveryBadge, Outcome } from './Outcome';
import s from './webhooks.module.css';

/** The open delivery, kept in the address. */
export const OPENED = 'DeliveryId';

export function DeliveryList({ webhooks }: { webhooks: WebhookView[] }) {
  const { t } = useTranslation(['webhooks', 'common']);
  const refetch = useRefetch(SENDING);
  const [{ WebhookId, State }, change] = useFilters(['WebhookId', 'State']);
  const urls = useMemo(() => new Map(webhooks.map((webhook) => [webhook.WebhookId, webhook.Url])), [webhooks]);
  const columns = useMemo<Column<DeliveryView>[]>(
    () => [
      { field: 'Kind', title: t('deliveries.event'), width: 212, flex: 1, cell: (row) => <EventLink row={row} /> },
      {
        field: 'CreatedAt',
        title: t('deliveries.time'),
        width: 172,
        cell: (row) => <DateText value={row.CreatedAt} />,
      },
      {
        field: 'WebhookId',
        title: t('deliveries.webhook'),
        width: 104,
        flex: 1,
        cell: (row) => <Address url={urls.get(row.WebhookId)} />,
      },
      {
        field: 'State',
        title: t('deliveries.stateTitle'),
        width: 128,
        cell: (row) => <DeliveryBadge state={row.State} />,
      },
      {
        field: 'Status',
        title: t('deliveries.status'),
        width: 140,
        flex: 1,
        cell: (row) => <LastOutcome row={row} />,
      },
      {
        field: 'DurationMs',
        title: t('deliveries.duration'),
        width: 104,
        align: 'right',
        cell: (row) => <Duration ms={row.DurationMs} />,
      },
      {
        field: 'Attempts',
        title: t('deliveries.attempts'),
        width: 108,
        align: 'right',
        cell: (row) => <span className={s.number}>{row.Attempts}</span>,
      },
      {
        field: 'NextAttemptAt',
        title: t('deliveries.next'),
        width: 172,
        cell: (row) => <DateText value={row.NextAttemptAt} />,
      },
    ],
    [t, urls],
  );
  return (
    <section className={s.log}>
      <div className={s.logHead}>
        <div>
          <h2>{t('deliveries.title')}</h2>
          <p className={s.soft}>{t('deliveries.lead', { Days: WEBHOOK_DELIVERIES_KEPT_DAYS })}</p>
        </div>
        <Button size="small" icon={<ArrowsClockwise size={15} />} onClick={refetch}>
          {t('deliveries.refresh')}
        </Button>
      </div>
      <DataGrid<DeliveryView>
        name={DELIVERIES}
        label={t('deliveries.title')}
        columns={columns}
        rowId={(row) => String(row.DeliveryId)}
        filters={{ WebhookId, State }}
        visibleRows={10}
        load={loadDeliveries({
          Filter: { ...(WebhookId && { WebhookId: Number(WebhookId) }), ...(State && { State }) },
        })}
        toolbar={
          <>
            <SelectField
              label={t('deliveries.webhook')}
              hideLabel
              value={WebhookId}
              onChange={(event) => change({ WebhookId: event.target.value })}
            >
              <option value="">{t('deliveries.allWebhooks')}</option>
              {webhooks.map((webhook) => (
                <option key={webhook.WebhookId} value={webhook.WebhookId}>
                  {webhook.Description || webhook.Url}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('deliveries.stateTitle')}
              hideLabel
              value={State}
              onChange={(event) => change({ State: event.target.value })}
            >
              <option value="">{t('deliveries.allStates')}</option>
              {Object.values(DeliveryState).map((state) => (
                <option key={state} value={state}>
                  {t(`delivery.${state}`)}
                </option>
              ))}
            </SelectField>
          </>
        }
        card={(row) => (
          <RowCard>
            <RowLine>
              <EventLink row={row} />
              <DeliveryBadge state={row.State} />
            </RowLine>
            <RowLine soft>
              <Address url={urls.get(row.WebhookId)} />
              <LastOutcome row={row} />
            </RowLine>
            <RowLine soft>
              <DateText value={row.CreatedAt} />
              <Duration ms={row.DurationMs} />
            </RowLine>
          </RowCard>
        )}
        empty={<EmptyState title={t('deliveries.none')}>{t('deliveries.noneHint')}</EmptyState>}
      />
    </section>
  );
}

function EventLink({ row }: { row: DeliveryView }) {
  const { t } = useTranslation('webhooks');
  const [parameters] = useSearchParams();
  const opened = new URLSearchParams(parameters);
  opened.set(OPENED, String(row.DeliveryId));
  const name = t(`event.${row.Kind}`);
  return (
    <Link
      className={s.ellipsis}
      to={`?${opened}`}
      preventScrollReset
      aria-label={t('deliveries.open', { Event: name, Time: row.CreatedAt })}
    >
      {name}
    </Link>
  );
}

function Address({ url }: { url: string | undefined }) {
  return (
    <code className={s.ellipsis} title={url}>
      {url ?? '–'}
    </code>
  );
}

function LastOutcome({ row }: { row: DeliveryView }) {
  if (!row.LastAttemptAt) return <span className={s.soft}>–</span>;
  return <Outcome status={row.Status} problem={row.Problem} />;
}

function Duration({ ms }: { ms: DeliveryView['DurationMs'] }) {
  const { t } = useTranslation('webhooks');
  if (ms === undefined || ms === null) return <span className={s.soft}>–</span>;
  return <span className={s.number}>{t('deliveries.ms', { Ms: ms })}</span>;
}
