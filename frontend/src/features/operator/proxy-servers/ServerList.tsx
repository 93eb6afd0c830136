// The registered proxy servers: state, connections, addresses, last contact and actions.
import { ArrowsClockwise, DotsThree, Plus, Trash, TreeStructure, Warning } from '@phosphor-icons/react';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { loadProxyServers, PROXY_SERVERS, type ProxyServer } from '@/api/operator';
import { MAX_COUNTED_NODES, ProxyServerKind } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button, IconButton } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { fillText } from '@/ui/fillText';
import type { Tone } from '@/ui/Notice';
import { Menu } from '@/ui/Overlay';
import { portsOf } from '@/ui/ports';
import { RowActions, RowCard, RowLine } from '@/ui/RowCard';
import { Badge, EmptyState } from '@/ui/State';
import { AgoText, DateText } from '@/ui/texts';
import { NONE, useFigures, useProblems } from './health';
import s from './proxy-servers.module.css';
import { rejectedOf } from './proxyServers';

/** Polling interval, so that a new server's first request appears soon. */
const POLL_MS = 5_000;

type Action = 'assign' | 'rotate' | 'remove';
export type DialogState = { action: 'add' } | { action: Action; server: ProxyServer };

const ICONS = { assign: TreeStructure, rotate: ArrowsClockwise, remove: Trash };
const CALLS: Record<Action, string> = {
  assign: 'Operator/AssignNodes',
  rotate: 'Operator/RotateProxyServer',
  remove: 'Operator/RemoveProxyServer',
};
const ACTIONS = Object.keys(CALLS) as Action[];

export function ServerList({ onOpenDialog }: { onOpenDialog: (dialog: DialogState) => void }) {
  const { t } = useTranslation('proxy_servers');
  const may = useMay();
  const figuresOf = useFigures();
  const hasActions = Object.values(CALLS).some(may);
  const mayAdd = may('Operator/AddProxyServer');
  const actions = useCallback(
    (server: ProxyServer) => (
      <span className={s.actions}>
        <Menu
          trigger={
            <IconButton size="small" label={t('list.actionsOf', { Name: server.Name })}>
              <DotsThree size={18} weight="bold" />
            </IconButton>
          }
          items={ACTIONS.filter(
            (action) => may(CALLS[action]) && (action !== 'assign' || server.Kind === ProxyServerKind.Static),
          ).map((action) => {
            const Icon = ICONS[action];
            return {
              key: action,
              label: t(`action.${action}`),
              icon: <Icon size={17} aria-hidden="true" />,
              danger: action === 'remove',
              onSelect: () => onOpenDialog({ action, server }),
            };
          })}
        />
      </span>
    ),
    [t, may, onOpenDialog],
  );
  const columns = useMemo<Column<ProxyServer>[]>(
    () => [
      {
        field: 'Name',
        title: t('list.name'),
        width: 134,
        always: true,
        cell: (server) => (
          <span className={s.lines} data-lines>
            <strong>{server.Name}</strong>
            <small>{t(`kind.${server.Kind}`)}</small>
          </span>
        ),
      },
      { field: 'State', title: t('list.state'), width: 172, flex: 1, cell: (server) => <State server={server} /> },
      {
        field: 'Connections',
        title: t('list.connections'),
        width: 122,
        align: 'right',
        cell: (server) => figuresOf(server)?.Connections ?? NONE,
      },
      {
        field: 'Errors',
        title: t('list.errors'),
        width: 76,
        align: 'right',
        optional: 'room',
        cell: (server) => figuresOf(server)?.Errors ?? NONE,
      },
      {
        field: 'Latency',
        title: t('list.latency'),
        width: 88,
        align: 'right',
        optional: 'room',
        cell: (server) => figuresOf(server)?.Latency ?? NONE,
      },
      {
        field: 'Version',
        title: t('list.version'),
        width: 140,
        optional: 'room',
        cell: ({ Heartbeat }) => <span className={s.version}>{Heartbeat?.Version || NONE}</span>,
      },
      {
        field: 'Host',
        title: t('list.host'),
        width: 186,
        flex: 1,
        cell: (server) => (
          <span className={s.lines} data-lines>
            <Host server={server} />
            <small>{portsOf(server)}</small>
          </span>
        ),
      },
      {
        field: 'Nodes',
        title: t('list.nodes'),
        width: 84,
        align: 'right',
        cell: (server) => <Nodes server={server} />,
      },
      { field: 'LastSeenAt', title: t('list.lastContact'), width: 144, cell: (server) => <LastSeen server={server} /> },
      {
        field: 'RejectedRecords',
        title: t('list.rejectedRecords'),
        width: 88,
        align: 'right',
        cell: (server) => <Rejected server={server} />,
      },
      {
        field: 'CreatedAt',
        title: t('list.added'),
        width: 174,
        optional: true,
        cell: (server) => <DateText value={server.CreatedAt} />,
      },
      ...(hasActions
        ? [
            {
              field: 'Actions',
              title: t('list.actions'),
              width: 80,
              pinned: 'right' as const,
              always: true,
              cell: actions,
            },
          ]
        : []),
    ],
    [t, actions, hasActions, figuresOf],
  );
  return (
    <DataGrid<ProxyServer>
      name={PROXY_SERVERS}
      label={t('title')}
      columns={columns}
      rowId={(server) => String(server.ServerId)}
      refetchInterval={POLL_MS}
      load={loadProxyServers}
      isTall
      card={(server) => (
        <RowCard low className={s.row}>
          <RowLine>
            <span className={s.named}>
              <strong>{server.Name}</strong>
              <StateBadge server={server} />
            </span>
            {hasActions && <RowActions>{actions(server)}</RowActions>}
          </RowLine>
          <Problems server={server} />
          <RowLine>
            <Host server={server} />
            <Rejected server={server} text={(Count) => t('list.rejectedRecordsLine', { Count })} />
          </RowLine>
          <RowLine soft wrap className={s.small}>
            <span>{t(`kind.${server.Kind}`)}</span>
            <span>{portsOf(server)}</span>
            <Report server={server} />
            {server.Nodes > 0 && (
              <span>{fillText((marks) => t('list.nodesLine', marks), { Count: <Nodes server={server} /> })}</span>
            )}
            {server.Heartbeat?.Version && <span>{server.Heartbeat.Version}</span>}
          </RowLine>
        </RowCard>
      )}
      empty={
        <EmptyState
          title={t('empty.title')}
          action={
            mayAdd && (
              <Button variant="primary" icon={<Plus size={17} />} onClick={() => onOpenDialog({ action: 'add' })}>
                {t('add')}
              </Button>
            )
          }
        >
          {mayAdd && t('empty.hint')}
        </EmptyState>
      }
    />
  );
}

const TONES: Record<ProxyServer['State'], Tone> = {
  operational: 'good',
  degraded: 'warn',
  down: 'bad',
  unknown: 'neutral',
};

/** With the cause, if it is down. */
function StateBadge({ server: { State, Outage } }: { server: ProxyServer }) {
  const { t } = useTranslation('proxy_servers');
  return (
    <>
      <Badge tone={TONES[State]}>{t(`state.${State}`)}</Badge>
      {Outage && <small>{t(`cause.${Outage.Cause}`)}</small>}
    </>
  );
}

function State({ server }: { server: ProxyServer }) {
  return (
    <span className={s.lines} data-lines>
      <span className={s.state}>
        <StateBadge server={server} />
      </span>
      <Problems server={server} />
    </span>
  );
}

function Problems({ server }: { server: ProxyServer }) {
  const problems = useProblems()(server).join(' · ');
  if (!problems) return null;
  return (
    <small className={s.problems} title={problems} data-more>
      <Warning size={14} aria-hidden="true" />
      <span>{problems}</span>
    </small>
  );
}

/** On phones: counts of the last report, or the last contact. */
function Report({ server }: { server: ProxyServer }) {
  const { t } = useTranslation('proxy_servers');
  const figures = useFigures()(server);
  if (figures) return <span>{t('list.figuresLine', { ...figures })}</span>;
  return <span>{fillText((marks) => t('list.lastContactLine', marks), { Time: <LastSeen server={server} /> })}</span>;
}

function Host({ server }: { server: ProxyServer }) {
  const { t } = useTranslation('proxy_servers');
  return (
    <span className={s.host}>
      <code>{server.Host}</code>
      <CopyButton text={server.Host} label={t('list.copyHost', { Host: server.Host })} />
    </span>
  );
}

/** The number of nodes that the server alone carries, counted up to a bound. */
function Nodes({ server: { Kind, Nodes: count } }: { server: ProxyServer }) {
  const { i18n } = useTranslation();
  if (Kind !== ProxyServerKind.Static) return null;
  const shown = new Intl.NumberFormat(i18n.language).format(count);
  return count < MAX_COUNTED_NODES ? shown : `${shown}+`;
}

function LastSeen({ server }: { server: ProxyServer }) {
  const { t } = useTranslation('proxy_servers');
  if (!server.LastSeenAt) return <span className={s.never}>{t('list.never')}</span>;
  return <AgoText value={server.LastSeenAt} justNow={t('list.now')} />;
}

interface RejectedProps {
  server: ProxyServer;
  /** The text around the number, the number alone otherwise. All of it is the link. */
  text?: (count: string) => string;
}

/** Number of rejected records, linked to them. */
function Rejected({ server, text = (count) => count }: RejectedProps) {
  const mayOpen = useMay()('Operator/GetRejectedUsageList');
  const { t, i18n } = useTranslation('proxy_servers');
  const count = new Intl.NumberFormat(i18n.language).format(server.RejectedRecords);
  if (server.RejectedRecords === 0 || !mayOpen) return <span>{text(count)}</span>;
  return (
    <Link to={rejectedOf(server)} aria-label={t('list.rejectedOf', { Name: server.Name, Count: count })}>
      {text(count)}
    </Link>
  );
}
