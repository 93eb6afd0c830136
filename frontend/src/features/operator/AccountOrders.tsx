// All customers' orders, searchable by order number or email.
import { X } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { ACCOUNT_ORDERS, loadAccountOrders } from '@/api/operator';
import { OPERATOR_PATH, OrderKind, OrderState } from '@/core/constants.gen';
import { Button, ButtonLink } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { OrderStateBadge } from '@/ui/order/OrderStateBadge';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';

type Row = Schemas['AccountOrder'];

export function AccountOrders() {
  const { t } = useTranslation(['orders', 'common']);
  const [filters, change] = useFilters(['Search', 'State', 'Kind', 'AccountId', 'From', 'To']);
  const { Search, State, Kind, AccountId, From, To } = filters;
  const kindText = (row: Row) => t(`kind.${row.Order.Kind}`);
  const columns: Column<Row>[] = [
    { field: 'OrderNumber', title: t('number'), width: 150, cell: (row) => <NumberLink row={row} /> },
    {
      field: 'CreatedAt',
      title: t('created'),
      width: 170,
      sortable: true,
      cell: (row) => <DateText value={row.Order.CreatedAt} />,
    },
    { field: 'Email', title: t('operator.email'), width: 190, flex: 1, cell: (row) => <EmailLink row={row} /> },
    { field: 'Kind', title: t('kindTitle'), width: 100, cell: kindText },
    { field: 'State', title: t('stateTitle'), width: 126, cell: (row) => <OrderStateBadge state={row.Order.State} /> },
    { field: 'Payments', title: t('payments'), width: 216, cell: (row) => <PaidBy row={row} /> },
    {
      field: 'Total',
      title: t('total'),
      width: 106,
      sortable: true,
      align: 'right',
      cell: (row) => <MoneyText amount={row.Order.Total} currency={row.Order.Currency} />,
    },
    {
      field: 'Refunded',
      title: t('refunded'),
      width: 104,
      align: 'right',
      cell: (row) => <MoneyText amount={row.Order.Refunded} currency={row.Order.Currency} />,
    },
  ];
  return (
    <Page
      wide
      title={t('operator.all')}
      description={t('operator.lead')}
      actions={<ButtonLink to="/order">{t('operator.own')}</ButtonLink>}
    >
      <DataGrid<Row>
        name={ACCOUNT_ORDERS}
        label={t('operator.all')}
        columns={columns}
        rowId={(row) => String(row.Order.OrderId)}
        filters={filters}
        load={loadAccountOrders({
          Search,
          Filter: { State, Kind, ...(AccountId && { AccountId: Number(AccountId) }) },
          StartAndEndTime: [From, To],
        })}
        toolbar={
          <>
            <DebouncedSearch
              label={t('operator.search')}
              value={Search}
              onSearch={(text) => change({ Search: text })}
            />
            <SelectField
              label={t('stateTitle')}
              hideLabel
              value={State}
              onChange={(event) => change({ State: event.target.value })}
            >
              <option value="">{t('operator.allStates')}</option>
              {Object.values(OrderState).map((one) => (
                <option key={one} value={one}>
                  {t(`state.${one}`)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('kindTitle')}
              hideLabel
              value={Kind}
              onChange={(event) => change({ Kind: event.target.value })}
            >
              <option value="">{t('operator.allKinds')}</option>
              {Object.values(OrderKind).map((one) => (
                <option key={one} value={one}>
                  {t(`kind.${one}`)}
                </option>
              ))}
            </SelectField>
            <DateRange
              label={t('operator.range')}
              value={[From, To]}
              onChange={([from, to]) => change({ From: from, To: to })}
            />
            {AccountId && (
              <Button
                icon={<X size={14} aria-hidden="true" />}
                title={t('operator.removeAccount')}
                onClick={() => change({ AccountId: '' })}
              >
                {t('operator.onlyAccount', { AccountId })}
              </Button>
            )}
          </>
        }
        card={(row) => (
          <RowCard>
            <RowLine>
              <NumberLink row={row} />
              <OrderStateBadge state={row.Order.State} />
            </RowLine>
            <RowLine soft>
              <EmailLink row={row} />
              <MoneyText amount={row.Order.Total} currency={row.Order.Currency} />
            </RowLine>
            <RowLine soft>
              <span>{kindText(row)}</span>
              <DateText value={row.Order.CreatedAt} />
            </RowLine>
          </RowCard>
        )}
        empty={<EmptyState title={t('operator.none')} />}
      />
    </Page>
  );
}

function NumberLink({ row }: { row: Row }) {
  return <Link to={`?OrderNumber=${row.Order.OrderNumber}`}>{row.Order.OrderNumber}</Link>;
}

function EmailLink({ row }: { row: Row }) {
  return <Link to={`${OPERATOR_PATH}/accounts/${row.AccountId}`}>{row.Email}</Link>;
}

function PaidBy({ row }: { row: Row }) {
  const { t } = useTranslation('orders');
  const payment = row.Order.Payments[0];
  // Automatic renewals are paid from the wallet by the server.
  if (!payment) return <span>{row.Order.PaidAt ? t('method.wallet') : '–'}</span>;
  const method = t(`method.${payment.PaymentMethod}`);
  // The state of a payment that succeeded is that of its order.
  return <span>{payment.State === 'succeeded' ? method : `${method} · ${t(`payment.${payment.State}`)}`}</span>;
}
