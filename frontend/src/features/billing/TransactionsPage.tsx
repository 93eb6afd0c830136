// Every movement of the wallet, with the balance after each.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { post, type Schemas } from '@/api/client';
import { EntryKind } from '@/core/constants.gen';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange, type Range } from '@/ui/DateRange';
import { SelectField } from '@/ui/Field';
import { Page } from '@/ui/Page';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import s from './billing.module.css';

type Transaction = Schemas['Transaction'];

export function TransactionsPage() {
  const { t } = useTranslation('billing');
  const [kind, setKind] = useState('');
  const [range, setRange] = useState<Range>(['', '']);
  const kindText = (row: Transaction) => t(`transactions.kind.${row.Kind}` as 'transactions.kind.top_up');
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
    <Page title={t('transactions.title')} description={t('transactions.lead')}>
      <DataGrid<Transaction>
        name="transactions"
        label={t('transactions.title')}
        columns={columns}
        rowId={(row) => String(row.TransactionId)}
        narrowedBy={{ kind, from: range[0], to: range[1] }}
        load={(list, signal) => {
          // The rules turn the range into StartTime and EndTime in UTC.
          const body = { ...list, Search: '', Filter: { Kind: kind }, StartAndEndTime: range };
          return post('Wallet/GetTransactionList', body, { signal });
        }}
        toolbar={
          <>
            <SelectField
              label={t('transactions.what')}
              hideLabel
              value={kind}
              onChange={(event) => setKind(event.target.value)}
            >
              <option value="">{t('transactions.allKinds')}</option>
              {Object.values(EntryKind).map((one) => (
                <option key={one} value={one}>
                  {t(`transactions.kind.${one}`)}
                </option>
              ))}
            </SelectField>
            <DateRange label={t('transactions.range')} value={range} onChange={setRange} />
          </>
        }
        card={(row) => (
          <div className={s.card}>
            <div>
              <strong>{kindText(row)}</strong>
              <MoneyText amount={row.Amount} currency={row.Currency} signed />
            </div>
            <div className={s.soft}>
              <DateText value={row.CreatedAt} />
              <span>
                {t('transactions.balance')} <MoneyText amount={row.BalanceAfter} currency={row.Currency} />
              </span>
            </div>
            <OrderLink row={row} />
          </div>
        )}
        empty={<EmptyState title={t('transactions.empty')}>{t('transactions.emptyHint')}</EmptyState>}
      />
    </Page>
  );
}

function OrderLink({ row }: { row: Transaction }) {
  if (!row.OrderId) return <span>–</span>;
  return <Link to={`/order?OrderId=${row.OrderId}`}>{row.OrderNumber}</Link>;
}
