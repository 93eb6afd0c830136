// The status of the shop's proxy servers, for customers: now, and on each of the last days.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type ServerStatus, serverStatusQuery } from '@/api/status';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Notice, type Tone } from '@/ui/Notice';
import { Card, Page } from '@/ui/Page';
import { Badge, EmptyState, ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { DayBars } from './DayBars';
import s from './status.module.css';
import { type DayLevel, uptimeOf } from './uptime';

const POLL_MS = 30_000;

const TONES: Record<ServerStatus['State'], Tone> = {
  operational: 'good',
  degraded: 'warn',
  down: 'bad',
  unknown: 'neutral',
};
const LEVELS: DayLevel[] = ['good', 'short', 'long', 'unknown'];

export function StatusPage() {
  const { t } = useTranslation('status');
  const servers = useQuery({ ...serverStatusQuery, refetchInterval: POLL_MS });
  return (
    <Page title={t('title')} description={t('lead')}>
      {servers.data ? (
        <Servers servers={servers.data} />
      ) : servers.isError ? (
        <ErrorState error={servers.error} onRetry={() => servers.refetch()} />
      ) : (
        <LoadingState rows={6} />
      )}
    </Page>
  );
}

function Servers({ servers }: { servers: readonly ServerStatus[] }) {
  const { t } = useTranslation('status');
  if (servers.length === 0) return <EmptyState title={t('empty.title')}>{t('empty.hint')}</EmptyState>;
  return (
    <>
      <Summary servers={servers} />
      <ul className={s.legend} aria-label={t('legend')}>
        {LEVELS.map((level) => (
          <li key={level} data-level={level}>
            {t(`level.${level}`)}
          </li>
        ))}
      </ul>
      <ul className={s.servers} aria-label={t('servers')}>
        {servers.map((server) => (
          <li key={server.Name}>
            <Server server={server} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** One sentence about all of them. */
function Summary({ servers }: { servers: readonly ServerStatus[] }) {
  const { t } = useTranslation('status');
  const numberIn = (state: ServerStatus['State']) => servers.filter(({ State }) => State === state).length;
  const [down, degraded, unknown] = [numberIn('down'), numberIn('degraded'), numberIn('unknown')];
  if (down > 0) return <Notice tone="bad">{t('summary.down', { count: down })}</Notice>;
  if (degraded > 0) return <Notice tone="warn">{t('summary.degraded', { count: degraded })}</Notice>;
  if (unknown === servers.length) return <Notice tone="neutral">{t('summary.unknown')}</Notice>;
  return <Notice tone="good">{t(unknown > 0 ? 'summary.someWork' : 'summary.allWork')}</Notice>;
}

function Server({ server: { Name, Kind, State, DownSince, Days } }: { server: ServerStatus }) {
  const { t, i18n } = useTranslation('status');
  const uptime = uptimeOf(Days);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 2 });
  return (
    <Card
      title={Name}
      aside={
        <span className={s.badges}>
          <Badge tone={Kind === 'static' ? 'neutral' : 'accent'}>{t(`kind.${Kind}`)}</Badge>
          <Badge tone={TONES[State]}>{t(`state.${State}`)}</Badge>
        </span>
      }
    >
      {State === 'down' && DownSince && (
        <p className={s.since}>{fillText((marks) => t('since', marks), { Time: <DateText value={DownSince} /> })}</p>
      )}
      <DayBars
        name={Name}
        days={Days}
        aside={<span>{t('uptime', { Percent: uptime === undefined ? '–' : percent.format(uptime) })}</span>}
      />
    </Card>
  );
}
