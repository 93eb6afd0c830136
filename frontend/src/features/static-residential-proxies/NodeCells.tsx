// What is shown of a proxy, in lists and cards.
import { Eye, EyeSlash } from '@phosphor-icons/react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { NodeState } from '@/core/constants.gen';
import { IconButton } from '@/ui/Button';
import { Toggle } from '@/ui/Controls';
import { CopyButton } from '@/ui/CopyButton';
import { Flag } from '@/ui/Flag';
import type { Tone } from '@/ui/Notice';
import { Badge } from '@/ui/State';
import { useName } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { useOnce } from '@/ui/useOnce';
import s from './static.module.css';
import { useCatalogue, useTierTexts } from './useCatalogue';
import { useGroups } from './useGroups';
import { useWhy } from './useWhy';

type Node = Schemas['OwnedNode'];

const TONES: Record<string, Tone> = { [NodeState.Assigned]: 'good', [NodeState.Grace]: 'warn' };

export function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className={s.secret}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** Hidden until somebody asks for it; copied without being shown. */
export function Secret({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('common');
  const [isShown, setShown] = useState(false);
  return (
    <span className={s.secret}>
      <code>{isShown ? text : '••••••••'}</code>
      <IconButton
        size="small"
        label={isShown ? t('hidePassword') : t('showPassword')}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeSlash size={15} /> : <Eye size={15} />}
      </IconButton>
      <CopyButton text={text} label={label} />
    </span>
  );
}

export function Address({ node }: { node: Node }) {
  const { t } = useTranslation('static_residential_proxies');
  return <Copied text={node.Ip} label={t('list.copyIp')} />;
}

export function Protocols({ node }: { node: Node }) {
  return (
    <span className={s.soft}>
      HTTP {node.HttpPort} · SOCKS5 {node.Socks5Port}
    </span>
  );
}

type Placed = Pick<Node, 'Country' | 'CityNameEn' | 'CityNameZh' | 'CountryNameEn' | 'CountryNameZh'>;

export function Place({ node }: { node: Placed }) {
  const name = useName();
  return (
    <span className={s.place}>
      <Flag country={node.Country} />
      <span className={s.ellipsis}>
        {name({ en: node.CityNameEn, zh: node.CityNameZh })}, {name({ en: node.CountryNameEn, zh: node.CountryNameZh })}
      </span>
    </span>
  );
}

export function NodeStateBadge({ state }: { state: string }) {
  const { t } = useTranslation('static_residential_proxies');
  return <Badge tone={TONES[state] ?? 'neutral'}>{t(`nodeState.${state}` as 'nodeState.assigned')}</Badge>;
}

/** A tier by its label; its name on the wire where the catalogue does not have it any more. */
export function TierName({ verStr }: { verStr: string }) {
  const catalogue = useCatalogue();
  const texts = useTierTexts();
  const tier = catalogue.data?.Tiers.find((one) => one.VerStr === verStr);
  return <>{tier ? texts(tier).label : verStr}</>;
}

export function ColourDot({ colour }: { colour: string }) {
  return <span className={s.dot} style={colour ? { color: colour } : undefined} aria-hidden="true" />;
}

export function GroupName({ node }: { node: Node }) {
  const groups = useGroups();
  if (!node.GroupId) return <span>–</span>;
  const group = groups.data?.find((one) => one.GroupId === node.GroupId);
  return (
    <span className={s.place}>
      {group && <ColourDot colour={group.Colour} />}
      {node.GroupName}
    </span>
  );
}

/** The user name; while the one before still works, it is said below. */
export function UserName({ node }: { node: Node }) {
  const { t } = useTranslation('static_residential_proxies');
  const old =
    node.OldUserName && node.OldValidUntil
      ? t('list.oldWorks', { UserName: node.OldUserName, Time: node.OldValidUntil })
      : undefined;
  return (
    <span title={old}>
      <Copied text={node.UserName} label={t('list.copyUser')} />
      {old && <span className="visually-hidden">{old}</span>}
    </span>
  );
}

export function AutoRenew({ node, showLabel = false }: { node: Node; showLabel?: boolean }) {
  const { t } = useTranslation('static_residential_proxies');
  const queryClient = useQueryClient();
  const once = useOnce();
  const why = useWhy();
  // What was just chosen is shown until the server has said what it is now.
  const [wished, setWished] = useState<boolean>();
  const set = async (isOn: boolean) => {
    setWished(isOn);
    const body = { NodeIds: [node.NodeId], AutoRenew: isOn };
    try {
      const { Failed } = await once.send(body, (options) => post('Ips/SetAutoRenew', body, options));
      if (Failed[0]) showToast(why(Failed[0].Code), 'warning');
    } catch {
      // The toast has said why; the list is shown as it is now.
    }
    await queryClient.invalidateQueries({ queryKey: ['proxy-list'] });
    setWished(undefined);
  };
  return (
    <Toggle
      label={showLabel ? t('list.autoRenew') : t('list.autoRenewOf', { Ip: node.Ip })}
      hideLabel={!showLabel}
      checked={wished ?? node.AutoRenew}
      busy={once.isBusy}
      onChange={set}
    />
  );
}
