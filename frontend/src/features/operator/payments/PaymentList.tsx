// Payments of all customers, or the bank transfers that wait for a confirmation.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ACCOUNT_PAYMENTS, loadAccountPayments, type Payment } from '@/api/operatorPayments';
import { PaymentMethod, PaymentState } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { paymentTone } from '@/ui/order/paymentTone';
import { RowCard, RowLine } from '@/ui/RowCard';
import { Badge, EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import { AccountFilter } from './AccountFilter';
import { ConfirmTransfer } from './ConfirmTransfer';
import { AccountLink, accountIn, LastVerdict, OrderLink, type View } from './links';
import s from './payments.module.css';

const STATES = Object.values(PaymentState);
/** Besides the pending ones: the money of an ended transfer may arrive late. */
const ENDED = [PaymentState.Expired, PaymentState.Failed];

/** Transfers of which nothing has arrived so far. */
const isOpenTransfer = ({ PaymentMethod: method, State }: Payment) =>
  method === PaymentMethod.Transfer && State !== PaymentState.Succeeded;

export function PaymentList({ view }: { view: Extract<View, 'all' | 'transfers'> }) {
  const { t } = useTranslation(['payments', 'orders']);
  const [filters, change] = useFilters(['Search', 'PaymentMethod', 'State', 'AccountId', 'From', 'To']);
  const { Search, State, From, To } = filters;
  const may = useMay();
  const [confirmed, setConfirmed] = useState<Payment>();
  const isOfTransfers = view === 'transfers';
  const mayConfirm = may('Order/SettlePayment');
  const canConfirm = (row: Payment) => mayConfirm && isOpenTransfer(row);
  const AccountId = accountIn(filters.AccountId);
  const Method = isOfTransfers ? '' : filters.PaymentMethod;
  const Filter = {
    PaymentMethod: isOfTransfers ? PaymentMethod.Transfer : Method,
    State: isOfTransfers ? State || PaymentState.Pending : State,
    ...(AccountId && { AccountId: Number(AccountId) }),
  };
  const methodText = (row: Payment) => t(`orders:method.${row.PaymentMethod}`);
  const stateBadge = (row: Payment) => <Badge tone={paymentTone(row.State)}>{t(`orders:payment.${row.State}`)}</Badge>;
  const amount = (row: Payment) => <MoneyText amount={row.Credited ?? row.Amount} currency={row.Currency} />;
  // The end of a payment that failed or expired is no settlement.
  const settledAt = (row: Payment) => (row.State === PaymentState.Succeeded ? row.SettledAt : undefined);
  const button = (row: Payment) =>
    canConfirm(row) && (
      <Button
        size="small"
        aria-label={t('confirm.openOf', { OrderNumber: row.OrderNumber })}
        onClick={() => setConfirmed(row)}
      >
        {t('confirm.open')}
      </Button>
    );
  const optional = (inTransfers: boolean) => ({ optional: inTransfers === isOfTransfers ? ('room' as const) : true });
  const columns: Column<Payment>[] = [
    {
      field: 'CreatedAt',
      title: t('created'),
      width: 172,
      sortable: true,
      cell: (row) => <DateText value={row.CreatedAt} />,
    },
    {
      field: 'OrderNumber',
      title: t('order'),
      width: 150,
      always: true,
      cell: (row) => <OrderLink number={row.OrderNumber} />,
    },
    { field: 'Email', title: t('customer'), width: 190, flex: 1, cell: (row) => <AccountLink of={row} /> },
    { field: 'PaymentMethod', title: t('method'), width: 190, ...optional(false), cell: methodText },
    { field: 'Amount', title: t('amount'), width: 120, sortable: true, align: 'right', cell: amount },
    { field: 'State', title: t('state'), width: 112, cell: stateBadge },
    { field: 'LastVerdict', title: t('lastVerdict'), width: 172, cell: (row) => <LastVerdict of={row} /> },
    {
      field: 'SettledAt',
      title: t('settled'),
      width: 172,
      ...optional(false),
      cell: (row) => <DateText value={settledAt(row)} />,
    },
    {
      field: 'OrderExpiresAt',
      title: t('expires'),
      width: 172,
      ...optional(true),
      cell: (row) => <DateText value={row.OrderExpiresAt} />,
    },
    {
      field: 'OrderKind',
      title: t('kind'),
      width: 110,
      optional: true,
      cell: (row) => t(`orders:kind.${row.OrderKind}`),
    },
    {
      field: 'PaymentId',
      title: t('payment'),
      width: 200,
      optional: true,
      cell: (row) => <code>{row.PaymentId}</code>,
    },
    ...(mayConfirm ? [{ field: 'Actions', title: t('confirm.column'), width: 128, always: true, cell: button }] : []),
  ];
  return (
    <>
      <DataGrid<Payment>
        name={ACCOUNT_PAYMENTS}
        queryKey={view}
        label={t(`view.${view}`)}
        columns={columns}
        rowId={(row) => row.PaymentId}
        filters={{ Search, PaymentMethod: Method, State, AccountId, From, To }}
        // Core converts the range to StartTime and EndTime in UTC.
        load={loadAccountPayments({ Search, Filter, StartAndEndTime: [From, To] })}
        toolbar={
          <>
            <DebouncedSearch label={t('search')} value={Search} onSearch={(text) => change({ Search: text })} />
            {!isOfTransfers && (
              <SelectField
                label={t('method')}
                hideLabel
                value={Method}
                onChange={(event) => change({ PaymentMethod: event.target.value })}
              >
                <option value="">{t('allMethods')}</option>
                {Object.values(PaymentMethod).map((one) => (
                  <option key={one} value={one}>
                    {t(`orders:method.${one}`)}
                  </option>
                ))}
              </SelectField>
            )}
            <SelectField
              label={t('state')}
              hideLabel
              value={State}
              onChange={(event) => change({ State: event.target.value })}
            >
              <option value="">{isOfTransfers ? t('orders:payment.pending') : t('allStates')}</option>
              {(isOfTransfers ? ENDED : STATES).map((one) => (
                <option key={one} value={one}>
                  {t(`orders:payment.${one}`)}
                </option>
              ))}
            </SelectField>
            <DateRange
              label={t('range')}
              value={[From, To]}
              onChange={([from, to]) => change({ From: from, To: to })}
            />
            <AccountFilter value={AccountId} onRemove={() => change({ AccountId: '' })} />
          </>
        }
        card={(row) => (
          <RowCard low className={s.row}>
            <RowLine>
              <OrderLink number={row.OrderNumber} />
              {amount(row)}
            </RowLine>
            <RowLine soft>
              <AccountLink of={row} />
              {stateBadge(row)}
            </RowLine>
            <RowLine soft>
              <span>{methodText(row)}</span>
              <DateText value={row.CreatedAt} />
            </RowLine>
            {(row.LastVerdict || canConfirm(row)) && (
              <RowLine className={s.last}>
                <LastVerdict of={row} />
                {button(row)}
              </RowLine>
            )}
          </RowCard>
        )}
        empty={<EmptyState title={t(`empty.${view}`)}>{t(`emptyHint.${view}`)}</EmptyState>}
      />
      {confirmed && <ConfirmTransfer payment={confirmed} onClose={() => setConfirmed(undefined)} />}
    </>
  );
}
