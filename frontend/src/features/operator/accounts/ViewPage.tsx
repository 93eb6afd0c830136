// Asks before the operator sees the shop as a customer, in this tab.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { accountQuery, viewAsCustomer } from '@/api/operator';
import { useCall } from '@/api/useCall';
import { OPERATOR_PATH, VIEW_MINUTES } from '@/core/constants.gen';
import { beginView } from '@/stores/user';
import { Button, ButtonLink } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { lengthsOfTime } from '@/ui/texts';
import s from './accounts.module.css';

export function ViewPage() {
  const { t, i18n } = useTranslation('accounts');
  const accountId = Number(useParams().accountId);
  const found = useQuery(accountQuery(accountId));
  const call = useCall(viewAsCustomer, { silent: true });
  const email = found.data?.Account.Email;
  const begin = () =>
    call.run({ AccountId: accountId }, (view) => {
      // If it fails, the API client has said so.
      beginView(view, accountId).catch(() => {});
    });
  return (
    <Page title={t('view.title')} opened={email ?? null}>
      {found.isPending && <LoadingState rows={3} />}
      {found.isError && !found.data && <ErrorState error={found.error} onRetry={() => found.refetch()} />}
      {email && (
        <Card>
          <div className={s.form}>
            <p>
              {fillText((marks) => t('view.lead', { ...marks, Time: lengthsOfTime([VIEW_MINUTES], i18n.language) }), {
                Email: <strong>{email}</strong>,
              })}
            </p>
            <p className={s.soft}>{t('view.recorded')}</p>
            {call.message && <Notice tone="bad">{call.message}</Notice>}
            <div className={s.buttons}>
              <Button variant="primary" loading={call.isBusy} onClick={begin}>
                {t('view.begin')}
              </Button>
              <ButtonLink to={`${OPERATOR_PATH}/accounts/${accountId}`}>{t('view.back')}</ButtonLink>
            </div>
          </div>
        </Card>
      )}
    </Page>
  );
}
