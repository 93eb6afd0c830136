// Dialog of a bulk action on proxies: form, progress and result.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Progress } from '@/ui/Progress';
import { ScrolledTable } from '@/ui/ScrolledTable';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from '../static.module.css';
import type { BulkSelection } from './bulkSelection';
import { useFailureText } from './useFailureText';

interface BulkDialogProps {
  title: string;
  selection: BulkSelection;
  submit: string;
  canSubmit?: boolean;
  /** Validates the fields; nothing is sent unless it returns true. */
  check?: () => boolean;
  onClose: (isDone: boolean) => void;
  /** The request body: an unchanged body is sent with the same idempotency key. */
  asked: unknown;
  call: (once: { idempotencyKey: string }) => Promise<Schemas['BulkResult']>;
  /** Takes field errors; returns whether there were any. */
  onError?: (error: unknown) => void;
  children: ReactNode;
}

export function BulkDialog(props: BulkDialogProps) {
  const { title, selection, submit, canSubmit = true, check, onClose, asked, call, onError, children } = props;
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const formId = useId();
  const [result, setResult] = useState<Schemas['BulkResult']>();
  const run = async (event: FormEvent) => {
    event.preventDefault();
    if (once.isBusy || !canSubmit || check?.() === false) return;
    try {
      const done = await once.send(asked, call);
      await Promise.all(
        ['proxy-list', 'groups', 'plans', 'ver-auth'].map((name) =>
          queryClient.invalidateQueries({ queryKey: [name], refetchType: 'active' }),
        ),
      );
      if (done.Failed.length > 0) return setResult(done);
      showToast(t('result.changed', { count: done.Changed }), 'success');
      onClose(true);
    } catch (error) {
      onError?.(error);
    }
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
            <Button type="submit" form={formId} variant="primary" disabled={!canSubmit} loading={once.isBusy}>
              {submit}
            </Button>
          </>
        )
      }
    >
      {result ? (
        <BulkOutcome selection={selection} result={result} />
      ) : (
        <form id={formId} className={s.form} onSubmit={run} noValidate>
          {children}
          {once.isBusy && <Progress label={t('result.working', { count: selection.count })} />}
        </form>
      )}
    </Dialog>
  );
}

/** Number of changed proxies, and why others failed. */
function BulkOutcome({ selection, result }: { selection: BulkSelection; result: Schemas['BulkResult'] }) {
  const { t } = useTranslation('static_residential_proxies');
  return (
    <div className={s.form}>
      {result.Changed > 0 && <Notice tone="good">{t('result.changed', { count: result.Changed })}</Notice>}
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
