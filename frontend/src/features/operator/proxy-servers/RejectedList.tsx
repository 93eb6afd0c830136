// Rejected usage records: server, reason and raw content.
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { loadRejected, proxyServersQuery } from '@/api/operator';
import { MAX_RECORD_BYTES, RECORD_ID_MAX_LENGTH, RECORD_LATE_DAYS, UsageRejection } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { bytesText } from '@/ui/bytes';
import { CodeBlock } from '@/ui/CopyButton';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { Dialog } from '@/ui/Overlay';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import s from './proxy-servers.module.css';

type Rejected = Schemas['RejectedUsage'];

/** Polling interval, so that new rejected records appear soon. */
const POLL_MS = 5_000;
const REASONS = Object.values(UsageRejection);

export function RejectedList() {
  const { t, i18n } = useTranslation('proxy_servers');
  const [{ ServerId, Reason }, change] = useFilters(['ServerId', 'Reason']);
  const servers = useQuery(proxyServersQuery);
  const [opened, setOpened] = useState<Rejected>();
  const count = useCallback((times: number) => new Intl.NumberFormat(i18n.language).format(times), [i18n.language]);
  const record = useCallback(
    (rejected: Rejected) =>
      rejected.Record ? (
        <button type="button" className={s.record} onClick={() => setOpened(rejected)} title={t('rejected.open')}>
          <code>{rejected.Record}</code>
        </button>
      ) : (
        <span className={s.soft}>{t('rejected.others')}</span>
      ),
    [t],
  );
  const columns = useMemo<Column<Rejected>[]>(
    () => [
      {
        field: 'ReceivedAt',
        title: t('rejected.received'),
        width: 190,
        sortable: true,
        cell: (row) => <DateText value={row.ReceivedAt} />,
      },
      { field: 'ServerName', title: t('rejected.server'), width: 160, cell: (row) => row.ServerName },
      { field: 'Reason', title: t('rejected.reason'), width: 250, cell: (row) => t(`reason.${row.Reason}`) },
      { field: 'Record', title: t('rejected.record'), width: 420, flex: 1, cell: record },
      { field: 'Times', title: t('rejected.times'), width: 110, align: 'right', cell: (row) => count(row.Times) },
    ],
    [t, record, count],
  );
  return (
    <>
      <DataGrid<Rejected>
        name="rejected-usage"
        label={t('view.rejected')}
        columns={columns}
        rowId={(row) => String(row.RejectedId)}
        filters={{ ServerId, Reason }}
        refetchInterval={POLL_MS}
        load={loadRejected({
          Filter: { ...(ServerId && { ServerId: Number(ServerId) }), ...(Reason && { Reason }) },
        })}
        toolbar={
          <>
            <SelectField
              label={t('rejected.server')}
              hideLabel
              value={ServerId}
              onChange={(event) => change({ ServerId: event.target.value })}
            >
              <option value="">{t('rejected.allServers')}</option>
              {servers.data?.map((server) => (
                <option key={server.ServerId} value={server.ServerId}>
                  {server.Name}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('rejected.reason')}
              hideLabel
              value={Reason}
              onChange={(event) => change({ Reason: event.target.value })}
            >
              <option value="">{t('rejected.allReasons')}</option>
              {REASONS.map((reason) => (
                <option key={reason} value={reason}>
                  {t(`reason.${reason}`)}
                </option>
              ))}
            </SelectField>
          </>
        }
        card={(row) => (
          <RowCard className={s.row}>
            <RowLine>
              <strong>{t(`reason.${row.Reason}`)}</strong>
              <span>{t('rejected.came', { count: row.Times })}</span>
            </RowLine>
            <RowLine wrap>{record(row)}</RowLine>
            <RowLine soft wrap>
              <span>{row.ServerName}</span>
              <DateText value={row.ReceivedAt} />
            </RowLine>
          </RowCard>
        )}
        empty={<EmptyState title={t('rejected.none')}>{t('rejected.noneHint')}</EmptyState>}
      />
      {opened && <RecordDialog rejected={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function RecordDialog({ rejected, onClose }: { rejected: Rejected; onClose: () => void }) {
  const { t, i18n } = useTranslation(['proxy_servers', 'common']);
  const bounds = {
    IdLength: RECORD_ID_MAX_LENGTH,
    MaxBytes: bytesText(MAX_RECORD_BYTES, i18n.language),
    Days: RECORD_LATE_DAYS,
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t(`reason.${rejected.Reason}`)}
      actions={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      <div className={s.form}>
        <p>{t(`advice.${rejected.Reason}`, bounds)}</p>
        <dl className={s.facts}>
          <dt>{t('rejected.server')}</dt>
          <dd>{rejected.ServerName}</dd>
          <dt>{t('rejected.received')}</dt>
          <dd>
            <DateText value={rejected.ReceivedAt} />
          </dd>
          <dt>{t('rejected.times')}</dt>
          <dd>{rejected.Times}</dd>
        </dl>
        <CodeBlock text={readable(rejected.Record)} label={t('rejected.record')} copyLabel={t('rejected.copy')} />
      </div>
    </Dialog>
  );
}

/** Pretty-printed, if it is complete JSON. */
function readable(record: string): string {
  try {
    return JSON.stringify(JSON.parse(record), null, 2);
  } catch {
    return record;
  }
}
