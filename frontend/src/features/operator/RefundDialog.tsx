// Refunds an order to the wallet or to where its money came from, after a preview of the result.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, type Schemas } from '@/api/client';
import { refundableQuery, refundOrder, refundPreviewQuery } from '@/api/operatorPayments';
import { useCall } from '@/api/useCall';
import { type Currency, core, type FieldErrors, screenRules } from '@/core';
import { lesser } from '@/core/money';
import { SegmentedControl } from '@/ui/Controls';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { fillText } from '@/ui/fillText';
import { useRuleText } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { isOfTraffic } from '@/ui/order/contents';
import s from '@/ui/order/order.module.css';
import { ScrolledTable } from '@/ui/ScrolledTable';
import { DateText, daysAndHours, MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import local from './operator.module.css';
import { isOfTopUp, RefundTo, TopUpRefundTo, useRefundSource } from './RefundTo';

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
  const isTopUp = isOfTopUp(order);
  const [toSource, setToSource] = useState(isTopUp);
  const debounced = useDebounced(amount);
  const chosen = refundable.filter((id) => !excluded.has(id));
  const hasScope = mode === 'unused' ? refundable.length === 0 || chosen.length > 0 : true;
  const scopeOf = (typed: string) =>
    mode === 'unused'
      ? { OrderNumber: order.OrderNumber, NodeIds: excluded.size > 0 ? chosen : [], ToSource: toSource }
      : { OrderNumber: order.OrderNumber, Amount: typed, ToSource: toSource };
  const found = useRefundSource(order);
  const left = core().shortfall(order.Refunded, order.Total);
  const most = toSource && found.source ? lesser(found.source.Left, left) : left;
  const check = (Amount: string, Reason: string) => screenRules().validateRefund({ Amount, Reason }, most, '0.00');
  const amountErrors = mode === 'amount' ? check(debounced, '-') : {};
  const preview = useQuery({
    ...refundPreviewQuery(scopeOf(debounced)),
    enabled: hasScope && Object.keys(amountErrors).length === 0,
  });
  // What the button names is what it refunds. It stays there for an amount that is refused at its field.
  const isOld = preview.isPlaceholderData || (mode === 'amount' && debounced !== amount);
  const isComing = isOld && (mode !== 'amount' || Object.keys(check(amount, '-')).length === 0);
  const nodes = useQuery({ ...refundableQuery(order.OrderNumber), enabled: mode === 'unused' });
  useEffect(() => {
    if (nodes.data)
      setRefundable(nodes.data.Nodes.filter((node) => node.Becomes !== 'stays').map((node) => node.NodeId));
  }, [nodes.data]);
  // Of a whole order, or of this much of it.
  const beyondLimit = [mode === 'unused' ? nodes.error : null, preview.error].find(isBeyondLimit);
  const hasNothing = mode === 'unused' && nodes.error instanceof CallError && !beyondLimit;
  const shown = mode === 'unused' && (!hasScope || hasNothing) ? undefined : preview.data;
  // All at once, so that nothing moves. The amount of a top-up is what is typed first.
  const isLoading = !isTopUp && (found.isPending || (mode === 'unused' && nodes.isPending));
  const isHopeless = isTopUp && !found.isPending && !found.source;
  const refused = fieldsOf(preview.error);
  const ruleText = useRuleText(Object.keys(refused).length > 0);
  const errorOf = (field: 'Amount' | 'ToSource') => {
    const [broken] = refused[field] ?? [];
    return call.errors.textOf(field) ?? (broken && ruleText(broken));
  };

  const doneText = (done: Schemas['RefundPreview']) => {
    const Amount = core().displayMoney(done.Amount, done.Currency);
    const { CreditNote } = done;
    const gateway = toSource && found.source?.Gateway;
    if (!gateway) return t('refund.done', { Amount, CreditNote: CreditNote ?? '' });
    const Method = t(`method.${gateway}`);
    return CreditNote
      ? t('refund.doneToSource', { Amount, Method, CreditNote })
      : t('refund.doneTopUp', { Amount, Method });
  };

  const refund = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!hasScope) return;
    call.submit(event, {
      broken:
        mode === 'amount'
          ? check(amount, reason)
          : screenRules().validateRefund({ Amount: '0.01', Reason: reason }, order.Total, '0.00'),
      body: { ...scopeOf(amount), Reason: reason },
      onDone: (done) => {
        showToast(doneText(done), 'success');
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
        shown && !isOld && !preview.isError
          ? t('refund.confirm', { Amount: core().displayMoney(shown.Amount, shown.Currency) })
          : t('refund.confirmNothing')
      }
      danger
      disabled={!shown || isComing || preview.isError}
      className={local.refund}
      onSubmit={refund}
      onClose={onClose}
    >
      {!isTopUp && (
        <>
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
          {!isLoading && (
            <RefundTo
              order={order}
              found={found}
              toSource={toSource}
              error={errorOf('ToSource')}
              onChange={(next) => {
                call.errors.set({});
                setToSource(next);
              }}
            />
          )}
        </>
      )}
      {isLoading && <LoadingState rows={3} />}
      {mode === 'amount' && !isLoading && !isHopeless && (
        <TextField
          label={t('refund.amountIn', { Currency: order.Currency })}
          inputMode="decimal"
          autoComplete="off"
          hint={t('refund.atMost', { Max: core().displayMoney(most, order.Currency) })}
          {...call.bind('Amount', amount, setAmount)}
          error={errorOf('Amount')}
        />
      )}
      {isTopUp && <TopUpRefundTo found={found} error={errorOf('ToSource')} />}
      {hasNothing && (
        <Notice tone="warn">{t(isOfTraffic(order) ? 'refund.nothingOfTraffic' : 'refund.nothing')}</Notice>
      )}
      {beyondLimit && !call.message && <Notice tone="bad">{beyondLimit.message}</Notice>}
      {mode === 'unused' && nodes.data && !isLoading && !isOfTraffic(order) && (
        <NodeTable
          currency={order.Currency}
          nodes={nodes.data.Nodes}
          amounts={new Map(shown?.Nodes.map((node) => [node.NodeId, node.Amount]))}
          excluded={excluded}
          onChange={setExcluded}
        />
      )}
      {!isHopeless && (
        <TextField
          label={t('refund.reason')}
          hint={t(isTopUp ? 'refund.reasonHintTopUp' : 'refund.reasonHint')}
          {...call.bind('Reason', reason, setReason)}
        />
      )}
      {shown && !preview.isError && <Outcome preview={shown} toSource={toSource} isOld={preview.isPlaceholderData} />}
    </FormDialog>
  );
}

/** Refusals of refunds that only an operator without a limit makes. */
const isBeyondLimit = (error: Error | null): error is CallError =>
  error instanceof CallError && error.data.Key === 'supportRefundLimit';

/** The rules that a preview breaks, by field. */
const fieldsOf = (error: Error | null): FieldErrors =>
  (error instanceof CallError && (error.data.Fields as FieldErrors | undefined)) || {};

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

interface OutcomeProps {
  preview: Schemas['RefundPreview'];
  toSource: boolean;
  isOld: boolean;
}

function Outcome({ preview, toSource, isOld }: OutcomeProps) {
  const { t } = useTranslation('orders');
  const { Charged, ChargedCurrency } = (toSource && preview.Source) || {};
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
      {Charged && ChargedCurrency && ChargedCurrency !== preview.Currency && (
        <>
          <dt>{t('refund.arrivesAs')}</dt>
          <dd>
            <MoneyText amount={Charged} currency={ChargedCurrency} />
          </dd>
        </>
      )}
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
