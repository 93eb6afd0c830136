// The proxies that the account owns.
import { Eye, EyeSlash, ShoppingCart } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { core, type Endpoint } from '@/core';
import { NodeState } from '@/core/constants.gen';
import { Button, ButtonLink, IconButton } from '@/ui/Button';
import { SearchField } from '@/ui/Controls';
import { CopyButton, useCopy } from '@/ui/CopyButton';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { SelectField } from '@/ui/Field';
import { Flag } from '@/ui/Flag';
import type { Tone } from '@/ui/Notice';
import { Menu } from '@/ui/Overlay';
import { Page } from '@/ui/Page';
import { Badge, EmptyState } from '@/ui/State';
import { DateText, useName } from '@/ui/texts';
import s from './static.module.css';
import { useCatalogue, useTierTexts } from './useCatalogue';

type Node = Schemas['OwnedNode'];

const TONES: Record<string, Tone> = { [NodeState.Assigned]: 'good', [NodeState.Grace]: 'warn' };

export function ProxyListPage() {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const [search, setSearch] = useState('');
  const [verStr, setVerStr] = useState('');
  const [state, setState] = useState('');
  const catalogue = useCatalogue();
  const texts = useTierTexts();
  const tierLabel = (value: string) => {
    const tier = catalogue.data?.Tiers.find((one) => one.VerStr === value);
    return tier ? texts(tier).label : value;
  };
  const columns: Column<Node>[] = [
    { field: 'Ip', title: t('list.ip'), width: 200, sortable: true, cell: (node) => <Address node={node} /> },
    { field: 'Protocols', title: t('list.protocols'), width: 215, cell: (node) => <Protocols node={node} /> },
    {
      field: 'UserName',
      title: t('list.userName'),
      width: 160,
      cell: (node) => <Copied text={node.UserName} label={t('list.copyUser')} />,
    },
    { field: 'Password', title: t('list.password'), width: 230, cell: (node) => <Secret text={node.Password} /> },
    {
      field: 'City',
      title: t('list.place'),
      width: 250,
      flex: 1,
      sortable: true,
      cell: (node) => <Place node={node} />,
    },
    { field: 'Isp', title: t('list.isp'), width: 190, sortable: true, cell: (node) => node.Isp },
    { field: 'VerStr', title: t('list.tier'), width: 120, sortable: true, cell: (node) => tierLabel(node.VerStr) },
    { field: 'GroupName', title: t('list.group'), width: 120, cell: (node) => node.GroupName ?? '–' },
    { field: 'Note', title: t('list.note'), width: 140, cell: (node) => node.Note || '–' },
    {
      field: 'State',
      title: t('list.state'),
      width: 130,
      sortable: true,
      cell: (node) => <NodeStateBadge state={node.State} />,
    },
    {
      field: 'ExpiresAt',
      title: t('list.expires'),
      width: 190,
      sortable: true,
      cell: (node) => <DateText value={node.ExpiresAt ?? null} />,
    },
    {
      field: 'AutoRenew',
      title: t('list.autoRenew'),
      width: 120,
      cell: (node) => (node.AutoRenew ? t('list.on') : t('list.off')),
    },
    { field: 'Copy', title: t('list.copy'), width: 110, cell: (node) => <CopyMenu node={node} /> },
  ];
  const filter = { Search: search, VerStr: verStr, State: state };
  return (
    <Page
      title={t('list.title')}
      description={t('list.lead')}
      actions={
        <ButtonLink to="/static-residential-proxies/order" variant="primary" icon={<ShoppingCart size={17} />}>
          {t('common:buyProxies')}
        </ButtonLink>
      }
    >
      <DataGrid<Node>
        name="proxy-list"
        label={t('list.title')}
        columns={columns}
        rowId={(node) => String(node.NodeId)}
        narrowedBy={filter}
        load={(list, signal) =>
          post('Ips/GetUserNodeList', { ...list, Search: search, Filter: { VerStr: verStr, State: state } }, { signal })
        }
        toolbar={
          <>
            <SearchField label={t('list.search')} value={search} onChange={(event) => setSearch(event.target.value)} />
            <SelectField
              label={t('list.tier')}
              hideLabel
              value={verStr}
              onChange={(event) => setVerStr(event.target.value)}
            >
              <option value="">{t('list.allTiers')}</option>
              {catalogue.data?.Tiers.map((tier) => (
                <option key={tier.VerStr} value={tier.VerStr}>
                  {texts(tier).label}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('list.state')}
              hideLabel
              value={state}
              onChange={(event) => setState(event.target.value)}
            >
              <option value="">{t('list.allStates')}</option>
              <option value="assigned">{t('nodeState.assigned')}</option>
              <option value="grace">{t('nodeState.grace')}</option>
            </SelectField>
          </>
        }
        card={(node) => <NodeCard node={node} tier={tierLabel(node.VerStr)} />}
        empty={
          <EmptyState
            title={t('list.empty')}
            action={
              <ButtonLink to="/static-residential-proxies/order" variant="primary">
                {t('common:buyProxies')}
              </ButtonLink>
            }
          >
            {t('list.emptyHint')}
          </EmptyState>
        }
      />
    </Page>
  );
}

function NodeCard({ node, tier }: { node: Node; tier: string }) {
  const { t } = useTranslation('static_residential_proxies');
  return (
    <div className={s.listCard}>
      <div>
        <Address node={node} />
        <NodeStateBadge state={node.State} />
      </div>
      <div className={s.soft}>
        <Place node={node} />
        <span>{tier}</span>
      </div>
      <div>
        <Copied text={node.UserName} label={t('list.copyUser')} />
        <Secret text={node.Password} />
      </div>
      <div className={s.soft}>
        <span>
          {t('list.expires')} <DateText value={node.ExpiresAt ?? null} />
        </span>
        <CopyMenu node={node} />
      </div>
    </div>
  );
}

function Address({ node }: { node: Node }) {
  const { t } = useTranslation('static_residential_proxies');
  return (
    <span className={s.address}>
      <code>{node.Ip}</code>
      <CopyButton text={node.Ip} label={t('list.copyIp')} />
    </span>
  );
}

function Protocols({ node }: { node: Node }) {
  return (
    <span className={s.soft}>
      HTTP {node.HttpPort} · SOCKS5 {node.Socks5Port}
    </span>
  );
}

function Place({ node }: { node: Node }) {
  const name = useName();
  return (
    <span className={s.place}>
      <Flag country={node.Country} />
      {name({ en: node.CityNameEn, zh: node.CityNameZh })}, {name({ en: node.CountryNameEn, zh: node.CountryNameZh })}
    </span>
  );
}

function NodeStateBadge({ state }: { state: string }) {
  const { t } = useTranslation('static_residential_proxies');
  return <Badge tone={TONES[state] ?? 'neutral'}>{t(`nodeState.${state}` as 'nodeState.assigned')}</Badge>;
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className={s.secret}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

function Secret({ text }: { text: string }) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const [isShown, setShown] = useState(false);
  return (
    <span className={s.secret}>
      <code>{isShown ? text : '••••••••'}</code>
      <IconButton
        size="small"
        label={isShown ? t('common:hidePassword') : t('common:showPassword')}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeSlash size={15} /> : <Eye size={15} />}
      </IconButton>
      <CopyButton text={text} label={t('list.copyPassword')} />
    </span>
  );
}

/** The proxy as one line, in the form that the customer's program reads. */
function CopyMenu({ node }: { node: Node }) {
  const { t } = useTranslation('static_residential_proxies');
  const copy = useCopy();
  const endpoint: Endpoint = {
    Scheme: 'http',
    Host: node.Ip,
    Port: node.HttpPort,
    UserName: node.UserName,
    Password: node.Password,
  };
  return (
    <Menu
      trigger={<Button size="small">{t('list.copy')}</Button>}
      items={core()
        .endpointFormats()
        .map((format) => ({
          key: format,
          label: t(`format.${format}` as 'format.url'),
          onSelect: () => copy(core().formatEndpoints([endpoint], format)),
        }))}
    />
  );
}
