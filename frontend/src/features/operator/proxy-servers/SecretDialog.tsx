// The secret of a proxy server, shown once, with commands to connect the server.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { type ProxyServer, proxyServersQuery } from '@/api/operator';
import { MAX_USAGE_RECORDS, ProxyServerKind } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { CodeBlock, CopyButton } from '@/ui/CopyButton';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { nowOnWire } from '@/ui/wireTime';
import s from './proxy-servers.module.css';

/** How often to check for the server's first request. */
const POLL_MS = 3_000;

type SecretDialogProps = Schemas['ProxyServerWithSecret'] & {
  title: string;
  /** The server has never connected: the dialog reports when it does. */
  isNew?: boolean;
  onClose: () => void;
};

type Way = 'gate' | 'authorize' | 'usage';

export function SecretDialog({ title, Server: server, Secret: secret, isNew = false, onClose }: SecretDialogProps) {
  const { t } = useTranslation(['proxy_servers', 'common']);
  const [way, setWay] = useState<Way>('gate');
  return (
    <Dialog
      open
      shownOnce
      wide
      onClose={onClose}
      title={title}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      }
    >
      <div className={s.form}>
        <Notice tone="warn">{t('secret.once')}</Notice>
        <dl className={s.secret}>
          <dt>{t('secret.secret')}</dt>
          <dd>
            <code>{secret}</code>
            <CopyButton text={secret} label={t('secret.copy')} />
          </dd>
        </dl>
        <section className={s.form}>
          <h3>{t('secret.connect')}</h3>
          <SegmentedControl<Way>
            label={t('secret.connect')}
            value={way}
            onChange={setWay}
            segments={[
              { value: 'gate', label: t('secret.gate') },
              { value: 'authorize', label: t('secret.authorize') },
              { value: 'usage', label: t('secret.usage') },
            ]}
          />
          <p className={s.soft}>{t(`secret.${way}Hint`, { Max: MAX_USAGE_RECORDS })}</p>
          <CodeBlock
            text={way === 'gate' ? gateCommands(server, secret) : requestOf(way, server.Kind, secret)}
            label={t(`secret.${way}`)}
            copyLabel={t('secret.copyCommand')}
          />
        </section>
        {isNew && <Heard serverId={server.ServerId} />}
      </div>
    </Dialog>
  );
}

/** Reports the server's first request. */
function Heard({ serverId }: { serverId: number }) {
  const { t } = useTranslation('proxy_servers');
  const servers = useQuery({ ...proxyServersQuery, refetchInterval: POLL_MS });
  const seenAt = servers.data?.find((server) => server.ServerId === serverId)?.LastSeenAt;
  return (
    <Notice tone={seenAt ? 'good' : 'neutral'}>
      {seenAt ? t('secret.requestReceived', { Time: seenAt }) : t('secret.waiting')}
    </Notice>
  );
}

/** What starts a gate on the server's machine. */
function gateCommands({ HttpPort, Socks5Port }: ProxyServer, secret: string): string {
  const ports = Socks5Port ? [HttpPort, Socks5Port] : [HttpPort];
  const listen = ports.map((port) => `--listen 0.0.0.0:${port}`).join(' ');
  return `mkdir -p /etc/postern-gate
(umask 077 && echo "${secret}" > /etc/postern-gate/secret)
postern-gate --url ${window.location.origin} --secret-file /etc/postern-gate/secret \\
  ${listen} --spool /var/lib/postern-gate`;
}

/** Sample requests of other proxy servers to this shop. */
function requestOf(request: 'authorize' | 'usage', kind: string, secret: string): string {
  const isStatic = kind === ProxyServerKind.Static;
  const who = isStatic ? { Ip: '198.51.100.7' } : { UserName: 'user-scraper_1-country-us' };
  const body =
    request === 'authorize'
      ? {
          ...(isStatic ? { UserName: 'scraper_1' } : {}),
          ...who,
          Password: 'k3yring99',
          ClientAddress: '203.0.113.9',
        }
      : {
          Records: [
            {
              Id: 'gate-1/42',
              UsedAt: nowOnWire(),
              ...who,
              ...(isStatic ? {} : { Country: 'US' }),
              Target: 'shop.example:443',
              UploadBytes: 1_200,
              DownloadBytes: 48_000,
            },
          ],
        };
  // On one line and in double quotes, so that it works in Windows' shell too.
  const data = JSON.stringify(JSON.stringify(body));
  return `curl -X POST ${window.location.origin}/proxy-server/${request} -H "Authorization: Bearer ${secret}" -d ${data}`;
}
