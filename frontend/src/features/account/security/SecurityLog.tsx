// The security log: sign-ins and changes of access.
import { useTranslation } from 'react-i18next';
import { loadSecurityLog, SECURITY_LOG } from '@/api/account';
import type { Schemas } from '@/api/client';
import { SecurityKind } from '@/core/constants.gen';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { RowCard } from '@/ui/RowCard';
import { Section } from '@/ui/Section';
import { Badge, EmptyState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import s from '../account.module.css';
import { useDeviceText } from './deviceText';

type Entry = Schemas['SecurityEntry'];

/** Failed attempts, highlighted in the list. */
const REFUSED: readonly string[] = [SecurityKind.SignInFailed, SecurityKind.CodeRefused, SecurityKind.ApiKeyRefused];
const ROWS = 10;

/** The IP address, with its location if known. */
const placeText = ({ Address, Place }: Entry) => [Address, Place].filter(Boolean).join(' · ');

export function SecurityLog() {
  const { t } = useTranslation(['account', 'security']);
  const deviceText = useDeviceText();
  const [{ Kind, From, To }, change] = useFilters(['Kind', 'From', 'To']);
  const kindText = ({ Kind: kind }: Entry) =>
    REFUSED.includes(kind) ? <Badge tone="warn">{t(`security:kinds.${kind}`)}</Badge> : t(`security:kinds.${kind}`);
  const columns: Column<Entry>[] = [
    { field: 'At', title: t('log.time'), width: 190, cell: (row) => <DateText value={row.At} /> },
    { field: 'Kind', title: t('log.what'), width: 230, flex: 1, cell: kindText },
    { field: 'Detail', title: t('log.detail'), width: 170, flex: 1, cell: (row) => row.Detail },
    { field: 'Device', title: t('log.device'), width: 180, cell: (row) => deviceText(row.Device) },
    { field: 'Address', title: t('log.address'), width: 160, cell: placeText, flex: 1 },
  ];
  return (
    <Section wide title={t('log.title')} lead={t('log.lead')}>
      <DataGrid<Entry>
        name={SECURITY_LOG}
        label={t('log.entries')}
        columns={columns}
        rowId={(row) => String(row.EntryId)}
        filters={{ Kind, From, To }}
        visibleRows={ROWS}
        load={loadSecurityLog({
          Search: '',
          Filter: { Kind: Kind as Entry['Kind'] },
          StartAndEndTime: [From, To],
        })}
        toolbar={
          <>
            <SelectField
              label={t('log.what')}
              hideLabel
              value={Kind}
              onChange={(event) => change({ Kind: event.target.value })}
            >
              <option value="">{t('log.allKinds')}</option>
              {Object.values(SecurityKind).map((kind) => (
                <option key={kind} value={kind}>
                  {t(`security:kinds.${kind}`)}
                </option>
              ))}
            </SelectField>
            <DateRange
              label={t('log.range')}
              value={[From, To]}
              onChange={([from, to]) => change({ From: from, To: to })}
            />
          </>
        }
        card={(row) => (
          <RowCard>
            <p>
              {kindText(row)} {row.Detail && <span className={s.soft}>{row.Detail}</span>}
            </p>
            <p className={s.facts}>
              <DateText value={row.At} />
              <span>{deviceText(row.Device)}</span>
              <span>{placeText(row)}</span>
            </p>
          </RowCard>
        )}
        empty={<EmptyState title={t('log.empty')}>{t('log.emptyHint')}</EmptyState>}
      />
    </Section>
  );
}
