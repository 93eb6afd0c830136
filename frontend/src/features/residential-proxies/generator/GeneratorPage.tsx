// The endpoint generator: builds any number of a proxy user's endpoints in the browser.
import { ArrowsLeftRight, Users } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type EndpointServer, serversQuery } from '@/api/endpoints';
import { allUsersQuery, type ProxyUserView, passwordQuery } from '@/api/proxyUsers';
import { isViewing } from '@/stores/user';
import { Button, ButtonLink } from '@/ui/Button';
import { useRuleText } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Card, Page } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import { ContactSupport } from '../ContactSupport';
import { portOf } from '../endpointServers';
import { ConvertDialog } from './ConvertDialog';
import s from './generator.module.css';
import { PresetsMenu } from './PresetsMenu';
import { Result } from './Result';
import { SettingsForm } from './SettingsForm';
import {
  addressOf,
  PASSWORD_PLACEHOLDER,
  requestOf,
  type Settings,
  settingsOf,
  settingsOfWire,
  wireOf,
} from './settings';
import { TestCard } from './TestCard';
import { UrlsCard } from './UrlsCard';
import { useLines } from './useLines';

/** Debounces address updates, which browsers rate-limit. */
const ADDRESS_DELAY_MS = 300;

const newSeed = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

export function GeneratorPage() {
  const { t } = useTranslation('generator');
  const servers = useQuery(serversQuery);
  const users = useQuery(allUsersQuery({ Search: '', Filter: {} }));
  const retry = () => {
    servers.refetch();
    users.refetch();
  };
  const [first] = servers.data ?? [];
  if (servers.data && users.data && first) return <Generator servers={servers.data} users={users.data} first={first} />;
  return (
    <Page wide title={t('title')} description={t('lead')}>
      <Card>
        {(servers.isError && !servers.data) || (users.isError && !users.data) ? (
          <ErrorState onRetry={retry} />
        ) : servers.data && !first ? (
          <EmptyState title={t('noServer')} action={<ContactSupport />}>
            {t('noServerHint')}
          </EmptyState>
        ) : (
          <LoadingState rows={8} />
        )}
      </Card>
    </Page>
  );
}

/** The settings, kept in the address so that they survive a reload and can be shared. */
function useSettings() {
  const [parameters, setParameters] = useSearchParams();
  const [settings, setSettings] = useState<Settings>(() => settingsOf(parameters));
  useEffect(() => {
    const later = setTimeout(
      () =>
        setParameters(
          (now) => {
            const next = addressOf(settings);
            // Keeps parameters that are not the generator's.
            const language = now.get('lang');
            if (language) next.set('lang', language);
            return next;
          },
          { replace: true },
        ),
      ADDRESS_DELAY_MS,
    );
    return () => clearTimeout(later);
  }, [settings, setParameters]);
  return [settings, setSettings] as const;
}

interface GeneratorProps {
  servers: EndpointServer[];
  first: EndpointServer;
  users: ProxyUserView[];
}

function Generator({ servers, first, users }: GeneratorProps) {
  const { t } = useTranslation('generator');
  const [settings, setSettings] = useSettings();
  const [seed, setSeed] = useState(newSeed);
  const [isConverting, setConverting] = useState(false);
  const change = (next: Partial<Settings>) => setSettings((now) => ({ ...now, ...next }));

  const server = servers.find((one) => one.ServerId === settings.serverId) ?? first;
  const chosen = users.find((one) => one.ProxyUserId === settings.proxyUserId);
  const user = chosen ?? users.find((one) => one.State === 'active') ?? users[0];
  const needsPassword = !settings.useWhitelist && user !== undefined;
  // It is not revealed to an operator who views the shop as the customer.
  const asked = useQuery({ ...passwordQuery(user?.ProxyUserId ?? 0), enabled: needsPassword && !isViewing() });
  const isComing = needsPassword && asked.isPending && asked.fetchStatus === 'fetching';
  const isUnknown = needsPassword && !isComing && asked.data === undefined;
  const password = asked.data ?? PASSWORD_PLACEHOLDER;
  const hasUser = settings.useWhitelist || (user !== undefined && !isComing);
  const canBuild = portOf(server, settings.scheme) !== undefined && hasUser;
  const request = useMemo(
    () => (canBuild ? requestOf(settings, server, user, password, seed) : undefined),
    [canBuild, settings, server, user, password, seed],
  );
  const lines = useLines(request);
  const wire = wireOf(settings, server);
  const isReady = lines.list !== undefined && !lines.isStale;
  const ruleText = useRuleText(Object.keys(lines.fields).length > 0);
  const errorOf = (field: string) => {
    const broken = lines.fields[field]?.[0];
    return broken && ruleText(broken);
  };
  const isUsed = ['Count', 'Template', 'Password', 'User.Country', 'User.State', 'User.City', 'User.TtlMinutes'];
  const others = Object.keys(lines.fields).filter((field) => !isUsed.includes(field) && field !== 'User.Session');

  return (
    <Page
      wide
      title={t('title')}
      description={t('lead')}
      actions={
        <>
          <PresetsMenu current={wire} onApply={(preset) => setSettings((now) => settingsOfWire(preset, now))} />
          <Button icon={<ArrowsLeftRight size={17} />} onClick={() => setConverting(true)}>
            {t('convert.button')}
          </Button>
        </>
      }
    >
      {users.length === 0 && (
        <Notice tone="warn">
          <div className={s.notice}>
            {t('noUsers')}
            <ButtonLink to="/residential-proxies/users" size="small" icon={<Users size={16} />}>
              {t('noUsersLink')}
            </ButtonLink>
          </div>
        </Notice>
      )}
      <div className={s.halves}>
        <SettingsForm
          settings={settings}
          servers={servers}
          server={server}
          users={users}
          user={user}
          errorOf={errorOf}
          onChange={change}
        />
        <div className={s.results}>
          {isUnknown && (
            <Notice tone="warn">
              <div className={s.notice}>
                {t('noPassword', { Placeholder: PASSWORD_PLACEHOLDER })}
                {!isViewing() && (
                  <Button size="small" onClick={() => asked.refetch()}>
                    {t('retry')}
                  </Button>
                )}
              </div>
            </Notice>
          )}
          {others.map((field) => (
            <Notice key={field} tone="bad">
              {errorOf(field)}
            </Notice>
          ))}
          <Result
            lines={lines}
            request={request}
            isComing={isComing}
            onReshuffle={settings.isSticky && !settings.useWhitelist ? () => setSeed(newSeed()) : undefined}
          />
          {user && <TestCard user={user} settings={wire} isReady={isReady} />}
          <UrlsCard user={user} settings={wire} isReady={isReady} />
        </div>
      </div>
      {isConverting && (
        <ConvertDialog server={server} scheme={settings.scheme} user={user} onClose={() => setConverting(false)} />
      )}
    </Page>
  );
}
