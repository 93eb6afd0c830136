// Cells of the proxy list, also used on cards. Texts are looked up once for all of the hundreds of cells.
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { setAutoRenew } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { NodeState } from '@/core/constants.gen';
import { useGroups } from '@/stores/ips';
import { Toggle } from '@/ui/Controls';
import type { Tone } from '@/ui/Notice';
import { portsOf } from '@/ui/ports';
import { Copied, Secret } from '@/ui/Secret';
import { Badge } from '@/ui/State';
import { dayOf, UntilText, useName } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { ColourDot } from '../ColourDot';
import { Place } from '../Place';
import s from '../static.module.css';
import { useTierName } from '../tierTexts';
import { useSecretLabels } from '../useSecretLabels';
import local from './nodes.module.css';
import { useFailureText } from './useFailureText';

type Node = Schemas['OwnedNode'];

const TONES: Record<string, Tone> = { [NodeState.Assigned]: 'good', [NodeState.Grace]: 'warn' };

/** Cell renderers. Group colours arrive after the list. */
export function useNodeCells(isListShown: boolean) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const name = useName();
  const tierName = useTierName();
  const groups = useGroups(isListShown).data;
  const secretLabels = useSecretLabels();
  const failureText = useFailureText();
  // Data that arrives after the rows has its own renderer, so that other cells do not re-render.
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
    const states = new Map<string, string>(
      Object.values(NodeState).map((state) => [state, t(`nodeState.${state}` as 'nodeState.assigned')]),
    );
    /** Also shows the old user name while it is still valid. */
    const oldOf = (node: Node) =>
      node.OldUserName && node.OldValidUntil
        ? t('list.oldWorks', { UserName: node.OldUserName, Time: node.OldValidUntil })
        : undefined;
    return {
      address: (node: Node) => (
        <span className={local.lines} data-lines>
          <Copied text={node.Ip} label={copyIp} />
          <small data-more>{portsOf(node)}</small>
        </span>
      ),
      credentials: (node: Node) => {
        const old = oldOf(node);
        return (
          <span className={local.lines} data-lines title={old}>
            <Copied text={node.UserName} label={copyUser} />
            <Secret text={node.Password} labels={secretLabels} />
            {old && <span className="visually-hidden">{old}</span>}
          </span>
        );
      },
      place: (node: Node) => <Place node={node} name={name} />,
      shortPlace: (node: Node) => <Place node={node} name={name} isShort />,
      placeAndIsp: (node: Node) => (
        <span className={local.lines} data-lines>
          <Place node={node} name={name} />
          <small className={s.ellipsis} data-more>
            {node.Isp}
          </small>
        </span>
      ),
      state: (node: Node) => (
        <Badge tone={TONES[node.State] ?? 'neutral'}>{states.get(node.State) ?? node.State}</Badge>
      ),
      expires: (node: Node) => <UntilText value={node.ExpiresAt ?? null} />,
      expiresWithDay: (node: Node) => (
        <span className={local.lines} data-lines>
          <UntilText value={node.ExpiresAt ?? null} />
          {node.ExpiresAt && <small>{dayOf(node.ExpiresAt)}</small>}
        </span>
      ),
      autoRenew: (node: Node) => (
        <AutoRenew node={node} label={t('list.autoRenewOf', { Ip: node.Ip })} hideLabel failureText={failureText} />
      ),
      autoRenewWithLabel: (node: Node) => (
        <AutoRenew node={node} label={t('list.autoRenew')} failureText={failureText} />
      ),
    };
  }, [t, name, secretLabels, failureText]);
  const groupAndNote = useCallback(
    (node: Node) => (
      <span className={local.lines} data-lines>
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

interface AutoRenewProps {
  node: Node;
  label: string;
  hideLabel?: boolean;
  failureText: ReturnType<typeof useFailureText>;
}

function AutoRenew({ node, label, hideLabel = false, failureText }: AutoRenewProps) {
  const call = useCall(setAutoRenew);
  // Optimistic state until the server responds.
  const [optimistic, setOptimistic] = useState<boolean>();
  const set = async (isOn: boolean) => {
    setOptimistic(isOn);
    await call.run({ NodeIds: [node.NodeId], AutoRenew: isOn }, ({ Failed: [failed] }) => {
      if (failed) showToast(failureText(failed.Code), 'warning');
    });
    setOptimistic(undefined);
  };
  return (
    <Toggle
      label={label}
      hideLabel={hideLabel}
      checked={optimistic ?? node.AutoRenew}
      busy={call.isBusy}
      onChange={set}
    />
  );
}
