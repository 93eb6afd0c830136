// Sample commands for a proxy, and the values for manual setup.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { clientIpUrl } from '@/core/clientIp';
import { SegmentedControl } from '@/ui/Controls';
import { CodeBlock, CopyButton } from '@/ui/CopyButton';
import { Card } from '@/ui/Page';
import { Secret } from '@/ui/Secret';
import s from '../static.module.css';
import { TestNode } from '../TestNode';
import { endpointOf } from '../useEndpoint';
import { useSecretLabels } from '../useSecretLabels';
import local from './setup.module.css';
import { snippetsOf } from './snippets';

const BROWSER = 'browser';

interface CommandsCardProps {
  node: Schemas['OwnedNode'];
  protocol: 'http' | 'socks5';
  hasPassword: boolean;
}

export function CommandsCard({ node, protocol, hasPassword }: CommandsCardProps) {
  const { t } = useTranslation('static_residential_proxies');
  const secretLabels = useSecretLabels();
  const [language, setLanguage] = useState('curl');
  const endpoint = endpointOf(node, protocol);
  const snippets = snippetsOf(endpoint, hasPassword, clientIpUrl());
  const snippet = snippets.find((one) => one.key === language);
  return (
    <Card title={t('setup.commands')}>
      <div className={s.form}>
        <p className={s.soft}>{t('setup.commandsHint')}</p>
        <SegmentedControl
          label={t('setup.language')}
          value={language}
          onChange={setLanguage}
          segments={[
            ...snippets.map(({ key, label }) => ({ value: key, label })),
            { value: BROWSER, label: t('setup.browser') },
          ]}
        />
        {snippet ? (
          <CodeBlock text={snippet.text} label={snippet.label} copyLabel={t('setup.copyCommand')} />
        ) : protocol === 'socks5' && hasPassword ? (
          <p>{t('setup.browserSocks')}</p>
        ) : (
          <ol className={local.steps}>
            <li>{t('setup.browserSteps.one')}</li>
            <li>{t('setup.browserSteps.two')}</li>
            {hasPassword && <li>{t('setup.browserSteps.three')}</li>}
          </ol>
        )}
        <dl className={local.values}>
          <div>
            <dt>{t('setup.host')}</dt>
            <dd>
              <code>{endpoint.Host}</code>
              <CopyButton text={endpoint.Host} label={t('setup.copyValue', { Name: t('setup.host') })} />
            </dd>
          </div>
          <div>
            <dt>{t('setup.port')}</dt>
            <dd>
              <code>{endpoint.Port}</code>
              <CopyButton text={String(endpoint.Port)} label={t('setup.copyValue', { Name: t('setup.port') })} />
            </dd>
          </div>
          {hasPassword && (
            <>
              <div>
                <dt>{t('setup.userName')}</dt>
                <dd>
                  <code>{endpoint.UserName}</code>
                  <CopyButton text={endpoint.UserName} label={t('list.copyUser')} />
                </dd>
              </div>
              <div>
                <dt>{t('setup.password')}</dt>
                <dd>
                  <Secret text={endpoint.Password} labels={secretLabels} />
                </dd>
              </div>
            </>
          )}
        </dl>
        <TestNode key={`${node.NodeId} ${protocol}`} node={node} protocol={protocol} />
      </div>
    </Card>
  );
}
