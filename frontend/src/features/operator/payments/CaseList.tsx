// Cases of payments: what operators have to look at, the open ones unless others are asked for.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadPaymentCases, PAYMENT_CASES, type PaymentCase } from '@/api/operatorPayments';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import { CaseCustomer, CaseDialog, CaseOrder, CaseReported, CaseState } from './CaseDialog';
import { GatewayFilter } from './GatewayFilter';
import s from './payments.module.css';

/** Besides the open ones. */
const CLOSED = 'closed';
const BOTH = 'both';

export function CaseList() {
  const { t } = useTranslation(['payments', 'orders']);
  const [filters, change] = useFilters(['Gateway', 'State']);
  const { Gateway, State } = filters;
  const [opened, setOpened] = useState<PaymentCase>();
  const Filter = { Gateway, ...(State !== BOTH && { IsOpen: State !== CLOSED }) };
  const gateway = (row: PaymentCase) => t(`orders:method.${row.Gateway}`);
  const money = (amount: string | null | undefined, { Currency }: PaymentCase) =>
    amount ? <MoneyText amount={amount} currency={Currency} /> : <span>–</span>;
  const kind = (row: PaymentCase) => (
    <button type="button" className={s.open} onClick={() => setOpened(row)} title={t('cases.show')}>
      {t(`cases.kind.${row.Kind}`)}
    </button>
  );
  const columns: Column<PaymentCase>[] = [
    {
      field: 'OpenedAt',
      title: t('cases.opened'),
      width: 172,
      sortable: true,
      cell: (row) => <DateText value={row.OpenedAt} />,
    },
    { field: 'Kind', title: t('cases.what'), width: 184, flex: 1, always: true, cell: kind },
    { field: 'Gateway', title: t('callbacks.gateway'), width: 170, optional: 'room', cell: gateway },
    { field: 'Email', title: t('customer'), width: 190, flex: 1, cell: (row) => <CaseCustomer of={row} /> },
    { field: 'OrderNumber', title: t('order'), width: 140, cell: (row) => <CaseOrder of={row} /> },
    { field: 'Due', title: t('cases.due'), width: 104, align: 'right', cell: (row) => money(row.Due, row) },
    {
      field: 'Credited',
      title: t('cases.credited'),
      width: 104,
      align: 'right',
      cell: (row) => money(row.Credited, row),
    },
    {
      field: 'Reported',
      title: t('cases.reported'),
      width: 112,
      align: 'right',
      optional: 'room',
      cell: (row) => <CaseReported of={row} />,
    },
    { field: 'ClosedAt', title: t('state'), width: 104, cell: (row) => <CaseState of={row} /> },
  ];
  return (
    <>
      <DataGrid<PaymentCase>
        name={PAYMENT_CASES}
        label={t('view.cases')}
        columns={columns}
        rowId={(row) => String(row.CaseId)}
        filters={filters}
        load={loadPaymentCases({ Filter })}
        toolbar={
          <>
            <SelectField
              label={t('state')}
              hideLabel
              value={State}
              onChange={(event) => change({ State: event.target.value })}
            >
              <option value="">{t('cases.isOpen')}</option>
              <option value={CLOSED}>{t('cases.isClosed')}</option>
              <option value={BOTH}>{t('cases.both')}</option>
            </SelectField>
            <GatewayFilter value={Gateway} onChange={(next) => change({ Gateway: next })} />
          </>
        }
        card={(row) => (
          <RowCard low className={s.row}>
            <RowLine>
              {kind(row)}
              <CaseState of={row} />
            </RowLine>
            <RowLine soft>
              <CaseCustomer of={row} />
              {money(row.Credited, row)}
            </RowLine>
            <RowLine soft>
              <CaseOrder of={row} />
              <DateText value={row.OpenedAt} />
            </RowLine>
          </RowCard>
        )}
        empty={<EmptyState title={t('empty.cases')}>{t('emptyHint.cases')}</EmptyState>}
      />
      {opened && <CaseDialog of={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
