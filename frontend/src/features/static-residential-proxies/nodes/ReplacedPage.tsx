// Records of all switches: old and new IP, reason and cost.
import { DownloadSimple } from '@phosphor-icons/react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { exportReplaced, loadReplaced, REPLACED } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { SwitchMode } from '@/core/constants.gen';
import { useCatalogue } from '@/stores/plan';
import { Button, ButtonLink } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { Menu } from '@/ui/Overlay';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { Copied } from '@/ui/Secret';
import { Badge, EmptyState } from '@/ui/State';
import { saveFile } from '@/ui/saveFile';
import { DateText, MoneyText, useName } from '@/ui/texts';
import { Place } from '../Place';
import s from '../static.module.css';
import { useTierName, useTierTexts } from '../tierTexts';
import local from './nodes.module.css';

type Record = Schemas['SwitchRecord'];

export function ReplacedPage() {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const catalogue = useCatalogue();
  const texts = useTierTexts();
  const name = useName();
  const tierName = useTierName();
  const [{ Search, VerStr, Mode, From, To }, change] = useFilters(['Search', 'VerStr', 'Mode', 'From', 'To']);
  const call = useCall(exportReplaced);
  // Core converts the range to StartTime and EndTime in UTC.
  const asked = { Search, Filter: { VerStr, Mode }, StartAndEndTime: [From, To] as [string, string] };

  const columns = useMemo<Column<Record>[]>(
    () => [
      {
        field: 'CreatedAt',
        title: t('replaced.time'),
        width: 172,
        sortable: true,
        cell: (row) => <DateText value={row.CreatedAt} />,
      },
      {
        field: 'OldIp',
        title: t('replaced.old'),
        width: 180,
        sortable: true,
        cell: (row) => <Copied text={row.OldIp} label={t('replaced.copyOld')} />,
      },
      {
        field: 'NewIp',
        title: t('replaced.new'),
        width: 180,
        sortable: true,
        cell: (row) => <Copied text={row.NewIp} label={t('replaced.copyNew')} />,
      },
      { field: 'City', title: t('list.place'), width: 206, flex: 1, cell: (row) => <Place node={row} name={name} /> },
      { field: 'VerStr', title: t('list.tier'), width: 88, cell: (row) => tierName(row.VerStr) },
      { field: 'Mode', title: t('replaced.mode'), width: 88, cell: (row) => <ModeBadge mode={row.Mode} /> },
      { field: 'Reason', title: t('replaced.reason'), width: 164, cell: (row) => row.Reason || '–' },
      {
        field: 'Price',
        title: t('replaced.price'),
        width: 84,
        align: 'right',
        cell: (row) => <MoneyText amount={row.Price} currency={row.Currency} />,
      },
      { field: 'Email', title: t('replaced.who'), width: 200, cell: (row) => row.Email || '–' },
    ],
    [t, name, tierName],
  );

  const exportAs = (Format: 'csv' | 'json') => call.run({ ...asked, Format }, saveFile);

  return (
    <Page
      wide
      title={t('replaced.title')}
      description={t('replaced.lead')}
      actions={
        <Menu
          trigger={
            <Button icon={<DownloadSimple size={17} />} loading={call.isBusy}>
              {t('action.export')}
            </Button>
          }
          items={[
            { key: 'csv', label: t('replaced.exportCsv'), onSelect: () => exportAs('csv') },
            { key: 'json', label: t('replaced.exportJson'), onSelect: () => exportAs('json') },
          ]}
        />
      }
    >
      <DataGrid<Record>
        name={REPLACED}
        label={t('replaced.title')}
        columns={columns}
        rowId={(row) => String(row.SwitchId)}
        filters={{ Search, VerStr, Mode, From, To }}
        load={loadReplaced(asked)}
        toolbar={
          <>
            <DebouncedSearch
              label={t('replaced.search')}
              value={Search}
              onSearch={(text) => change({ Search: text })}
            />
            <SelectField
              label={t('list.tier')}
              hideLabel
              value={VerStr}
              onChange={(event) => change({ VerStr: event.target.value })}
            >
              <option value="">{t('list.allTiers')}</option>
              {catalogue.data?.Tiers.map((tier) => (
                <option key={tier.VerStr} value={tier.VerStr}>
                  {texts(tier).label}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('replaced.mode')}
              hideLabel
              value={Mode}
              onChange={(event) => change({ Mode: event.target.value })}
            >
              <option value="">{t('replaced.allModes')}</option>
              {Object.values(SwitchMode).map((one) => (
                <option key={one} value={one}>
                  {t(`mode.${one}`)}
                </option>
              ))}
            </SelectField>
            <DateRange
              label={t('replaced.range')}
              value={[From, To]}
              onChange={([from, to]) => change({ From: from, To: to })}
            />
          </>
        }
        card={(row) => <RecordCard row={row} />}
        empty={
          <EmptyState
            title={t('replaced.empty')}
            action={<ButtonLink to="/static-residential-proxies/proxy-list">{t('common:myProxies')}</ButtonLink>}
          >
            {t('replaced.emptyHint')}
          </EmptyState>
        }
      />
    </Page>
  );
}

/** Switches that cost nothing: of the quota, and by the seller. */
const FREE: readonly SwitchMode[] = [SwitchMode.Quota, SwitchMode.Replaced];

function ModeBadge({ mode }: { mode: SwitchMode }) {
  const { t } = useTranslation('static_residential_proxies');
  return <Badge tone={FREE.includes(mode) ? 'neutral' : 'accent'}>{t(`mode.${mode}`)}</Badge>;
}

function RecordCard({ row }: { row: Record }) {
  const { t } = useTranslation('static_residential_proxies');
  const name = useName();
  const tierName = useTierName();
  return (
    <RowCard low className={local.record}>
      <RowLine className={local.switched}>
        <code>{row.OldIp}</code>
        <span aria-hidden="true">→</span>
        <span className={local.lines}>
          <Copied text={row.NewIp} label={t('replaced.copyNew')} />
        </span>
      </RowLine>
      <RowLine soft>
        <Place node={row} name={name} />
        <span>{tierName(row.VerStr)}</span>
      </RowLine>
      <RowLine soft>
        <span className={s.ellipsis}>{row.Reason}</span>
        <ModeBadge mode={row.Mode} />
      </RowLine>
      <RowLine soft>
        <DateText value={row.CreatedAt} />
        <MoneyText amount={row.Price} currency={row.Currency} />
      </RowLine>
    </RowCard>
  );
}
