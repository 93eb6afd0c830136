// The IPs bought with an order as of now, and what replaced what.
import { Copy } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { OrderKind } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { Button } from '../Button';
import { CopyButton, copy } from '../CopyButton';
import { Flag } from '../Flag';
import { fillText } from '../fillText';
import { Card } from '../Page';
import { Badge } from '../State';
import { DateText, dayOf, placeText } from '../texts';
import s from './order.module.css';

type Order = Schemas['OrderView'];

/** Link to the proxy list, filtered by order. */
export const proxiesOf = (order: Order) => `/static-residential-proxies/proxy-list?OrderNumber=${order.OrderNumber}`;

interface OrderNodesProps {
  order: Order;
  /** For the owner of the IPs. */
  credentials?: { of: (nodeId: number) => ReactNode; copyAll: () => void } | undefined;
}

/** The IPs with their expiry, copy buttons and, for their owner, credentials. */
export function OrderNodes({ order, credentials }: OrderNodesProps) {
  const { t } = useTranslation('orders');
  if (order.Nodes.length === 0) return null;
  const more = order.Quantity - order.Nodes.length;
  const owned = order.Nodes.filter((node) => node.IsOwned);
  const ips = owned.map((node) => node.Ip);
  return (
    <Card
      title={t('nodesOf', { count: order.Quantity })}
      aside={
        ips.length > 0 && (
          <span className={s.copies}>
            {credentials && (
              <Button size="small" icon={<Copy size={15} aria-hidden="true" />} onClick={credentials.copyAll}>
                {t('copyProxies')}
              </Button>
            )}
            <Button
              size="small"
              icon={<Copy size={15} aria-hidden="true" />}
              onClick={() => copy(ips.join('\n'), t('ipsCopied', { count: ips.length }))}
            >
              {t('copyIps')}
            </Button>
          </span>
        )
      }
    >
      <ul className={s.ips}>
        {order.Nodes.map((node) => (
          <li key={node.NodeId} data-gone={!node.IsOwned || undefined}>
            <code>{node.Ip}</code>
            {node.IsOwned ? <CopyButton text={node.Ip} label={t('copyIp')} /> : <Badge>{t('notOwned')}</Badge>}
            <span className={s.place}>
              <Flag country={node.Country} />
              {placeText(
                core().cityName(node.City, currentLanguage()),
                core().countryName(node.Country, currentLanguage()),
              )}
            </span>
            <small className={s.until}>
              {t(order.Kind === OrderKind.Renewal ? 'newExpiry' : 'nodeUntil', { Date: dayOf(node.EndsAt) })}
            </small>
            {credentials && <span className={s.credentials}>{credentials.of(node.NodeId)}</span>}
          </li>
        ))}
      </ul>
      {more > 0 && <p className={s.soft}>{t('moreNodes', { count: more })}</p>}
    </Card>
  );
}

/** Which IP replaced which, and when: after the order, or with it. */
export function Replacements({ order }: { order: Order }) {
  const { t } = useTranslation('orders');
  if (order.Replacements.length === 0) return null;
  return (
    <Card title={t('replacements', { count: order.Replacements.length })}>
      <ul className={s.replacements}>
        {order.Replacements.map((one) => (
          <li key={`${one.OldIp} ${one.NewIp} ${one.At}`}>
            <span>
              {fillText((marks) => t('replacedBy', marks), {
                Old: <code>{one.OldIp}</code>,
                New: <code>{one.NewIp}</code>,
              })}
            </span>
            <DateText value={one.At} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
