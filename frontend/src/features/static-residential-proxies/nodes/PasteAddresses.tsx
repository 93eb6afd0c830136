// Selects proxies in the list by pasted IP addresses.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { loadAccount } from '@/core';
import { FILTER_MAX_IPS, MAX_PAGE_SIZE } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { Frame } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import ui from '@/ui/ui.module.css';
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
  const [isBusy, setBusy] = useState(false);
  // Addresses of exactly this text that the account does not own.
  const [missing, setMissing] = useState<{ of: string; ips: string[]; nodes: Node[] }>();
  const rules = useQuery({
    queryKey: ['rules-of-account'],
    queryFn: loadAccount,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { Ips, Unread } = useMemo(() => rules.data?.readAddresses(text) ?? { Ips: [], Unread: [] }, [rules.data, text]);
  const isTooMany = Ips.length > FILTER_MAX_IPS;
  const said = missing?.of === text ? missing : undefined;
  const list = (words: string[]) => {
    const shown = words.slice(0, SHOWN);
    const more = words.length - shown.length;
    return new Intl.ListFormat(i18n.language).format(more > 0 ? [...shown, t('select.more', { count: more })] : shown);
  };

  const find = async () => {
    setBusy(true);
    try {
      const nodes = await nodesWith(Ips);
      const own = new Set(nodes.map((node) => node.Ip));
      const others = Ips.filter((ip) => !own.has(ip));
      if (others.length === 0) onSelect(nodes);
      else setMissing({ of: text, ips: others, nodes });
    } catch {
      // The API client has shown the error toast.
    } finally {
      setBusy(false);
    }
  };
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
            <Button variant="primary" disabled={Ips.length === 0 || isTooMany} loading={isBusy} onClick={find}>
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

/** Fetches the account's proxies with these addresses, page by page. */
async function nodesWith(Ips: string[]): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let begin = 0; begin < Ips.length; begin += MAX_PAGE_SIZE) {
    const page = await post('Ips/GetUserNodeList', {
      PageSize: MAX_PAGE_SIZE,
      Filter: { Ips: Ips.slice(begin, begin + MAX_PAGE_SIZE) },
    });
    nodes.push(...page.Rows);
  }
  return nodes;
}
