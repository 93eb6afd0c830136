// Switches proxies to other IPs: mode, reason, preview, and result.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, type Schemas } from '@/api/client';
import { type SwitchResult, switchNodes, switchPreviewQuery } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { SwitchMode } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { useCatalogue } from '@/stores/plan';
import { refreshWallet } from '@/stores/user';
import { Button, ButtonLink } from '@/ui/Button';
import { OptionList } from '@/ui/Controls';
import { copy } from '@/ui/CopyButton';
import { nothingSelected, type Selection } from '@/ui/DataGrid';
import { SelectField, TextField } from '@/ui/Field';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Progress } from '@/ui/Progress';
import { ScrolledTable } from '@/ui/ScrolledTable';
import { ErrorState } from '@/ui/State';
import { MoneyText } from '@/ui/texts';
import { NodePicker } from '../NodePicker';
import s from '../static.module.css';
import type { ActionProps } from './bulkSelection';
import local from './nodes.module.css';
import { useFailureText } from './useFailureText';

type Item = Schemas['SwitchItem'];

const REASONS = ['blocked', 'slow', 'offline', 'location', 'other'] as const;

/** Whether the item succeeded, by core's rule for response codes. */
const isDone = (item: Item) => core().judgeAnswer({ HttpStatus: 200, Code: item.Code }).IsSuccess;

export function SwitchDialog({ selection, onClose }: ActionProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const catalogue = useCatalogue();
  const call = useCall(switchNodes, { silent: true });
  const [mode, setMode] = useState<SwitchMode>(SwitchMode.Quota);
  const [why, setWhy] = useState<(typeof REASONS)[number] | ''>('');
  const [otherReason, setOtherReason] = useState('');
  const [selected, setSelected] = useState<Selection<Schemas['PurchasableNode']>>(nothingSelected);
  const result = call.answer;
  const node = selection.count === 1 ? selection.rows[0] : undefined;
  const reason = why === 'other' ? otherReason.trim() : why && t(`switch.reasons.${why}`);
  const newNodeId = mode === SwitchMode.Specified ? selected.rows[0]?.NodeId : undefined;
  const chosen = node && newNodeId !== undefined ? { NodeId: node.NodeId, NewNodeId: newNodeId } : undefined;
  const wanted = { mode, nodes: selection.body, chosen };
  const isComplete = mode !== SwitchMode.Specified || newNodeId !== undefined;

  const preview = useQuery({ ...switchPreviewQuery(wanted), enabled: isComplete && !result });
  const refusal =
    call.refusal ??
    (preview.error instanceof CallError && preview.error.code !== undefined ? preview.error : undefined);
  const ready = preview.isError || preview.isPlaceholderData ? [] : (preview.data?.Items ?? []).filter(isDone);

  const run = () => {
    if (ready.length === 0 || !call.errors.passes(core().validateSwitchReason(reason))) return;
    call.run({ ...wanted, reason }, refreshWallet, () => preview.refetch());
  };

  if (result) return <Outcome result={result} onClose={() => onClose(true)} />;
  return (
    <Dialog
      open
      wide
      onClose={() => onClose(false)}
      title={t('switch.title', { count: selection.count })}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{t('common:cancel')}</Button>
          <Button
            variant="primary"
            disabled={!isComplete || ready.length === 0 || (why === 'other' && reason === '')}
            loading={call.isBusy}
            onClick={run}
          >
            {t('switch.submit', { count: ready.length || selection.count })}
          </Button>
        </>
      }
    >
      <div className={s.form}>
        <p className={s.soft}>{t('switch.lead')}</p>
        <div className={local.columns}>
          <OptionList
            label={t('switch.mode')}
            value={mode}
            onChange={(next) => {
              call.forgetRefusal();
              setMode(next);
            }}
            options={[
              { value: SwitchMode.Quota, label: t('switch.free'), hint: t('switch.freeHint') },
              { value: SwitchMode.UnitPrice, label: t('switch.paid'), hint: t('switch.paidHint') },
              {
                value: SwitchMode.Specified,
                label: t('switch.chosen'),
                hint: node ? t('switch.chosenHint') : t('switch.chosenOneOnly'),
                disabled: !node,
              },
            ]}
          />
          <div className={s.form}>
            <SelectField
              label={t('switch.reason')}
              hint={t('switch.reasonHint')}
              value={why}
              onChange={(event) => setWhy(event.target.value as typeof why)}
            >
              <option value="">{t('switch.noReason')}</option>
              {REASONS.map((one) => (
                <option key={one} value={one}>
                  {t(`switch.reasons.${one}`)}
                </option>
              ))}
            </SelectField>
            {why === 'other' && (
              <TextField label={t('switch.reasons.other')} {...call.bind('Reason', otherReason, setOtherReason)} />
            )}
          </div>
        </div>
        {mode === SwitchMode.Specified && node && !catalogue.data && <LoadingState rows={5} />}
        {mode === SwitchMode.Specified && node && catalogue.data && (
          <NodePicker
            one
            verStr={node.VerStr}
            currency={catalogue.data.Currency}
            initial={{ Country: node.Country, City: node.City }}
            value={selected}
            onChange={setSelected}
            visibleRows={5}
          />
        )}
        <div className={s.form} aria-busy={preview.isFetching}>
          {!isComplete && <Notice>{t('switch.chooseFirst')}</Notice>}
          {refusal && (
            <Notice tone="bad">
              <p>
                {typeof refusal.data.ResetsAt === 'string'
                  ? t('switch.usedUp', {
                      Used: Number(refusal.data.Used),
                      Limit: Number(refusal.data.Limit),
                      Time: refusal.data.ResetsAt,
                    })
                  : refusal.message}
              </p>
              <div className={local.noticeActions}>
                {'Used' in refusal.data && (
                  <Button
                    size="small"
                    onClick={() => {
                      call.forgetRefusal();
                      setMode(SwitchMode.UnitPrice);
                    }}
                  >
                    {t('switch.tryPaid')}
                  </Button>
                )}
                {'Needed' in refusal.data && (
                  <ButtonLink size="small" to="/billing/wallet">
                    {t('switch.topUp')}
                  </ButtonLink>
                )}
              </div>
            </Notice>
          )}
          {preview.isError && !refusal && <ErrorState error={preview.error} onRetry={() => preview.refetch()} />}
          {isComplete && preview.isPending && <LoadingState rows={3} />}
          {isComplete && preview.data && !preview.isError && <SwitchTable result={preview.data} />}
        </div>
        {call.isBusy && <Progress label={t('result.working', { count: ready.length })} />}
      </div>
    </Dialog>
  );
}

/** Old and new IPs side by side, with cost and remaining quota. */
function SwitchTable({ result }: { result: SwitchResult }) {
  const { t } = useTranslation('static_residential_proxies');
  const why = useFailureText();
  const { Quota: quota } = result;
  return (
    <>
      <ScrolledTable label={t('switch.preview')} stacks>
        <thead>
          <tr>
            <th scope="col">{t('switch.old')}</th>
            <th scope="col">{t('switch.new')}</th>
            <th scope="col">{t('switch.place')}</th>
            <th scope="col">{t('list.isp')}</th>
            <th scope="col" data-right>
              {t('switch.cost')}
            </th>
          </tr>
        </thead>
        <tbody>
          {result.Items.map((item) => (
            <tr key={item.NodeId}>
              <td>
                <code>{item.OldIp ?? `#${item.NodeId}`}</code>
              </td>
              {isDone(item) ? (
                <>
                  <td>
                    <span aria-hidden="true">→ </span>
                    <code>{item.NewIp}</code>
                  </td>
                  <td>{item.City && core().cityName(item.City, currentLanguage())}</td>
                  <td>{item.Isp}</td>
                  <td data-right>
                    <MoneyText amount={item.Price} currency={result.Currency} />
                  </td>
                </>
              ) : (
                <td colSpan={4} data-bad>
                  {why(item.Code)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
      <dl className={s.facts}>
        {result.Mode !== SwitchMode.UnitPrice && (
          <div>
            <dt>{result.DryRun ? t('switch.quotaLeftAfter') : t('switch.quotaLeft')}</dt>
            <dd>
              {t('switch.quotaOf', { Left: quota.Left, Limit: quota.Limit })}
              {quota.ResetsAt && (
                <small>
                  {' · '}
                  {t('switch.resets', { Time: quota.ResetsAt })}
                </small>
              )}
            </dd>
          </div>
        )}
        <div>
          <dt>{t('switch.total')}</dt>
          <dd>
            <strong>
              <MoneyText amount={result.Total} currency={result.Currency} />
            </strong>
          </dd>
        </div>
        {result.BalanceAfter && (
          <div>
            <dt>{t('switch.balanceAfter')}</dt>
            <dd data-short={core().isNegative(result.BalanceAfter) || undefined}>
              <MoneyText amount={result.BalanceAfter} currency={result.Currency} />
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Outcome({ result, onClose }: { result: SwitchResult; onClose: () => void }) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const done = result.Items.filter(isDone);
  const failed = result.Items.length - done.length;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('switch.done', { count: done.length })}
      actions={
        <>
          <ButtonLink to="/static-residential-proxies/replaced">{t('switch.showRecords')}</ButtonLink>
          {done.length > 0 && (
            <Button onClick={() => copy(done.map((item) => item.NewIp).join('\n'))}>{t('switch.copyNew')}</Button>
          )}
          <Button variant="primary" onClick={onClose}>
            {t('common:done')}
          </Button>
        </>
      }
    >
      <div className={s.form}>
        {done.length > 0 && <Notice tone="good">{t('switch.done', { count: done.length })}</Notice>}
        {failed > 0 && <Notice tone="warn">{t('switch.partly', { count: failed })}</Notice>}
        <SwitchTable result={result} />
      </div>
    </Dialog>
  );
}
