// Money that went back to where it came from: refunds by the shop and at gateways, disputes with their evidence, and payments that became invalid.
import { DownloadSimple, Warning } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { disputeEvidence, loadPaymentReturns, PAYMENT_RETURNS, type PaymentReturn } from '@/api/operatorPayments';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { ReturnKind, ReturnState } from '@/core/constants.gen';
import { isPositive } from '@/core/money';
import { useMay } from '@/stores/may';
import { Button, IconButton } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { SelectField } from '@/ui/Field';
import { fillText } from '@/ui/fillText';
import { useFilters } from '@/ui/listAddress';
import type { Tone } from '@/ui/Notice';
import { Popover } from '@/ui/Overlay';
import { REFUND_TONES } from '@/ui/order/refundProgress';
import { RowCard, RowLine } from '@/ui/RowCard';
import { Badge, EmptyState } from '@/ui/State';
import { saveFile } from '@/ui/saveFile';
import { DateText, MoneyText, UntilText } from '@/ui/texts';
import { AccountFilter } from './AccountFilter';
import { GatewayFilter } from './GatewayFilter';
import { AccountLink, accountIn, OrderLink } from './links';
import s from './payments.module.css';
import { SettleRefund } from './SettleRefund';

const TONES: Record<ReturnState, Tone> = { open: 'warn', final: 'neutral', undone: 'good' };

/** Until when evidence can be handed in, as long as it can. */
const dueAt = ({ State, DueAt }: PaymentReturn) => (State === ReturnState.Open ? DueAt : undefined);

export function ReturnList() {
  const { t } = useTranslation(['payments', 'orders']);
  const [filters, change] = useFilters(['Gateway', 'Kind', 'State', 'AccountId', 'From', 'To']);
  const { Gateway, Kind, State, From, To } = filters;
  const AccountId = accountIn(filters.AccountId);
  const may = useMay();
  const mayHaveEvidence = may('Operator/GetDisputeEvidence');
  const maySettle = may('Operator/SettleRefund');
  const [settled, setSettled] = useState<PaymentReturn>();
  const Filter = { Gateway, Kind, State, ...(AccountId && { AccountId: Number(AccountId) }) };
  const gateway = (row: PaymentReturn) => t(`orders:method.${row.Gateway}`);
  const what = ({ Kind: kind, Reason }: PaymentReturn) =>
    [t(`returns.kind.${kind}`), Reason].filter(Boolean).join(' · ');
  const state = (row: PaymentReturn) => (
    <span className={s.state}>
      {row.Kind === ReturnKind.ByShop && row.Progress ? (
        <Badge tone={REFUND_TONES[row.Progress]}>{t(`orders:refunds.progress.${row.Progress}`)}</Badge>
      ) : (
        <Badge tone={TONES[row.State]}>{t(`returns.state.${row.Kind}.${row.State}`)}</Badge>
      )}
      {row.Trouble && <Trouble text={row.Trouble} />}
    </span>
  );
  const taken = (row: PaymentReturn) => <MoneyText amount={row.Taken} currency={row.Currency} />;
  const action = (row: PaymentReturn) => {
    if (mayHaveEvidence && row.Kind === ReturnKind.Dispute) return <EvidenceButton of={row} />;
    if (!maySettle || !row.CanBeSettled) return null;
    const name = t('returns.settle.openOf', { OrderNumber: row.OrderNumber });
    return (
      <Button size="small" aria-label={name} onClick={() => setSettled(row)}>
        {t('returns.settle.open')}
      </Button>
    );
  };
  const columns: Column<PaymentReturn>[] = [
    {
      field: 'OpenedAt',
      title: t('cases.opened'),
      width: 172,
      sortable: true,
      cell: (row) => <DateText value={row.OpenedAt} />,
    },
    {
      field: 'Kind',
      title: t('kind'),
      width: 140,
      flex: 1,
      always: true,
      cell: (row) => <span title={what(row)}>{what(row)}</span>,
    },
    { field: 'State', title: t('state'), width: 172, cell: state },
    { field: 'Email', title: t('customer'), width: 160, flex: 1, cell: (row) => <AccountLink of={row} /> },
    { field: 'OrderNumber', title: t('order'), width: 150, cell: (row) => <OrderLink number={row.OrderNumber} /> },
    { field: 'Taken', title: t('returns.taken'), width: 100, align: 'right', cell: taken },
    {
      field: 'Owed',
      title: t('returns.owed'),
      width: 112,
      align: 'right',
      optional: 'room',
      cell: (row) => (isPositive(row.Owed) ? <MoneyText amount={row.Owed} currency={row.Currency} /> : <span>–</span>),
    },
    { field: 'DueAt', title: t('returns.due'), width: 132, cell: (row) => <Due at={dueAt(row)} /> },
    {
      field: 'Reported',
      title: t('cases.reported'),
      width: 112,
      align: 'right',
      optional: 'room',
      cell: (row) => <MoneyText amount={row.Reported} currency={row.ReportedCurrency} />,
    },
    { field: 'Gateway', title: t('callbacks.gateway'), width: 170, optional: 'room', cell: gateway },
    {
      field: 'Reference',
      title: t('returns.reference'),
      width: 180,
      optional: 'room',
      cell: (row) => <span title={row.Reference}>{row.Reference || '–'}</span>,
    },
    ...(mayHaveEvidence || maySettle
      ? [{ field: 'Action', title: t('returns.action'), width: 172, always: true, cell: action }]
      : []),
  ];
  return (
    <>
      <DataGrid<PaymentReturn>
        name={PAYMENT_RETURNS}
        label={t('view.returns')}
        columns={columns}
        rowId={(row) => String(row.ReturnId)}
        filters={{ Gateway, Kind, State, AccountId, From, To }}
        // Core converts the range to StartTime and EndTime in UTC.
        load={loadPaymentReturns({ Filter, StartAndEndTime: [From, To] })}
        toolbar={
          <>
            <SelectField
              label={t('kind')}
              hideLabel
              value={Kind}
              onChange={(event) => change({ Kind: event.target.value })}
            >
              <option value="">{t('returns.allKinds')}</option>
              {Object.values(ReturnKind).map((one) => (
                <option key={one} value={one}>
                  {t(`returns.kind.${one}`)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('state')}
              hideLabel
              value={State}
              onChange={(event) => change({ State: event.target.value })}
            >
              <option value="">{t('allStates')}</option>
              {Object.values(ReturnState).map((one) => (
                <option key={one} value={one}>
                  {t(`returns.states.${one}`)}
                </option>
              ))}
            </SelectField>
            <GatewayFilter value={Gateway} onChange={(next) => change({ Gateway: next })} />
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
              <strong>{what(row)}</strong>
              {state(row)}
            </RowLine>
            <RowLine soft>
              <AccountLink of={row} />
              {taken(row)}
            </RowLine>
            <RowLine soft>
              <OrderLink number={row.OrderNumber} />
              <DateText value={row.OpenedAt} />
            </RowLine>
            <RowLine className={s.last}>
              <DueOrOwed of={row} />
              {action(row)}
            </RowLine>
          </RowCard>
        )}
        empty={<EmptyState title={t('empty.returns')}>{t('emptyHint.returns')}</EmptyState>}
      />
      {settled && <SettleRefund of={settled} onClose={() => setSettled(undefined)} />}
    </>
  );
}

/** Why the last attempt to send a refund failed, on request. */
function Trouble({ text }: { text: string }) {
  const { t } = useTranslation('payments');
  const label = t('returns.trouble');
  return (
    <Popover
      label={label}
      trigger={
        <IconButton size="small" label={label} className={s.trouble}>
          <Warning size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      <div className={s.troubleText}>
        <strong>{label}</strong>
        <p>{text}</p>
      </div>
    </Popover>
  );
}

function Due({ at }: { at: string | null | undefined }) {
  if (!at) return <span>–</span>;
  return (
    <strong>
      <UntilText value={at} />
    </strong>
  );
}

/** What presses most. */
function DueOrOwed({ of: row }: { of: PaymentReturn }) {
  const { t } = useTranslation('payments');
  const due = dueAt(row);
  if (due) return <span>{fillText((marks) => t('returns.dueOf', marks), { Time: <Due at={due} /> })}</span>;
  return (
    <span>{isPositive(row.Owed) && t('returns.owes', { Owed: core().displayMoney(row.Owed, row.Currency) })}</span>
  );
}

/** Saves a PDF with what the shop knows of a disputed payment. */
function EvidenceButton({ of: { ReturnId, OrderNumber } }: { of: PaymentReturn }) {
  const { t } = useTranslation('payments');
  const call = useCall(disputeEvidence);
  return (
    <Button
      size="small"
      variant="ghost"
      className={s.evidence}
      icon={<DownloadSimple size={15} aria-hidden="true" />}
      loading={call.isBusy}
      aria-label={t('returns.saveEvidence', { OrderNumber })}
      onClick={() => call.run({ ReturnId }, saveFile)}
    >
      {t('returns.evidence')}
    </Button>
  );
}
