// The registered proxy servers: addresses, last contact and actions.
import { ArrowsClockwise, DotsThree, Plus, Trash, TreeStructure } from '@phosphor-icons/react';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { loadProxyServers, PROXY_SERVERS, type ProxyServer } from '@/api/operator';
import { MAX_COUNTED_NODES, ProxyServerKind } from '@/core/constants.gen';
import { Button, IconButton } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { fillText } from '@/ui/fillText';
import { Menu } from '@/ui/Overlay';
import { portsOf } from '@/ui/ports';
import { RowActions, RowCard, RowLine } from '@/ui/RowCard';
import { Badge, EmptyState } from '@/ui/State';
import { AgoText, DateText } from '@/ui/texts';
import s from './proxy-servers.module.css';
import { rejectedOf } from './proxyServers';

/** Polling interval, so that a new server's first request appears soon. */
const POLL_MS = 5_000;

export type DialogState = { action: 'add' } | { action: 'assign' | 'rotate' | 'remove'; server: ProxyServer };

export function ServerList({ onOpenDialog }: { onOpenDialog: (dialog: DialogState) => void }) {
  const { t } = useTranslation('proxy_servers');
  const actions = useCallback(
    (server: ProxyServer) => (
      <span className={s.actions}>
        <Menu
          trigger={
            <IconButton size="small" label={t('list.actionsOf', { Name: server.Name })}>
              <DotsThree size={18} weight="bold" />
            </IconButton>
          }
          items={[
            ...(server.Kind === ProxyServerKind.Static
              ? [
                  {
                    key: 'assign',
                    label: t('action.assign'),
                    icon: <TreeStructure size={17} aria-hidden="true" />,
                    onSelect: () => onOpenDialog({ action: 'assign', server }),
                  },
                ]
              : []),
            {
              key: 'rotate',
              label: t('action.rotate'),
              icon: <ArrowsClockwise size={17} aria-hidden="true" />,
              onSelect: () => onOpenDialog({ action: 'rotate', server }),
            },
            {
              key: 'remove',
              label: t('action.remove'),
              icon: <Trash size={17} aria-hidden="true" />,
              danger: true,
              onSelect: () => onOpenDialog({ action: 'remove', server }),
            },
          ]}
        />
      </span>
    ),
    [t, onOpenDialog],
  );
  const columns = useMemo<Column<ProxyServer>[]>(
    () => [
      {
        field: 'Name',
        title: t('list.name'),
        width: 132,
        always: true,
        cell: (server) => <strong>{server.Name}</strong>,
      },
      { field: 'Kind', title: t('list.kind'), width: 156, cell: (server) => <Kind server={server} /> },
      { field: 'Host', title: t('list.host'), width: 188, flex: 1, cell: (server) => <Host server={server} /> },
      { field: 'Ports', title: t('list.ports'), width: 200, cell: portsOf },
      {
        field: 'Nodes',
        title: t('list.nodes'),
        width: 92,
        align: 'right',
        cell: (server) => <Nodes server={server} />,
      },
      { field: 'LastSeenAt', title: t('list.lastContact'), width: 132, cell: (server) => <LastSeen server={server} /> },
      {
        field: 'RejectedRecords',
        title: t('list.rejectedRecords'),
        width: 92,
        align: 'right',
        cell: (server) => <Rejected server={server} />,
      },
      {
        field: 'CreatedAt',
        title: t('list.added'),
        width: 174,
        cell: (server) => <DateText value={server.CreatedAt} />,
      },
      { field: 'Actions', title: t('list.actions'), width: 80, pinned: 'right', always: true, cell: actions },
    ],
    [t, actions],
  );
  return (
    <DataGrid<ProxyServer>
      name={PROXY_SERVERS}
      label={t('title')}
      columns={columns}
      rowId={(server) => String(server.ServerId)}
      refetchInterval={POLL_MS}
      load={loadProxyServers}
      card={(server) => (
        <RowCard className={s.row}>
          <RowLine>
            <span className={s.named}>
              <strong>{server.Name}</strong>
              <Kind server={server} />
            </span>
            <RowActions>{actions(server)}</RowActions>
          </RowLine>
          <RowLine>
            <Host server={server} />
            <Rejected server={server} text={(Count) => t('list.rejectedRecordsLine', { Count })} />
          </RowLine>
          <RowLine soft wrap className={s.small}>
            <span>{portsOf(server)}</span>
            {server.Nodes > 0 && (
              <span>{fillText((marks) => t('list.nodesLine', marks), { Count: <Nodes server={server} /> })}</span>
            )}
            <span>{fillText((marks) => t('list.lastContactLine', marks), { Time: <LastSeen server={server} /> })}</span>
          </RowLine>
        </RowCard>
      )}
      empty={
        <EmptyState
          title={t('empty.title')}
          action={
            <Button variant="primary" icon={<Plus size={17} />} onClick={() => onOpenDialog({ action: 'add' })}>
              {t('add')}
            </Button>
          }
        >
          {t('empty.hint')}
        </EmptyState>
      }
    />
  );
}

function Kind({ server }: { server: ProxyServer }) {
  const { t } = useTranslation('proxy_servers');
  return <Badge tone={server.Kind === 'static' ? 'neutral' : 'accent'}>{t(`kind.${server.Kind}`)}</Badge>;
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
  const { t, i18n } = useTranslation('proxy_servers');
  const count = new Intl.NumberFormat(i18n.language).format(server.RejectedRecords);
  if (server.RejectedRecords === 0) return <span>{text(count)}</span>;
  return (
    <Link to={rejectedOf(server)} aria-label={t('list.rejectedOf', { Name: server.Name, Count: count })}>
      {text(count)}
    </Link>
  );
}
