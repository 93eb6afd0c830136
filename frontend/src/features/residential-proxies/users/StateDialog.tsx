// Pauses, resumes, resets or deletes proxy users: previews the effect, then reports who was skipped.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import type { ProxyUsersChanged, ProxyUserView } from '@/api/proxyUsers';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Progress } from '@/ui/Progress';
import { ScrolledBox } from '@/ui/ScrolledTable';
import { ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import { allUsers } from '../proxyUserList';
import { type Change, isAllowed } from './UserActions';
import { StateBadge } from './UserCells';
import s from './users.module.css';
import type { UserFilter } from './useUserFilter';

const CALLS = {
  pause: 'ProxyUsers/PauseProxyUsers',
  resume: 'ProxyUsers/ResumeProxyUsers',
  reset: 'ProxyUsers/ResetProxyUsers',
  delete: 'ProxyUsers/DeleteProxyUsers',
} as const;

interface StateDialogProps {
  change: Change;
  /** Selected users, or the filter if all matches were selected. */
  selection: ProxyUserView[] | UserFilter;
  onClose: (isDone: boolean) => void;
}

export function StateDialog({ change, selection, onClose }: StateDialogProps) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const isAll = !Array.isArray(selection);
  const matching = useQuery({
    queryKey: ['proxy-users', 'all', isAll && selection.filters],
    queryFn: () => (isAll ? allUsers(selection) : []),
    enabled: isAll,
    staleTime: 0,
  });
  const users = isAll ? matching.data : selection;
  const [outcome, setOutcome] = useState<{ of: ProxyUserView[]; result: ProxyUsersChanged }>();
  const fit = users?.filter((user) => isAllowed(user.State, change)) ?? [];
  const skipped = (users?.length ?? 0) - fit.length;

  const run = async () => {
    if (once.isBusy || !users) return;
    const body = { ProxyUserIds: users.map((user) => user.ProxyUserId) };
    try {
      const result = await once.send([change, body], (options) => post(CALLS[change], body, options));
      await queryClient.invalidateQueries({ queryKey: ['proxy-users'], refetchType: 'active' });
      if (result.Skipped.length > 0) return setOutcome({ of: users, result });
      showToast(t(`change.${change}.done`, { count: result.Changed }), 'success');
      onClose(true);
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    }
  };

  const [only] = users ?? [];
  const title =
    users?.length === 1 && only
      ? t(`change.${change}.titleOne`, { Name: only.Name })
      : t(`change.${change}.title`, { count: users?.length ?? 0 });
  if (outcome) return <Outcome change={change} {...outcome} title={title} onClose={() => onClose(true)} />;
  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title={title}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{t('common:cancel')}</Button>
          <Button
            variant={change === 'delete' ? 'danger' : 'primary'}
            disabled={fit.length === 0}
            loading={once.isBusy}
            onClick={run}
          >
            {t(`action.${change}`)}
          </Button>
        </>
      }
    >
      <div className={s.form}>
        {matching.isError && <ErrorState onRetry={() => matching.refetch()} />}
        {isAll && matching.isPending && <LoadingState rows={2} />}
        {users && (
          <>
            <p>{t(`change.${change}.what`)}</p>
            {skipped > 0 && <Notice tone="warn">{t(`change.${change}.skipped`, { count: skipped })}</Notice>}
          </>
        )}
        {once.isBusy && <Progress label={t('change.working', { count: fit.length })} />}
      </div>
    </Dialog>
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
