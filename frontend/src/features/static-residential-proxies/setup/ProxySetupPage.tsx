// Proxy setup of a plan: access, credentials, whitelist and sample commands.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { nodesQuery, verAuthQuery } from '@/api/staticProxies';
import { AccessMode, NodeState } from '@/core/constants.gen';
import { usePlanInfo } from '@/stores/planInfo';
import { ButtonLink } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { EmptyState, ErrorState } from '@/ui/State';
import s from '../static.module.css';
import { useTierName } from '../tierTexts';
import { endpointOf, protocolsOf, useEndpoint } from '../useEndpoint';
import { AccessCard, CredentialsCard } from './AccessCard';
import { CommandsCard } from './CommandsCard';
import local from './setup.module.css';
import { WhiteListCard } from './WhiteListCard';

const CHOICES = 50;

export function ProxySetupPage() {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const [parameters, setParameters] = useSearchParams();
  const { protocol, setProtocol } = useEndpoint();
  const tierName = useTierName();
  const [search, setSearch] = useState(parameters.get('Search') ?? '');
  const plans = usePlanInfo();
  const owned = plans.data?.filter((plan) => plan.IpsCount > 0) ?? [];
  const plan = owned.find((one) => one.VerStr === parameters.get('plan')) ?? owned[0];
  const verStr = plan?.VerStr ?? '';
  const auth = useQuery({ ...verAuthQuery(verStr), enabled: verStr !== '' });
  const nodes = useQuery({
    ...nodesQuery('setup', CHOICES, { Search: search, Filter: { VerStr: verStr, State: NodeState.Assigned } }),
    enabled: verStr !== '',
    placeholderData: keepPreviousData,
  });
  const wanted = Number(parameters.get('NodeId'));
  // Not those of the plan before.
  const rows = nodes.data?.Rows.filter((one) => one.VerStr === verStr) ?? [];
  const node = rows.find((one) => one.NodeId === wanted) ?? rows[0];
  const isWaiting = nodes.isPending || (!node && nodes.isPlaceholderData) || (node !== undefined && auth.isPending);
  const used = node ? endpointOf(node, protocol).Scheme : protocol;
  const hasMore = (nodes.data?.Total ?? 0) > CHOICES || search !== '';
  const choose = (change: Record<string, string>) =>
    setParameters({ ...Object.fromEntries(parameters), ...change }, { replace: true });

  const find = (text: string) => {
    setSearch(text);
    choose({ Search: text });
  };

  return (
    <Page title={t('setup.title')} description={t('setup.lead')}>
      {plans.isError && !plans.data && <ErrorState error={plans.error} onRetry={() => plans.refetch()} />}
      {plans.isPending && <LoadingState rows={8} />}
      {plans.data && owned.length === 0 && (
        <Card>
          <EmptyState
            title={t('setup.noPlan')}
            action={
              <ButtonLink to="/static-residential-proxies/order" variant="primary">
                {t('common:buyProxies')}
              </ButtonLink>
            }
          >
            {t('setup.noPlanHint')}
          </EmptyState>
        </Card>
      )}
      {plan && (
        <>
          <div className={local.setupChoice}>
            <SegmentedControl
              label={t('setup.plan')}
              value={verStr}
              onChange={(next) => {
                setSearch('');
                choose({ plan: next, NodeId: '', Search: '' });
              }}
              segments={owned.map((one) => ({
                value: one.VerStr,
                label: t('common:withNote', { Text: tierName(one.VerStr), Note: one.IpsCount }),
              }))}
            />
            <SegmentedControl
              label={t('setup.protocol')}
              value={used}
              segments={protocolsOf(node)}
              onChange={setProtocol}
            />
            {hasMore && <DebouncedSearch label={t('setup.searchProxy')} value={search} onSearch={find} />}
            {rows.length > 0 && (
              <SelectField
                label={t('setup.proxy')}
                hideLabel
                value={node?.NodeId ?? ''}
                onChange={(event) => choose({ NodeId: event.target.value })}
              >
                {rows.map((one) => (
                  <option key={one.NodeId} value={one.NodeId}>
                    {one.Ip}
                    {one.Note && ` · ${one.Note}`}
                  </option>
                ))}
              </SelectField>
            )}
          </div>
          <div className={local.setup}>
            <div className={s.choices}>
              {auth.isError && !auth.data && <ErrorState error={auth.error} onRetry={() => auth.refetch()} />}
              {auth.isPending && <LoadingState rows={6} />}
              {auth.data && (
                <>
                  <AccessCard auth={auth.data} plan={plan} />
                  {auth.data.AccessMode !== AccessMode.Whitelist && <CredentialsCard auth={auth.data} />}
                  <WhiteListCard key={verStr} verStr={verStr} />
                </>
              )}
            </div>
            <div className={s.choices}>
              {nodes.isError && !nodes.data && <ErrorState error={nodes.error} onRetry={() => nodes.refetch()} />}
              {isWaiting && <LoadingState rows={8} />}
              {nodes.data && !isWaiting && !node && (
                <Card>
                  <EmptyState title={search ? t('common:noRows') : t('setup.noNode')} />
                </Card>
              )}
              {node && auth.data && (
                <CommandsCard node={node} protocol={used} hasPassword={auth.data.AccessMode !== AccessMode.Whitelist} />
              )}
            </div>
          </div>
        </>
      )}
    </Page>
  );
}
