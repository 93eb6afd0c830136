// Callbacks of the payment gateways and confirmations by operators, with what came of them.
import { X } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CALLBACKS, type Callback, forgedCallbacksQuery, loadCallbacks } from '@/api/operatorPayments';
import { Verdict } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { bytesText } from '@/ui/bytes';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { Notice } from '@/ui/Notice';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { CallbackDialog, CallbackVerdict, useSenderText } from './CallbackDialog';
import { GatewayFilter } from './GatewayFilter';
import { OrderLink, PaymentLink } from './links';
import s from './payments.module.css';

export function CallbackList() {
  const { t, i18n } = useTranslation(['payments', 'orders']);
  const [filters, change] = useFilters(['Gateway', 'Verdict', 'IsRefused', 'PaymentId', 'From', 'To']);
  const { Gateway, IsRefused, PaymentId, From, To } = filters;
  const [opened, setOpened] = useState<Callback>();
  const forged = useQuery(forgedCallbacksQuery).data?.ForgedLately ?? 0;
  const senderText = useSenderText();
  const Filter = {
    Gateway,
    Verdict: filters.Verdict,
    PaymentId,
    ...(IsRefused && { IsRefused: IsRefused === 'true' }),
  };
  const gateway = (row: Callback) => t(`orders:method.${row.Gateway}`);
  const body = (row: Callback) => (
    <button type="button" className={s.open} onClick={() => setOpened(row)} title={t('callbacks.open')}>
      {row.Beginning ? <code>{row.Beginning}</code> : t('callbacks.details')}
    </button>
  );
  const columns: Column<Callback>[] = [
    {
      field: 'ReceivedAt',
      title: t('callbacks.received'),
      width: 172,
      sortable: true,
      cell: (row) => <DateText value={row.ReceivedAt} />,
    },
    { field: 'Gateway', title: t('callbacks.gateway'), width: 190, cell: gateway },
    { field: 'Verdict', title: t('callbacks.verdict'), width: 176, cell: (row) => <CallbackVerdict callback={row} /> },
    {
      field: 'OrderNumber',
      title: t('order'),
      width: 150,
      cell: (row) => (row.OrderNumber ? <OrderLink number={row.OrderNumber} /> : '–'),
    },
    {
      field: 'PaymentId',
      title: t('payment'),
      width: 180,
      optional: 'room',
      cell: (row) => (row.PaymentId ? <PaymentLink id={row.PaymentId} /> : '–'),
    },
    { field: 'Sender', title: t('callbacks.sender'), width: 170, optional: 'room', cell: senderText },
    {
      field: 'SizeBytes',
      title: t('callbacks.size'),
      width: 96,
      align: 'right',
      optional: 'room',
      cell: (row) => bytesText(row.SizeBytes, i18n.language),
    },
    { field: 'Beginning', title: t('callbacks.body'), width: 180, flex: 1, always: true, cell: body },
  ];
  return (
    <>
      {forged > 0 && <Notice tone="warn">{t('callbacks.forged', { count: forged })}</Notice>}
      <DataGrid<Callback>
        name={CALLBACKS}
        label={t('view.callbacks')}
        columns={columns}
        rowId={(row) => String(row.CallbackId)}
        filters={filters}
        // Core converts the range to StartTime and EndTime in UTC.
        load={loadCallbacks({ Filter, StartAndEndTime: [From, To] })}
        toolbar={
          <>
            <GatewayFilter value={Gateway} onChange={(next) => change({ Gateway: next })} />
            <SelectField
              label={t('callbacks.verdict')}
              hideLabel
              value={filters.Verdict}
              onChange={(event) => change({ Verdict: event.target.value })}
            >
              <option value="">{t('callbacks.allVerdicts')}</option>
              {Object.values(Verdict).map((one) => (
                <option key={one} value={one}>
                  {t(`orders:verdict.${one}`)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('callbacks.refused')}
              hideLabel
              value={IsRefused}
              onChange={(event) => change({ IsRefused: event.target.value })}
            >
              <option value="">{t('callbacks.both')}</option>
              <option value="true">{t('callbacks.onlyRefused')}</option>
              <option value="false">{t('callbacks.notRefused')}</option>
            </SelectField>
            <DateRange
              label={t('range')}
              value={[From, To]}
              onChange={([from, to]) => change({ From: from, To: to })}
            />
            {PaymentId && (
              <Button
                icon={<X size={14} aria-hidden="true" />}
                title={t('callbacks.removePayment')}
                onClick={() => change({ PaymentId: '' })}
              >
                {t('callbacks.onlyPayment', { PaymentId })}
              </Button>
            )}
          </>
        }
        card={(row) => (
          <RowCard low className={s.row}>
            <RowLine>
              <strong>{gateway(row)}</strong>
              <CallbackVerdict callback={row} />
            </RowLine>
            <RowLine soft>
              {row.OrderNumber ? <OrderLink number={row.OrderNumber} /> : <span>{senderText(row)}</span>}
              <DateText value={row.ReceivedAt} />
            </RowLine>
            <RowLine wrap>{body(row)}</RowLine>
          </RowCard>
        )}
        empty={<EmptyState title={t('empty.callbacks')}>{t('emptyHint.callbacks')}</EmptyState>}
      />
      {opened && <CallbackDialog callback={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
