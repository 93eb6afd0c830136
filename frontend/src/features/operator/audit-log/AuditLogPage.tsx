// The audit log: what operators did, by action, channel, account and time, and as a file.
import { DownloadSimple, X } from '@phosphor-icons/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { AUDIT_LOG, exportAuditLog, loadAuditLog } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { useRefetch } from '@/api/useRefetch';
import { AuditChannel } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { saveFile } from '@/ui/saveFile';
import { DateText } from '@/ui/texts';
import { AuditActor, useAuditText, useChangesLine } from '../AuditChanges';
import { ACTIONS_BY_TOPIC } from './actions';
import s from './audit-log.module.css';
import { About, EntryDialog } from './EntryDialog';

type Entry = Schemas['AuditEntry'];

const IS_ID = /^[1-9]\d{0,14}$/;

export function AuditLogPage() {
  const { t } = useTranslation(['audit', 'accounts', 'orders']);
  const auditText = useAuditText();
  const changesLine = useChangesLine();
  const may = useMay();
  const call = useCall(exportAuditLog);
  const [opened, setOpened] = useState<Entry>();
  const [filters, change] = useFilters(['Search', 'Action', 'Channel', 'AccountId', 'From', 'To']);
  const { Search, Action, Channel, From, To } = filters;
  const AccountId = IS_ID.test(filters.AccountId) ? filters.AccountId : '';
  useFreshEntries();
  // Core converts the range to StartTime and EndTime in UTC.
  const asked = {
    Search,
    Filter: { Action, Channel, ...(AccountId && { AccountId: Number(AccountId) }) },
    StartAndEndTime: [From, To] as [string, string],
  };
  const changes = (entry: Entry) => (
    <button type="button" className={s.open} onClick={() => setOpened(entry)} title={t('open')}>
      {changesLine(entry) || t('details')}
    </button>
  );
  const columns: Column<Entry>[] = [
    { field: 'At', title: t('time'), width: 172, sortable: true, cell: (entry) => <DateText value={entry.At} /> },
    { field: 'Operator', title: t('who'), width: 200, flex: 1, cell: (entry) => <AuditActor entry={entry} /> },
    { field: 'Action', title: t('what'), width: 216, cell: auditText },
    { field: 'Subject', title: t('about'), width: 190, flex: 1, cell: (entry) => <About entry={entry} /> },
    { field: 'Changes', title: t('changes'), width: 220, flex: 2, cell: changes },
    { field: 'Address', title: t('address'), width: 150, optional: true, cell: (entry) => entry.Address || '–' },
  ];
  return (
    <Page
      wide
      title={t('title')}
      description={t('lead')}
      actions={
        may('Operator/ExportAuditLog') && (
          <Button
            icon={<DownloadSimple size={17} aria-hidden="true" />}
            loading={call.isBusy}
            onClick={() => call.run(asked, saveFile)}
          >
            {t('export')}
          </Button>
        )
      }
    >
      <DataGrid<Entry>
        name={AUDIT_LOG}
        label={t('title')}
        columns={columns}
        rowId={(entry) => String(entry.EntryId)}
        filters={{ ...filters, AccountId }}
        load={loadAuditLog(asked)}
        isTall
        toolbar={
          <>
            <DebouncedSearch label={t('search')} value={Search} onSearch={(text) => change({ Search: text })} />
            <SelectField
              label={t('what')}
              hideLabel
              value={Action}
              onChange={(event) => change({ Action: event.target.value })}
            >
              <option value="">{t('allActions')}</option>
              {ACTIONS_BY_TOPIC.map(({ topic, actions }) => (
                <optgroup key={topic} label={t(`topic.${topic}`)}>
                  {actions.map((action) => (
                    <option key={action} value={action}>
                      {t(`action.${action}`)}
                    </option>
                  ))}
                </optgroup>
              ))}
            </SelectField>
            <SelectField
              label={t('channelTitle')}
              hideLabel
              value={Channel}
              onChange={(event) => change({ Channel: event.target.value })}
            >
              <option value="">{t('allChannels')}</option>
              {Object.values(AuditChannel).map((channel) => (
                <option key={channel} value={channel}>
                  {t(`channel.${channel}`)}
                </option>
              ))}
            </SelectField>
            <DateRange
              label={t('range')}
              value={[From, To]}
              onChange={([from, to]) => change({ From: from, To: to })}
            />
            {AccountId && (
              <Button
                icon={<X size={14} aria-hidden="true" />}
                title={t('removeAccount')}
                onClick={() => change({ AccountId: '' })}
              >
                {t('onlyAccount', { AccountId })}
              </Button>
            )}
          </>
        }
        card={(entry) => (
          <RowCard low className={s.row}>
            <strong className={s.who}>{auditText(entry)}</strong>
            <RowLine>
              <About entry={entry} />
            </RowLine>
            <RowLine>{changes(entry)}</RowLine>
            <RowLine soft>
              <span className={s.who}>
                <AuditActor entry={entry} isShort />
              </span>
              <DateText value={entry.At} />
            </RowLine>
          </RowCard>
        )}
        empty={<EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>}
      />
      {opened && <EntryDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

/** What this operator has just done on another screen is in the list at once. */
function useFreshEntries() {
  const refetch = useRef(useRefetch([[AUDIT_LOG]]));
  useEffect(() => {
    refetch.current();
  }, []);
}
