// The shop's own machinery, for operators: its health, backups, background jobs, and the version.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { backupsQuery, jobsQuery } from '@/api/system';
import { useMay } from '@/stores/may';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { Backups } from './Backups';
import { HealthCheck } from './HealthCheck';
import { Jobs } from './Jobs';
import s from './system.module.css';

/** While the screen is visible. */
const POLL_MS = 30_000;
const JOB_ROWS = 12;

export function SystemPage() {
  const { t } = useTranslation('system');
  const may = useMay();
  const backups = useQuery({ ...backupsQuery, refetchInterval: POLL_MS });
  const jobs = useQuery({ ...jobsQuery, refetchInterval: POLL_MS });
  return (
    <Page title={t('title')} description={t('lead')}>
      {may('Operator/ExamineShop') && <HealthCheck />}
      {backups.data ? (
        <Backups list={backups.data} />
      ) : (
        <Card title={t('backups.title')}>
          {backups.isError ? (
            <ErrorState error={backups.error} onRetry={() => backups.refetch()} />
          ) : (
            <LoadingState rows={5} />
          )}
        </Card>
      )}
      {jobs.data ? (
        <Jobs jobs={jobs.data} />
      ) : (
        <Card title={t('runs.title')}>
          {jobs.isError ? (
            <ErrorState error={jobs.error} onRetry={() => jobs.refetch()} />
          ) : (
            <LoadingState rows={JOB_ROWS} />
          )}
        </Card>
      )}
      {backups.data && (
        <p className={s.version}>{t('version', { Version: backups.data.Version, Database: backups.data.Database })}</p>
      )}
    </Page>
  );
}
