// Invoices and credit notes of all customers, and a month of them for the accountant.
import { DownloadSimple } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ACCOUNT_INVOICES, type AccountInvoice, loadAccountInvoices } from '@/api/operatorPayments';
import { InvoiceKind } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { InvoiceButton } from '@/ui/order/DocumentButtons';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import { AccountLink, OrderLink } from './links';
import { MonthDialog } from './MonthDialog';
import s from './payments.module.css';

export function InvoicesPage() {
  const { t } = useTranslation(['payments', 'invoices']);
  const [filters, change] = useFilters(['Search', 'Kind', 'From', 'To']);
  const { Search, Kind, From, To } = filters;
  const may = useMay();
  const [isExporting, setExporting] = useState(false);
  const kindText = ({ Invoice }: AccountInvoice) => t(`invoices:kind.${Invoice.Kind}`);
  const total = ({ Invoice }: AccountInvoice) => (
    <span>
      {Invoice.Kind === InvoiceKind.CreditNote && '−'}
      <MoneyText amount={Invoice.Total} currency={Invoice.Currency} />
    </span>
  );
  const document = ({ Invoice }: AccountInvoice) => <InvoiceButton number={Invoice.InvoiceNumber} />;
  const columns: Column<AccountInvoice>[] = [
    { field: 'InvoiceNumber', title: t('invoices.number'), width: 200, always: true, cell: document },
    {
      field: 'IssuedAt',
      title: t('invoices.issued'),
      width: 172,
      sortable: true,
      cell: (row) => <DateText value={row.Invoice.IssuedAt} />,
    },
    { field: 'Kind', title: t('kind'), width: 130, cell: kindText },
    {
      field: 'OrderNumber',
      title: t('order'),
      width: 150,
      cell: (row) => <OrderLink number={row.Invoice.OrderNumber} />,
    },
    { field: 'Email', title: t('customer'), width: 200, flex: 1, cell: (row) => <AccountLink of={row} /> },
    {
      field: 'Corrects',
      title: t('invoices.corrects'),
      width: 170,
      optional: 'room',
      cell: (row) => row.Invoice.Corrects ?? '–',
    },
    { field: 'Total', title: t('invoices.total'), width: 130, align: 'right', cell: total },
  ];
  return (
    <Page
      wide
      title={t('invoices.title')}
      description={t('invoices.lead')}
      actions={
        may('Operator/ExportInvoices') && (
          <Button icon={<DownloadSimple size={17} aria-hidden="true" />} onClick={() => setExporting(true)}>
            {t('month.open')}
          </Button>
        )
      }
    >
      <DataGrid<AccountInvoice>
        name={ACCOUNT_INVOICES}
        label={t('invoices.title')}
        columns={columns}
        rowId={(row) => row.Invoice.InvoiceNumber}
        filters={filters}
        // Core converts the range to StartTime and EndTime in UTC.
        load={loadAccountInvoices({ Search, Filter: { Kind }, StartAndEndTime: [From, To] })}
        toolbar={
          <>
            <DebouncedSearch
              label={t('invoices.search')}
              value={Search}
              onSearch={(text) => change({ Search: text })}
            />
            <SelectField
              label={t('kind')}
              hideLabel
              value={Kind}
              onChange={(event) => change({ Kind: event.target.value })}
            >
              <option value="">{t('invoices.allKinds')}</option>
              {Object.values(InvoiceKind).map((one) => (
                <option key={one} value={one}>
                  {t(`invoices:kind.${one}`)}
                </option>
              ))}
            </SelectField>
            <DateRange
              label={t('range')}
              value={[From, To]}
              onChange={([from, to]) => change({ From: from, To: to })}
            />
          </>
        }
        card={(row) => (
          <RowCard low className={s.row}>
            <RowLine className={s.documents}>
              {document(row)}
              {total(row)}
            </RowLine>
            <RowLine soft>
              <AccountLink of={row} />
              <span>{kindText(row)}</span>
            </RowLine>
            <RowLine soft>
              <OrderLink number={row.Invoice.OrderNumber} />
              <DateText value={row.Invoice.IssuedAt} />
            </RowLine>
          </RowCard>
        )}
        empty={<EmptyState title={t('invoices.empty')}>{t('invoices.emptyHint')}</EmptyState>}
      />
      {isExporting && <MonthDialog onClose={() => setExporting(false)} />}
    </Page>
  );
}
