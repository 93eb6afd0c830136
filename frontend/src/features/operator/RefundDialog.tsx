// Refunds an order, after a preview of the result.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, type Schemas } from '@/api/client';
import { refundableQuery, refundOrder, refundPreviewQuery } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { type Currency, core, screenRules } from '@/core';
import { SegmentedControl } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { isOfTraffic } from '@/ui/order/contents';
import s from '@/ui/order/order.module.css';
import { ScrolledTable } from '@/ui/ScrolledTable';
import { DateText, daysAndHours, MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import local from './operator.module.css';

interface RefundDialogProps {
  order: Schemas['OrderView'];
  onClose: () => void;
}

type Mode = 'unused' | 'amount';
const DEBOUNCE_MS = 350;

export function RefundDialog({ order, onClose }: RefundDialogProps) {
  const { t } = useTranslation(['orders', 'common']);
  const call = useCall(refundOrder);
  const [mode, setMode] = useState<Mode>(order.PeriodDays || isOfTraffic(order) ? 'unused' : 'amount');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [excluded, setExcluded] = useState<ReadonlySet<number>>(new Set());
  const [refundable, setRefundable] = useState<number[]>([]);
  const debounced = useDebounced(amount);
  const chosen = refundable.filter((id) => !excluded.has(id));
  const hasScope = mode === 'unused' ? refundable.length === 0 || chosen.length > 0 : true;
  const scopeOf = (typed: string) =>
    mode === 'unused'
      ? { OrderNumber: order.OrderNumber, NodeIds: excluded.size > 0 ? chosen : [] }
      : { OrderNumber: order.OrderNumber, Amount: typed };
  const amountErrors = mode === 'amount' ? checkAmount(debounced, order) : {};
  const preview = useQuery({
    ...refundPreviewQuery(scopeOf(debounced)),
    enabled: hasScope && Object.keys(amountErrors).length === 0,
  });
  const nodes = useQuery({ ...refundableQuery(order.OrderNumber), enabled: mode === 'unused' });
  useEffect(() => {
    if (nodes.data)
      setRefundable(nodes.data.Nodes.filter((node) => node.Becomes !== 'stays').map((node) => node.NodeId));
  }, [nodes.data]);
  // Of a whole order, or of this much of it.
  const beyondLimit = [mode === 'unused' ? nodes.error : null, preview.error].find(isBeyondLimit);
  const hasNothing = mode === 'unused' && nodes.error instanceof CallError && !beyondLimit;
  const shown = mode === 'unused' && (!hasScope || hasNothing) ? undefined : preview.data;

  const refund = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!hasScope) return;
    const typed = { Amount: mode === 'amount' ? amount : '0.01', Reason: reason };
    const refunded = mode === 'amount' ? order.Refunded : '0.00';
    call.submit(event, {
      broken: screenRules().validateRefund(typed, order.Total, refunded),
      body: { ...scopeOf(amount), Reason: reason },
      onDone: (done) => {
        const given = core().displayMoney(done.Amount, done.Currency);
        showToast(t('refund.done', { Amount: given, CreditNote: done.CreditNote ?? '' }), 'success');
        onClose();
      },
    });
  };

  return (
    <FormDialog
      wide
      call={call}
      title={t('refund.title', { OrderNumber: order.OrderNumber })}
      action={
        shown && !preview.isError
          ? t('refund.confirm', { Amount: core().displayMoney(shown.Amount, shown.Currency) })
          : t('refund.confirmNothing')
      }
      danger
      disabled={!shown || preview.isError}
      className={local.refund}
      onSubmit={refund}
      onClose={onClose}
    >
      <SegmentedControl<Mode>
        label={t('refund.what')}
        value={mode}
        segments={[
          { value: 'unused', label: t(isOfTraffic(order) ? 'refund.unusedTraffic' : 'refund.unused') },
          { value: 'amount', label: t('refund.amount') },
        ]}
        onChange={(next) => {
          call.errors.set({});
          setMode(next);
        }}
      />
      {mode === 'amount' && (
        <TextField
          label={t('refund.amountIn', { Currency: order.Currency })}
          inputMode="decimal"
          autoComplete="off"
          hint={t('refund.atMost', {
            Max: core().displayMoney(core().shortfall(order.Refunded, order.Total), order.Currency),
          })}
          {...call.bind('Amount', amount, setAmount)}
        />
      )}
      {mode === 'unused' && nodes.isPending && <LoadingState rows={3} />}
      {hasNothing && (
        <Notice tone="warn">{t(isOfTraffic(order) ? 'refund.nothingOfTraffic' : 'refund.nothing')}</Notice>
      )}
      {beyondLimit && !call.message && <Notice tone="bad">{beyondLimit.message}</Notice>}
      {mode === 'unused' && nodes.data && !isOfTraffic(order) && (
        <NodeTable
          currency={order.Currency}
          nodes={nodes.data.Nodes}
          amounts={new Map(shown?.Nodes.map((node) => [node.NodeId, node.Amount]))}
          excluded={excluded}
          onChange={setExcluded}
        />
      )}
      <TextField label={t('refund.reason')} hint={t('refund.reasonHint')} {...call.bind('Reason', reason, setReason)} />
      {shown && !preview.isError && <Outcome preview={shown} isOld={preview.isPlaceholderData} />}
    </FormDialog>
  );
}

/** Refusals of refunds that only an operator without a limit makes. */
const isBeyondLimit = (error: Error | null): error is CallError =>
  error instanceof CallError && error.data.Key === 'supportRefundLimit';

const checkAmount = (amount: string, order: Schemas['OrderView']) =>
  screenRules().validateRefund({ Amount: amount, Reason: '-' }, order.Total, order.Refunded);

/** Debounces a typed value. */
function useDebounced(typed: string): string {
  const [debounced, setDebounced] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return debounced;
}

interface NodeTableProps {
  currency: Currency;
  nodes: Schemas['RefundNode'][];
  amounts: Map<number, string>;
  excluded: ReadonlySet<number>;
  onChange: (excluded: ReadonlySet<number>) => void;
}

function NodeTable({ currency, nodes, amounts, excluded, onChange }: NodeTableProps) {
  const { t } = useTranslation('orders');
  const toggle = (id: number) => {
    const next = new Set(excluded);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <ScrolledTable label={t('refund.nodes')}>
      <thead>
        <tr>
          <th scope="col">{t('refund.ip')}</th>
          <th scope="col" data-right>
            {t('amount')}
          </th>
          <th scope="col">{t('refund.unusedTime')}</th>
          <th scope="col">{t('refund.outcome')}</th>
        </tr>
      </thead>
      <tbody>
        {nodes.map((node) => {
          const stays = node.Becomes === 'stays' || excluded.has(node.NodeId);
          return (
            <tr key={node.NodeId}>
              <td>
                <label className={local.check}>
                  <input
                    type="checkbox"
                    checked={!stays}
                    disabled={node.Becomes === 'stays'}
                    onChange={() => toggle(node.NodeId)}
                  />
                  <code>{node.Ip}</code>
                </label>
              </td>
              <td data-right>
                {stays ? '–' : <MoneyText amount={amounts.get(node.NodeId) ?? node.Amount} currency={currency} />}
              </td>
              <td>{t('refund.time', daysAndHours(node.UnusedSeconds))}</td>
              <td>
                {stays && (node.Becomes === 'stays' ? t('refund.extended') : t('refund.stays'))}
                {!stays && node.Becomes === 'ends' && t('refund.ends')}
                {!stays &&
                  node.Becomes === 'goes_on' &&
                  fillText((marks) => t('refund.continues', marks), { Time: <DateText value={node.EndsAt ?? null} /> })}
              </td>
            </tr>
          );
        })}
      </tbody>
    </ScrolledTable>
  );
}

function Outcome({ preview, isOld }: { preview: Schemas['RefundPreview']; isOld: boolean }) {
  const { t } = useTranslation('orders');
  const gigabytes = (bytes: number) => t('gigabytes', { Count: core().formatGigabytes(bytes) });
  return (
    <dl className={s.facts} data-old={isOld || undefined} aria-live="polite">
      {preview.Traffic && (
        <>
          <dt>{t('refund.bought')}</dt>
          <dd>{gigabytes(preview.Traffic.BoughtBytes)}</dd>
          <dt>{t('refund.used')}</dt>
          <dd>{gigabytes(preview.Traffic.UsedBytes)}</dd>
          <dt>{t('refund.takenBack')}</dt>
          <dd>{gigabytes(preview.Traffic.ReturnedBytes)}</dd>
        </>
      )}
      <dt>{t('refund.paid')}</dt>
      <dd>
        <MoneyText amount={preview.Paid} currency={preview.Currency} />
      </dd>
      <dt>{t('refund.before')}</dt>
      <dd>
        <MoneyText amount={preview.Refunded} currency={preview.Currency} />
      </dd>
      <dt>{t('refund.now')}</dt>
      <dd>
        <strong>
          <MoneyText amount={preview.Amount} currency={preview.Currency} />
        </strong>
      </dd>
      <dt>{t('refund.after')}</dt>
      <dd>
        <MoneyText amount={preview.LeftAfter} currency={preview.Currency} />
      </dd>
      {preview.IsWhole && (
        <>
          <dt>{t('stateTitle')}</dt>
          <dd>{t('state.refunded')}</dd>
        </>
      )}
    </dl>
  );
}
