// The wallet's transactions as a list, with the balance after each.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { loadTransactions, TRANSACTIONS } from '@/api/wallet';
import { EntryKind } from '@/core/constants.gen';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { InvoiceButton, ReceiptButton } from '@/ui/order/DocumentButtons';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import s from './billing.module.css';

type Transaction = Schemas['Transaction'];

interface TransactionListProps {
  filters: TransactionFilters;
  onChange: (filters: Partial<TransactionFilters>) => void;
}

export interface TransactionFilters {
  Search: string;
  Kind: string;
  From: string;
  To: string;
}

/** The filters as the server takes them: core converts the range to StartTime and EndTime in UTC. */
export const askedTransactions = ({ Search, Kind, From, To }: TransactionFilters) => ({
  Search,
  Filter: { Kind },
  StartAndEndTime: [From, To] as [string, string],
});

export function TransactionList({ filters, onChange: change }: TransactionListProps) {
  // The documents need the second ones.
  const { t } = useTranslation(['billing', 'invoices']);
  const { Search, Kind, From, To } = filters;
  const kindText = (row: Transaction) => t(`transactions.kind.${row.Kind}`);
  const what = (row: Transaction) => (row.Reason ? `${kindText(row)} · ${row.Reason}` : kindText(row));
  const columns: Column<Transaction>[] = [
    {
      field: 'CreatedAt',
      title: t('transactions.time'),
      width: 200,
      sortable: true,
      cell: (row) => <DateText value={row.CreatedAt} />,
    },
    {
      field: 'Kind',
      title: t('transactions.what'),
      width: 200,
      flex: 1,
      cell: (row) => <span title={row.Reason}>{what(row)}</span>,
    },
    { field: 'OrderNumber', title: t('transactions.order'), width: 180, cell: (row) => <OrderLink row={row} /> },
    { field: 'InvoiceNumber', title: t('transactions.invoice'), width: 190, cell: (row) => <Document row={row} /> },
    {
      field: 'Amount',
      title: t('transactions.amount'),
      width: 150,
      align: 'right',
      cell: (row) => <MoneyText amount={row.Amount} currency={row.Currency} signed />,
    },
    {
      field: 'BalanceAfter',
      title: t('transactions.balance'),
      width: 160,
      align: 'right',
      cell: (row) => <MoneyText amount={row.BalanceAfter} currency={row.Currency} />,
    },
  ];
  return (
    <DataGrid<Transaction>
      name={TRANSACTIONS}
      label={t('transactions.title')}
      columns={columns}
      rowId={(row) => String(row.TransactionId)}
      filters={{ Search, Kind, From, To }}
      load={loadTransactions(askedTransactions(filters))}
      toolbar={
        <>
          <DebouncedSearch
            label={t('transactions.search')}
            value={Search}
            onSearch={(text) => change({ Search: text })}
          />
          <SelectField
            label={t('transactions.what')}
            hideLabel
            value={Kind}
            onChange={(event) => change({ Kind: event.target.value })}
          >
            <option value="">{t('transactions.allKinds')}</option>
            {Object.values(EntryKind).map((one) => (
              <option key={one} value={one}>
                {t(`transactions.kind.${one}`)}
              </option>
            ))}
          </SelectField>
          <DateRange
            label={t('transactions.range')}
            value={[From, To]}
            onChange={([from, to]) => change({ From: from, To: to })}
          />
        </>
      }
      card={(row) => (
        <RowCard>
          <RowLine>
            <strong>{kindText(row)}</strong>
            <MoneyText amount={row.Amount} currency={row.Currency} signed />
          </RowLine>
          <RowLine soft>
            <DateText value={row.CreatedAt} />
            <span>
              {t('transactions.balance')} <MoneyText amount={row.BalanceAfter} currency={row.Currency} />
            </span>
          </RowLine>
          {row.Reason && <RowLine soft>{row.Reason}</RowLine>}
          {(row.OrderId || hasDocument(row)) && (
            <RowLine className={s.links}>
              {row.OrderId && <OrderLink row={row} />}
              {hasDocument(row) && <Document row={row} />}
            </RowLine>
          )}
        </RowCard>
      )}
      empty={<EmptyState title={t('transactions.empty')}>{t('transactions.emptyHint')}</EmptyState>}
    />
  );
}

const hasDocument = ({ InvoiceNumber, ReceiptNumber }: Transaction) => Boolean(InvoiceNumber ?? ReceiptNumber);

/** The invoice, the credit note or the receipt of a transaction. */
function Document({ row: { InvoiceNumber, ReceiptNumber, TransactionId } }: { row: Transaction }) {
  if (InvoiceNumber) return <InvoiceButton number={InvoiceNumber} />;
  if (ReceiptNumber) return <ReceiptButton number={ReceiptNumber} transactionId={TransactionId} />;
  return <span>–</span>;
}

function OrderLink({ row }: { row: Transaction }) {
  if (!row.OrderId) return <span>–</span>;
  return <Link to={`/order?OrderId=${row.OrderId}`}>{row.OrderNumber}</Link>;
}
