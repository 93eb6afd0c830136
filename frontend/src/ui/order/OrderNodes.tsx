// The IPs bought with an order.
import { Copy } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { currentLanguage } from '@/i18n';
import { Button } from '../Button';
import { CopyButton, copy } from '../CopyButton';
import { Flag } from '../Flag';
import { Card } from '../Page';
import { placeText } from '../texts';
import s from './order.module.css';

type Order = Schemas['OrderView'];

/** Link to the proxy list, filtered by order. */
export const proxiesOf = (order: Order) => `/static-residential-proxies/proxy-list?OrderNumber=${order.OrderNumber}`;

/** The IPs with copy buttons. */
export function OrderNodes({ order }: { order: Order }) {
  const { t } = useTranslation('orders');
  if (order.Nodes.length === 0) return null;
  const more = order.Quantity - order.Nodes.length;
  const ips = order.Nodes.map((node) => node.Ip);
  return (
    <Card
      title={t('nodesOf', { count: order.Quantity })}
      aside={
        <Button
          size="small"
          icon={<Copy size={15} aria-hidden="true" />}
          onClick={() => copy(ips.join('\n'), t('ipsCopied', { count: ips.length }))}
        >
          {t('copyIps')}
        </Button>
      }
    >
      <ul className={s.ips}>
        {order.Nodes.map((node) => (
          <li key={node.NodeId}>
            <code>{node.Ip}</code>
            <CopyButton text={node.Ip} label={t('copyIp')} />
            <span className={s.place}>
              <Flag country={node.Country} />
              {placeText(
                core().cityName(node.City, currentLanguage()),
                core().countryName(node.Country, currentLanguage()),
              )}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={s.soft}>{t('moreNodes', { count: more })}</p>}
    </Card>
  );
}
