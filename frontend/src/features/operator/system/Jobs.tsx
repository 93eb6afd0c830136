// The background jobs and the last run of each, those with a problem first.
import { useTranslation } from 'react-i18next';
import type { Job } from '@/api/system';
import { JobState } from '@/core/constants.gen';
import { SegmentedControl } from '@/ui/Controls';
import { useFilters } from '@/ui/listAddress';
import type { Tone } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { Badge, EmptyState } from '@/ui/State';
import { AgoText, localTime, untilText, useNumber } from '@/ui/texts';
import { pauseText, tookText } from './durations';
import s from './system.module.css';
import { usePhone } from './usePhone';

const TONES: Record<JobState, Tone> = { running: 'good', failing: 'bad', late: 'warn' };
const MINUTE_MS = 60_000;

const hasProblem = ({ State }: Job) => State !== JobState.Running;

export function Jobs({ jobs }: { jobs: Job[] }) {
  const { t } = useTranslation('system');
  const number = useNumber();
  const isPhone = usePhone();
  const [{ Show }, change] = useFilters(['Show']);
  const problems = jobs.filter(hasProblem);
  const show = Show === 'problems' ? 'problems' : 'all';
  const shown = show === 'problems' ? problems : [...problems, ...jobs.filter((job) => !hasProblem(job))];
  const Rows = isPhone ? JobCards : JobTable;
  const withCount = (text: string, count: number) => (
    <>
      {text} <span className={s.count}>{number(count)}</span>
    </>
  );
  const filter = (problems.length > 0 || show === 'problems') && (
    <SegmentedControl
      label={t('runs.show')}
      value={show}
      segments={[
        { value: 'all', label: withCount(t('runs.all'), jobs.length) },
        { value: 'problems', label: withCount(t('runs.problems'), problems.length) },
      ]}
      onChange={(next) => change({ Show: next === 'all' ? '' : next })}
    />
  );
  if (jobs.length === 0) {
    return (
      <Card title={t('runs.title')}>
        <EmptyState title={t('runs.none')}>{t('runs.noneHint')}</EmptyState>
      </Card>
    );
  }
  return (
    <Card title={t('runs.title')} aside={filter}>
      <div className={s.part}>
        <p className={s.soft}>{t('runs.lead')}</p>
        {shown.length > 0 ? (
          <Rows jobs={shown} />
        ) : (
          <EmptyState title={t('runs.fine')}>{t('runs.fineHint')}</EmptyState>
        )}
      </div>
    </Card>
  );
}

const StateBadge = ({ job: { State } }: { job: Job }) => {
  const { t } = useTranslation('system');
  return <Badge tone={TONES[State]}>{t(`state.${State}`)}</Badge>;
};

/** Runs are known a minute later, so that the next one of most jobs is over. */
function Next({ job: { State, NextAt }, isLine = false }: { job: Job; isLine?: boolean }) {
  const { t, i18n } = useTranslation('system');
  if (State === JobState.Late) return isLine ? null : <span>–</span>;
  const isNear = localTime(NextAt).getTime() - Date.now() < MINUTE_MS;
  const now = t(isLine ? 'runs.nextNowLine' : 'runs.nextNow');
  const until = untilText(NextAt, i18n.language);
  return (
    <time dateTime={NextAt.replace(' ', 'T')} title={NextAt}>
      {isNear ? now : isLine ? t('runs.nextLine', { Time: until }) : until}
    </time>
  );
}

/** Why a job fails, and since when. */
function Problem({ job: { State, Error: error, FailingSince } }: { job: Job }) {
  const { t } = useTranslation('system');
  return (
    <div className={s.problem}>
      {State === JobState.Late && <p>{t('runs.lateHint')}</p>}
      {FailingSince && (
        <p>
          <AgoText value={FailingSince} justNow={t('runs.sinceNow')} phrase={(Ago) => t('runs.since', { Ago })} />
        </p>
      )}
      {error && <pre lang="en">{error}</pre>}
    </div>
  );
}

interface RowsProps {
  jobs: Job[];
}

function JobTable({ jobs }: RowsProps) {
  const { t } = useTranslation('system');
  return (
    <table className={s.table}>
      <caption className="visually-hidden">{t('runs.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('runs.job')}</th>
          <th scope="col">{t('runs.state')}</th>
          <th scope="col">{t('runs.last')}</th>
          <th scope="col">{t('runs.next')}</th>
          <th scope="col">{t('runs.pause')}</th>
          <th scope="col" data-right>
            {t('runs.took')}
          </th>
        </tr>
      </thead>
      {jobs.map((job) => (
        <JobRows key={job.Job} job={job} />
      ))}
    </table>
  );
}

function JobRows({ job }: { job: Job }) {
  const { t, i18n } = useTranslation('system');
  return (
    <tbody>
      <tr>
        <th scope="row">{t(`jobs.${job.Job}`)}</th>
        <td>
          <StateBadge job={job} />
        </td>
        <td>
          <AgoText value={job.BeganAt} justNow={t('runs.justNow')} />
        </td>
        <td>
          <Next job={job} />
        </td>
        <td>{pauseText(job.PauseSeconds, i18n.language)}</td>
        <td data-right>{tookText(job.TookMs, i18n.language)}</td>
      </tr>
      {hasProblem(job) && (
        <tr data-more>
          <td colSpan={6}>
            <Problem job={job} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

function JobCards({ jobs }: RowsProps) {
  const { t, i18n } = useTranslation('system');
  return (
    <ul className={s.rows} aria-label={t('runs.title')}>
      {jobs.map((job) => (
        <li key={job.Job}>
          <RowCard low>
            <RowLine>
              <strong>{t(`jobs.${job.Job}`)}</strong>
              <StateBadge job={job} />
            </RowLine>
            <RowLine soft>
              <AgoText
                value={job.BeganAt}
                justNow={t('runs.lastNowLine')}
                phrase={(Ago) => t('runs.lastLine', { Ago })}
              />
              <span>{tookText(job.TookMs, i18n.language)}</span>
            </RowLine>
            <RowLine soft wrap>
              <span>{t('runs.pauseLine', { Pause: pauseText(job.PauseSeconds, i18n.language) })}</span>
              <Next job={job} isLine />
            </RowLine>
            {hasProblem(job) && <Problem job={job} />}
          </RowCard>
        </li>
      ))}
    </ul>
  );
}
