// The wallet's transactions, with the balance after each.
import { DownloadSimple } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { download, post, type Schemas } from '@/api/client';
import { EntryKind } from '@/core/constants.gen';
import { useIsSuspended } from '@/stores/sidebar';
import { Button } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { useInvoiceFile } from '@/ui/order/useInvoiceFile';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { saveFile } from '@/ui/saveFile';
import { DateText, MoneyText } from '@/ui/texts';
import { BillingDetails } from './BillingDetails';
import s from './billing.module.css';

type Transaction = Schemas['Transaction'];

export function TransactionsPage() {
  const { t } = useTranslation('billing');
  const [{ Search, Kind, From, To }, change] = useFilters(['Search', 'Kind', 'From', 'To']);
  const isSuspended = useIsSuspended();
  const [isExporting, setExporting] = useState(false);
  const [isEditing, setEditing] = useState(false);
  // Core converts the range to StartTime and EndTime in UTC.
  const filters = { Search, Filter: { Kind }, StartAndEndTime: [From, To] as [string, string] };
  const exportAll = async () => {
    setExporting(true);
    try {
      saveFile(await download('Wallet/ExportTransactions', filters));
    } catch {
      // The API client has shown the error toast.
    } finally {
      setExporting(false);
    }
  };
  const kindText = (row: Transaction) => t(`transactions.kind.${row.Kind}`);
  const columns: Column<Transaction>[] = [
    {
      field: 'CreatedAt',
      title: t('transactions.time'),
      width: 200,
      sortable: true,
      cell: (row) => <DateText value={row.CreatedAt} />,
    },
    { field: 'Kind', title: t('transactions.what'), width: 200, flex: 1, cell: kindText },
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
    <Page
      wide
      title={t('transactions.title')}
      description={t('transactions.lead')}
      actions={
        <>
          {!isSuspended && <Button onClick={() => setEditing(true)}>{t('transactions.details')}</Button>}
          <Button icon={<DownloadSimple size={17} aria-hidden="true" />} loading={isExporting} onClick={exportAll}>
            {t('transactions.export')}
          </Button>
        </>
      }
    >
      <DataGrid<Transaction>
        name="transactions"
        label={t('transactions.title')}
        columns={columns}
        rowId={(row) => String(row.TransactionId)}
        filters={{ Search, Kind, From, To }}
        load={(list, options) => post('Wallet/GetTransactionList', { ...list, ...filters }, options)}
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
            {(row.OrderId || row.InvoiceNumber) && (
              <RowLine className={s.links}>
                <OrderLink row={row} />
                {row.InvoiceNumber && <Document row={row} />}
              </RowLine>
            )}
          </RowCard>
        )}
        empty={<EmptyState title={t('transactions.empty')}>{t('transactions.emptyHint')}</EmptyState>}
      />
      {isEditing && <BillingDetails onClose={() => setEditing(false)} />}
    </Page>
  );
}

/** Downloads the invoice or the credit note of a transaction. */
function Document({ row }: { row: Transaction }) {
  const { t } = useTranslation('invoices');
  const file = useInvoiceFile();
  const number = row.InvoiceNumber;
  if (!number) return <span>–</span>;
  return (
    <Button
      size="small"
      variant="ghost"
      className={s.document}
      icon={<DownloadSimple size={15} aria-hidden="true" />}
      loading={file.busy === number}
      aria-label={t('save', { Number: number })}
      onClick={() => file.save(number)}
    >
      {number}
    </Button>
  );
}

function OrderLink({ row }: { row: Transaction }) {
  if (!row.OrderId) return <span>–</span>;
  return <Link to={`/order?OrderId=${row.OrderId}`}>{row.OrderNumber}</Link>;
}
