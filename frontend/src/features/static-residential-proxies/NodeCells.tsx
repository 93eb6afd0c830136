// What is shown of a proxy, in lists and cards. A list has hundreds of these: what they say is looked up once for all of them.
import { Eye, EyeSlash } from '@phosphor-icons/react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { NodeState } from '@/core/constants.gen';
import { IconButton } from '@/ui/Button';
import { Toggle } from '@/ui/Controls';
import { CopyButton } from '@/ui/CopyButton';
import { Flag } from '@/ui/Flag';
import type { Tone } from '@/ui/Notice';
import { Badge } from '@/ui/State';
import { placeText, UntilText, useName } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { useOnce } from '@/ui/useOnce';
import s from './static.module.css';
import { useTierName } from './useCatalogue';
import { useGroups } from './useGroups';
import { useWhy } from './useWhy';

type Node = Schemas['OwnedNode'];

const TONES: Record<string, Tone> = { [NodeState.Assigned]: 'good', [NodeState.Grace]: 'warn' };

/** Draws what is shown of a proxy. The colours of groups come once the list is shown. */
export function useNodeCells(isListShown: boolean) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const name = useName();
  const tierName = useTierName();
  const groups = useGroups(isListShown).data;
  const secretLabels = useSecretLabels();
  const why = useWhy();
  // What comes later than the rows has a function of its own, so that no other cell is drawn again.
  const tier = useCallback((node: Node) => tierName(node.VerStr), [tierName]);
  const group = useCallback(
    (node: Node) => {
      if (!node.GroupId) return <span>–</span>;
      const known = groups?.find((one) => one.GroupId === node.GroupId);
      return (
        <span className={s.place}>
          {known && <ColourDot colour={known.Colour} />}
          <span className={s.ellipsis}>{node.GroupName}</span>
        </span>
      );
    },
    [groups],
  );
  const others = useMemo(() => {
    const copyIp = t('list.copyIp');
    const copyUser = t('list.copyUser');
    const states = new Map<string, string>(Object.values(NodeState).map((state) => [state, t(`nodeState.${state}`)]));
    /** While the user name before still works, it is said below. */
    const oldOf = (node: Node) =>
      node.OldUserName && node.OldValidUntil
        ? t('list.oldWorks', { UserName: node.OldUserName, Time: node.OldValidUntil })
        : undefined;
    return {
      address: (node: Node) => (
        <span className={s.lines}>
          <Copied text={node.Ip} label={copyIp} />
          <small>
            HTTP {node.HttpPort} · SOCKS5 {node.Socks5Port}
          </small>
        </span>
      ),
      credentials: (node: Node) => {
        const old = oldOf(node);
        return (
          <span className={s.lines} title={old}>
            <Copied text={node.UserName} label={copyUser} />
            <Secret text={node.Password} labels={secretLabels} />
            {old && <span className="visually-hidden">{old}</span>}
          </span>
        );
      },
      place: (node: Node) => <Place node={node} name={name} />,
      placeAndIsp: (node: Node) => (
        <span className={s.lines}>
          <Place node={node} name={name} />
          <small className={s.ellipsis}>{node.Isp}</small>
        </span>
      ),
      state: (node: Node) => (
        <Badge tone={TONES[node.State] ?? 'neutral'}>{states.get(node.State) ?? node.State}</Badge>
      ),
      expires: (node: Node) => <UntilText value={node.ExpiresAt ?? null} />,
      autoRenew: (node: Node) => (
        <AutoRenew node={node} label={t('list.autoRenewOf', { Ip: node.Ip })} hideLabel why={why} />
      ),
      autoRenewWithLabel: (node: Node) => <AutoRenew node={node} label={t('list.autoRenew')} why={why} />,
    };
  }, [t, name, secretLabels, why]);
  const groupAndNote = useCallback(
    (node: Node) => (
      <span className={s.lines}>
        {(node.GroupId || !node.Note) && group(node)}
        {node.Note && (
          <small className={s.ellipsis} title={node.Note}>
            {node.Note}
          </small>
        )}
      </span>
    ),
    [group],
  );
  return useMemo(() => ({ ...others, tier, group, groupAndNote }), [others, tier, group, groupAndNote]);
}

export function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className={s.secret}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

interface SecretLabels {
  show: string;
  hide: string;
  copy: string;
}

export function useSecretLabels(): SecretLabels {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  return useMemo(
    () => ({ show: t('common:showPassword'), hide: t('common:hidePassword'), copy: t('list.copyPassword') }),
    [t],
  );
}

/** Hidden until somebody asks for it; copied without being shown. */
export function Secret({ text, labels }: { text: string; labels: SecretLabels }) {
  const [isShown, setShown] = useState(false);
  return (
    <span className={s.secret}>
      <code>{isShown ? text : '••••••••'}</code>
      <IconButton
        size="small"
        label={isShown ? labels.hide : labels.show}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeSlash size={15} /> : <Eye size={15} />}
      </IconButton>
      <CopyButton text={text} label={labels.copy} />
    </span>
  );
}

type Placed = Pick<Node, 'Country' | 'CityNameEn' | 'CityNameZh' | 'CountryNameEn' | 'CountryNameZh'>;

export function Place({ node, name }: { node: Placed; name: ReturnType<typeof useName> }) {
  return (
    <span className={s.place}>
      <Flag country={node.Country} />
      <span className={s.ellipsis}>
        {placeText(
          name({ en: node.CityNameEn, zh: node.CityNameZh }),
          name({ en: node.CountryNameEn, zh: node.CountryNameZh }),
        )}
      </span>
    </span>
  );
}

export function ColourDot({ colour }: { colour: string }) {
  return <span className={s.dot} style={colour ? { color: colour } : undefined} aria-hidden="true" />;
}

interface AutoRenewProps {
  node: Node;
  label: string;
  hideLabel?: boolean;
  why: ReturnType<typeof useWhy>;
}

function AutoRenew({ node, label, hideLabel = false, why }: AutoRenewProps) {
  const queryClient = useQueryClient();
  const once = useOnce();
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
    <Toggle label={label} hideLabel={hideLabel} checked={wished ?? node.AutoRenew} busy={once.isBusy} onChange={set} />
  );
}
