// Selects proxies in the list by pasted IP addresses.
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { findNodes } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { loadScreenRules } from '@/core';
import { FILTER_MAX_IPS } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { Frame } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import ui from '@/ui/ui.module.css';
import { useRules } from '@/ui/useRules';
import s from '../static.module.css';

type Node = Schemas['OwnedNode'];

const MAX_LENGTH = 200_000;
const SHOWN = 8;

interface PasteAddressesProps {
  onSelect: (nodes: Node[]) => void;
  onClose: () => void;
}

export function PasteAddresses({ onSelect, onClose }: PasteAddressesProps) {
  const { t, i18n } = useTranslation(['static_residential_proxies', 'common']);
  const [text, setText] = useState('');
  const call = useCall(findNodes);
  // Addresses of exactly this text that the account does not own.
  const [missing, setMissing] = useState<{ of: string; ips: string[]; nodes: Node[] }>();
  const rules = useRules('account', loadScreenRules);
  const { Ips, Unread } = useMemo(() => rules.data?.readAddresses(text) ?? { Ips: [], Unread: [] }, [rules.data, text]);
  const isTooMany = Ips.length > FILTER_MAX_IPS;
  const said = missing?.of === text ? missing : undefined;
  const list = (words: string[]) => {
    const shown = words.slice(0, SHOWN);
    const more = words.length - shown.length;
    return new Intl.ListFormat(i18n.language).format(more > 0 ? [...shown, t('select.more', { count: more })] : shown);
  };

  const find = () =>
    call.run(Ips, (nodes) => {
      const own = new Set(nodes.map((node) => node.Ip));
      const others = Ips.filter((ip) => !own.has(ip));
      if (others.length === 0) onSelect(nodes);
      else setMissing({ of: text, ips: others, nodes });
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('select.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          {said ? (
            <Button variant="primary" disabled={said.nodes.length === 0} onClick={() => onSelect(said.nodes)}>
              {t('select.those', { count: said.nodes.length })}
            </Button>
          ) : (
            <Button variant="primary" disabled={Ips.length === 0 || isTooMany} loading={call.isBusy} onClick={find}>
              {Ips.length === 0 ? t('select.submit') : t('select.these', { count: Ips.length })}
            </Button>
          )}
        </>
      }
    >
      <div className={s.form}>
        <Frame
          label={t('select.label')}
          hint={t('select.hint')}
          error={isTooMany ? t('select.tooMany', { Max: FILTER_MAX_IPS, count: Ips.length }) : undefined}
        >
          {(described) => (
            <textarea
              {...described}
              className={ui.input}
              rows={7}
              maxLength={MAX_LENGTH}
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Frame>
        <div aria-live="polite" className={s.form}>
          {Unread.length > 0 && <Notice tone="warn">{t('select.unread', { Words: list(Unread) })}</Notice>}
          {said && <Notice tone="warn">{t('select.notYours', { count: said.ips.length, Ips: list(said.ips) })}</Notice>}
        </div>
      </div>
    </Dialog>
  );
}
