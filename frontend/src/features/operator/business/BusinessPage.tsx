// The business at a glance, for operators: what waits for a person, today, and the figures of a range.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { businessQuery, setupStepsQuery, tasksQuery } from '@/api/business';
import { BusinessRange } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { useFilters } from '@/ui/listAddress';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import s from './business.module.css';
import { Charts, LoadingCharts } from './Charts';
import { Checklist, isOpen } from './Checklist';
import { useChecklist } from './checklist';
import { Figures } from './Figures';
import { Products } from './Products';
import { rangeIn } from './ranges';
import { TaskList } from './TaskList';
import { Today } from './Today';

/** The screen stays open all day. */
const POLL_MS = 60_000;

export function BusinessPage() {
  const { t } = useTranslation('business');
  const [filters, change] = useFilters(['Range']);
  const range = rangeIn(filters.Range);
  const { isHidden, setHidden } = useChecklist();
  const may = useMay();
  const hasSteps = may('Operator/GetSetupStepList');
  const hasTasks = may('Operator/GetTaskList');
  const steps = useQuery({ ...setupStepsQuery, enabled: hasSteps });
  const tasks = useQuery({ ...tasksQuery, refetchInterval: POLL_MS, enabled: hasTasks });
  const business = useQuery({ ...businessQuery(range), refetchInterval: POLL_MS });
  const data = business.data;
  const hasChecklist = steps.data !== undefined && isOpen(steps.data);
  return (
    <Page wide title={t('title')} description={t('lead')}>
      {(hasSteps && steps.isPending) || (hasTasks && tasks.isPending) ? (
        // Neither may move what is below it.
        <Card>
          <LoadingState rows={8} />
        </Card>
      ) : (
        <>
          {hasChecklist && !isHidden && <Checklist steps={steps.data} />}
          <Card>
            <div className={s.present}>
              {hasTasks && (
                <section>
                  <h2>{t('tasks.title')}</h2>
                  {tasks.data ? (
                    <TaskList tasks={tasks.data} />
                  ) : (
                    <Failed text={t('tasks.failed')} onRetry={() => tasks.refetch()} />
                  )}
                </section>
              )}
              <section>
                <h2>{t('today.title')}</h2>
                <Today business={data} isFailed={business.isError} />
              </section>
            </div>
          </Card>
          <div className={s.range} data-stale={business.isPlaceholderData || undefined} aria-busy={business.isFetching}>
            <Figures
              range={range}
              business={data}
              isFailed={business.isError}
              onRange={(next) => change({ Range: next === BusinessRange.Days30 ? '' : next })}
            />
            {business.isError && !data ? (
              <Card>
                <ErrorState error={business.error} onRetry={() => business.refetch()} />
              </Card>
            ) : (
              <>
                <div className={s.charts}>{data ? <Charts business={data} /> : <LoadingCharts />}</div>
                {data && <Products business={data} />}
              </>
            )}
          </div>
          {hasChecklist && isHidden && (
            <div className={s.foot}>
              <Button size="small" variant="ghost" onClick={() => setHidden(false)}>
                {t('steps.show')}
              </Button>
            </div>
          )}
          {steps.isError && !steps.data && (
            <div className={s.foot}>
              <Failed text={t('steps.failed')} onRetry={() => steps.refetch()} />
            </div>
          )}
        </>
      )}
    </Page>
  );
}

/** A part that could not be loaded, in one line. */
function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <p className={s.failed} role="alert">
      {text}
      <Button size="small" onClick={onRetry}>
        {t('retry')}
      </Button>
    </p>
  );
}
