// The account's invoices and credit notes.

import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { loadInvoices } from '@/api/wallet';
import { InvoiceKind } from '@/core/constants.gen';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { InvoiceButton } from '@/ui/order/DocumentButtons';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import s from './billing.module.css';

type Invoice = Schemas['InvoiceView'];

export function InvoiceList() {
  const { t } = useTranslation(['billing', 'invoices']);
  const [{ Kind, From, To }, change] = useFilters(['Kind', 'From', 'To']);
  // Core converts the range to StartTime and EndTime in UTC.
  const asked = { Filter: { Kind }, StartAndEndTime: [From, To] as [string, string], Search: '' };
  const kindText = (row: Invoice) => t(`invoices:kind.${row.Kind}`);
  const columns: Column<Invoice>[] = [
    {
      field: 'InvoiceNumber',
      title: t('invoices.number'),
      width: 200,
      cell: (row) => <InvoiceButton number={row.InvoiceNumber} />,
    },
    {
      field: 'IssuedAt',
      title: t('invoices.issued'),
      width: 190,
      sortable: true,
      cell: (row) => <DateText value={row.IssuedAt} />,
    },
    { field: 'Kind', title: t('invoices.kind'), width: 150, flex: 1, cell: kindText },
    { field: 'OrderNumber', title: t('invoices.order'), width: 180, cell: (row) => <OrderLink row={row} /> },
    { field: 'Corrects', title: t('invoices.corrects'), width: 190, cell: (row) => row.Corrects ?? '–' },
    {
      field: 'Total',
      title: t('invoices.amount'),
      width: 150,
      align: 'right',
      cell: (row) => <Total of={row} />,
    },
  ];
  return (
    <DataGrid<Invoice>
      name="invoices"
      label={t('invoices.title')}
      columns={columns}
      rowId={(row) => row.InvoiceNumber}
      filters={{ Kind, From, To }}
      load={loadInvoices(asked)}
      toolbar={
        <>
          <SelectField
            label={t('invoices.kind')}
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
            label={t('invoices.range')}
            value={[From, To]}
            onChange={([from, to]) => change({ From: from, To: to })}
          />
        </>
      }
      card={(row) => (
        <RowCard>
          <RowLine>
            <strong>{kindText(row)}</strong>
            <Total of={row} />
          </RowLine>
          <RowLine soft>
            <DateText value={row.IssuedAt} />
          </RowLine>
          <RowLine className={s.links}>
            <OrderLink row={row} />
            <InvoiceButton number={row.InvoiceNumber} />
          </RowLine>
        </RowCard>
      )}
      empty={<EmptyState title={t('invoices.empty')}>{t('invoices.emptyHint')}</EmptyState>}
    />
  );
}

function OrderLink({ row }: { row: Invoice }) {
  return <Link to={`/order?OrderId=${row.OrderId}`}>{row.OrderNumber}</Link>;
}

/** A credit note takes back. */
function Total({ of: { Kind, Total: amount, Currency } }: { of: Invoice }) {
  return (
    <span>
      {Kind === InvoiceKind.CreditNote && '−'}
      <MoneyText amount={amount} currency={Currency} />
    </span>
  );
}
