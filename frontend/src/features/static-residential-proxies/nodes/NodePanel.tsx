// Details of a proxy beside the list: connection, facts and history.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CallError, type Schemas } from '@/api/client';
import { nodeQuery } from '@/api/staticProxies';
import { Button } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { LoadingState } from '@/ui/Loading';
import { SidePanel } from '@/ui/Overlay';
import { Copied } from '@/ui/Secret';
import { EmptyState, ErrorState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import s from '../static.module.css';
import { useEndpoint } from '../useEndpoint';
import { type Action, actionIcon } from './NodeActions';
import type { useNodeCells } from './NodeCells';
import local from './panel.module.css';

type Node = Schemas['OwnedNode'];
type Event = Schemas['NodeHistoryEntry'];

/** Placeholder for a hidden password: no format escapes these characters. */
const HIDDEN = 'hiddenPassword';

const ACTIONS: Action[] = ['renew', 'switch', 'test', 'note', 'group', 'credentials'];

interface NodePanelProps {
  nodeId: number;
  cells: ReturnType<typeof useNodeCells>;
  onAct: (action: Action, node: Node) => void;
  onClose: () => void;
}

export function NodePanel({ nodeId, cells, onAct, onClose }: NodePanelProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const found = useQuery({ ...nodeQuery(nodeId), retry: false });
  const node = found.data?.Node;
  return (
    <SidePanel title={node?.Ip ?? t('panel.title')} onClose={onClose}>
      {found.isPending && <LoadingState rows={8} />}
      {found.isError &&
        (found.error instanceof CallError && found.error.code !== undefined ? (
          <EmptyState title={found.error.message}>{t('panel.goneHint')}</EmptyState>
        ) : (
          <ErrorState error={found.error} onRetry={() => found.refetch()} />
        ))}
      {node && (
        <>
          <div className={local.actions}>
            {ACTIONS.map((action) => (
              <Button key={action} size="small" icon={actionIcon(action)} onClick={() => onAct(action, node)}>
                {t(`action.${action}`)}
              </Button>
            ))}
          </div>
          <Connection node={node} cells={cells} />
          <Facts node={node} cells={cells} />
          <History events={found.data?.History ?? []} />
        </>
      )}
    </SidePanel>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={local.part} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** The endpoint in the customer's preferred format and protocol, and its parts. */
function Connection({ node, cells }: Pick<NodePanelProps, 'cells'> & { node: Node }) {
  const { t } = useTranslation('static_residential_proxies');
  const { lineOf } = useEndpoint();
  const [before, after] = lineOf({ ...node, Password: HIDDEN }).split(HIDDEN);
  return (
    <Part title={t('panel.connection')}>
      <p className={local.line}>
        <code>
          {before}
          <wbr />
          <span className={local.dots}>••••••••</span>
          {after}
        </code>
        <CopyButton text={lineOf(node)} label={t('list.copyLine', { Ip: node.Ip })} />
      </p>
      <dl className={s.facts}>
        <Fact label="HTTP">
          <Copied text={`${node.Ip}:${node.HttpPort}`} label={t('panel.copyHttp')} />
        </Fact>
        {node.Socks5Port && (
          <Fact label="SOCKS5">
            <Copied text={`${node.Ip}:${node.Socks5Port}`} label={t('panel.copySocks')} />
          </Fact>
        )}
        <Fact label={t('list.credentials')}>{cells.credentials(node)}</Fact>
      </dl>
    </Part>
  );
}

function Facts({ node, cells }: Pick<NodePanelProps, 'cells'> & { node: Node }) {
  const { t } = useTranslation('static_residential_proxies');
  return (
    <Part title={t('panel.facts')}>
      <dl className={s.facts}>
        <Fact label={t('list.state')}>{cells.state(node)}</Fact>
        <Fact label={t('list.expires')}>
          {cells.expires(node)}{' '}
          <small>
            <DateText value={node.ExpiresAt} />
          </small>
        </Fact>
        <Fact label={t('list.autoRenew')}>{cells.autoRenew(node)}</Fact>
        <Fact label={t('list.tier')}>{cells.tier(node)}</Fact>
        <Fact label={t('list.place')}>{cells.place(node)}</Fact>
        <Fact label={t('list.isp')}>
          {node.Isp} <small>AS{node.Asn}</small>
        </Fact>
        <Fact label={t('list.group')}>{cells.group(node)}</Fact>
        <Fact label={t('list.note')}>{node.Note || '–'}</Fact>
      </dl>
    </Part>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function History({ events }: { events: Event[] }) {
  const { t } = useTranslation('static_residential_proxies');
  return (
    <Part title={t('panel.history')}>
      {events.length === 0 ? (
        <p className={s.soft}>{t('panel.noHistory')}</p>
      ) : (
        <ol className={local.history}>
          {events.map((event) => (
            <Moment key={`${event.Kind} ${event.At} ${event.OrderId ?? ''} ${event.Ip}`} event={event} />
          ))}
        </ol>
      )}
    </Part>
  );
}

function Moment({ event }: { event: Event }) {
  const { t } = useTranslation('static_residential_proxies');
  const order = event.OrderId && (
    <Link to={`/order?OrderId=${event.OrderId}`}>{t('panel.order', { Number: event.OrderNumber })}</Link>
  );
  return (
    <li data-kind={event.Kind}>
      <div>
        <strong>{t(`panel.event.${event.Kind}`)}</strong>
        <MoneyText amount={event.Amount} currency={event.Currency} />
      </div>
      {event.Kind === 'switched' ? (
        <p>
          {t('panel.from', { OldIp: event.OldIp, Ip: event.Ip })}
          {event.Mode && ` · ${t(`mode.${event.Mode}`)}`}
        </p>
      ) : (
        event.EndsAt && <p>{t('panel.until', { Ip: event.Ip, Time: event.EndsAt })}</p>
      )}
      {event.Reason && <p>{event.Reason}</p>}
      <p>
        <DateText value={event.At} /> {order}
      </p>
    </li>
  );
}
