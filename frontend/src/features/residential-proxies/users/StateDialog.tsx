// Pauses, resumes, resets or deletes proxy users: previews the effect, then reports who was skipped.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { allUsersQuery, type ProxyUsersChanged, type ProxyUserView, stateChanges } from '@/api/proxyUsers';
import { useCall } from '@/api/useCall';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/FormDialog';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Progress } from '@/ui/Progress';
import { ScrolledBox } from '@/ui/ScrolledTable';
import { ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import { type Change, isAllowed } from './UserActions';
import { StateBadge } from './UserCells';
import s from './users.module.css';
import type { UserFilter } from './useUserFilter';

interface StateDialogProps {
  change: Change;
  /** Selected users, or the filter if all matches were selected. */
  selection: ProxyUserView[] | UserFilter;
  onClose: (isDone: boolean) => void;
}

export function StateDialog({ change, selection, onClose }: StateDialogProps) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const call = useCall(stateChanges[change]);
  const isAll = !Array.isArray(selection);
  const matching = useQuery({
    ...allUsersQuery(isAll ? { Search: selection.search, Filter: selection.filter } : {}),
    enabled: isAll,
    staleTime: 0,
  });
  const users = isAll ? matching.data : selection;
  const [outcome, setOutcome] = useState<{ of: ProxyUserView[]; result: ProxyUsersChanged }>();
  const fit = users?.filter((user) => isAllowed(user.State, change)) ?? [];
  const skipped = (users?.length ?? 0) - fit.length;

  const run = async () => {
    if (!users) return;
    const result = await call.run({ ProxyUserIds: users.map((user) => user.ProxyUserId) });
    if (!result) return;
    if (result.Skipped.length > 0) return setOutcome({ of: users, result });
    showToast(t(`change.${change}.done`, { count: result.Changed }), 'success');
    onClose(true);
  };

  const [only] = users ?? [];
  const title =
    users?.length === 1 && only
      ? t(`change.${change}.titleOne`, { Name: only.Name })
      : t(`change.${change}.title`, { count: users?.length ?? 0 });
  if (outcome) return <Outcome change={change} {...outcome} title={title} onClose={() => onClose(true)} />;
  return (
    <ConfirmDialog
      call={call}
      title={title}
      action={t(`action.${change}`)}
      danger={change === 'delete'}
      disabled={fit.length === 0}
      onConfirm={run}
      onClose={() => onClose(false)}
    >
      <div className={s.form}>
        {matching.isError && <ErrorState error={matching.error} onRetry={() => matching.refetch()} />}
        {isAll && matching.isPending && <LoadingState rows={2} />}
        {users && (
          <>
            <p>{t(`change.${change}.what`)}</p>
            {skipped > 0 && <Notice tone="warn">{t(`change.${change}.skipped`, { count: skipped })}</Notice>}
          </>
        )}
        {call.isBusy && <Progress label={t('change.working', { count: fit.length })} />}
      </div>
    </ConfirmDialog>
  );
}

interface OutcomeProps {
  change: Change;
  title: string;
  of: ProxyUserView[];
  result: ProxyUsersChanged;
  onClose: () => void;
}

/** Number of changed users, and the states of the others. */
function Outcome({ change, title, of, result, onClose }: OutcomeProps) {
  const { t } = useTranslation(['proxy_users', 'common']);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      }
    >
      <div className={s.form}>
        {result.Changed > 0 && <Notice tone="good">{t(`change.${change}.done`, { count: result.Changed })}</Notice>}
        <Notice tone="warn">{t(`change.${change}.skipped`, { count: result.Skipped.length })}</Notice>
        <ScrolledBox label={t('change.unchanged')}>
          <ul className={s.skipped}>
            {result.Skipped.map(({ ProxyUserId, State }) => (
              <li key={ProxyUserId}>
                <code>{of.find((user) => user.ProxyUserId === ProxyUserId)?.Name ?? `#${ProxyUserId}`}</code>
                <StateBadge state={State} />
              </li>
            ))}
          </ul>
        </ScrolledBox>
      </div>
    </Dialog>
  );
}
