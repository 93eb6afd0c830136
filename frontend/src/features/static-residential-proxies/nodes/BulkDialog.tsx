// Dialog of a bulk action on proxies: form, progress and result.
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import type { Sender } from '@/api/useCall';
import type { FieldErrors } from '@/core';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Progress } from '@/ui/Progress';
import { ScrolledTable } from '@/ui/ScrolledTable';
import { showToast } from '@/ui/toast';
import s from '../static.module.css';
import type { BulkSelection } from './bulkSelection';
import { useFailureText } from './useFailureText';

interface BulkDialogProps<Body> {
  title: string;
  selection: BulkSelection;
  submit: string;
  canSubmit?: boolean;
  onClose: (isDone: boolean) => void;
  call: Sender<Body, Schemas['BulkResult']>;
  body: Body;
  /** Validates the fields. */
  check?: () => FieldErrors;
  /** What was done to a number of proxies. */
  done: (count: number) => string;
  children: ReactNode;
}

export function BulkDialog<Body>(props: BulkDialogProps<Body>) {
  const { title, selection, submit, canSubmit = true, check, onClose, body, call, done, children } = props;
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const formId = useId();
  const [result, setResult] = useState<Schemas['BulkResult']>();
  const run = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!canSubmit) return;
    const onDone = (outcome: Schemas['BulkResult']) => {
      if (outcome.Failed.length > 0) return setResult(outcome);
      showToast(done(outcome.Changed), 'success');
      onClose(true);
    };
    call.submit(event, { broken: check?.() ?? {}, body, onDone });
  };
  return (
    <Dialog
      open
      onClose={() => onClose(result !== undefined)}
      title={title}
      actions={
        result ? (
          <Button variant="primary" onClick={() => onClose(true)}>
            {t('common:done')}
          </Button>
        ) : (
          <>
            <Button onClick={() => onClose(false)}>{t('common:cancel')}</Button>
            <Button type="submit" form={formId} variant="primary" disabled={!canSubmit} loading={call.isBusy}>
              {submit}
            </Button>
          </>
        )
      }
    >
      {result ? (
        <BulkOutcome selection={selection} result={result} done={done} />
      ) : (
        <form id={formId} className={s.form} onSubmit={run} noValidate>
          {children}
          {call.isBusy && <Progress label={t('result.working', { count: selection.count })} />}
        </form>
      )}
    </Dialog>
  );
}

interface BulkOutcomeProps {
  selection: BulkSelection;
  done: (count: number) => string;
  result: Schemas['BulkResult'];
}

/** Number of changed proxies, and why others failed. */
function BulkOutcome({ selection, result, done }: BulkOutcomeProps) {
  const { t } = useTranslation('static_residential_proxies');
  return (
    <div className={s.form}>
      {result.Changed > 0 && <Notice tone="good">{done(result.Changed)}</Notice>}
      <Notice tone="warn">{t('result.failed', { count: result.Failed.length })}</Notice>
      <Failures selection={selection} failed={result.Failed} />
    </div>
  );
}

/** A row for each proxy that was not changed. */
export function Failures({ selection, failed }: { selection: BulkSelection; failed: Schemas['NodeResult'][] }) {
  const { t } = useTranslation('static_residential_proxies');
  const failureText = useFailureText();
  return (
    <ScrolledTable label={t('result.failed', { count: failed.length })}>
      <thead>
        <tr>
          <th scope="col">{t('list.ip')}</th>
          <th scope="col">{t('result.why')}</th>
        </tr>
      </thead>
      <tbody>
        {failed.map((row) => (
          <tr key={row.NodeId}>
            <td>
              <code>{row.Ip ?? selection.rows.find((node) => node.NodeId === row.NodeId)?.Ip ?? `#${row.NodeId}`}</code>
            </td>
            <td data-wrap>{failureText(row.Code)}</td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}
