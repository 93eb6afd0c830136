// The addresses from which a plan's proxies are used without a password.
import { Plus, Trash } from '@phosphor-icons/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { get, post, type Schemas } from '@/api/client';
import { core } from '@/core';
import { Button, IconButton } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { Card } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from '../static.module.css';
import room from './setup.module.css';

const MOST_SHOWN = 200;

export function WhiteListCard({ verStr }: { verStr: string }) {
  const { t } = useTranslation('static_residential_proxies');
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const errors = useFieldErrors();
  const [address, setAddress] = useState('');
  const [label, setLabel] = useState('');
  const list = useQuery({
    queryKey: ['whitelist', verStr],
    queryFn: ({ signal }) =>
      post(
        'Ips/GetMyWhiteList',
        { Page: 1, PageSize: MOST_SHOWN, Sort: [], Search: '', Filter: { VerStr: verStr } },
        { signal, silent: true },
      ),
  });
  const mine = useQuery({
    queryKey: ['client-ip'],
    queryFn: ({ signal }) => get('SystemSettings/GetClientIp', { signal, silent: true }),
    staleTime: 60_000,
  });
  // An address that the rules would refuse, such as a private one, is not offered.
  const isFit = mine.data && Object.keys(core().validateWhitelistEntry(mine.data.Ip, '')).length === 0;
  const myIp = isFit ? mine.data?.Ip : undefined;
  const isMineThere = list.data?.Rows.some((entry) => entry.Address === myIp);
  const refresh = () =>
    Promise.all(['whitelist', 'ver-auth'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));

  const add = async (entry: { Address: string; Label: string }): Promise<void> => {
    if (once.isBusy || !errors.passes(core().validateWhitelistEntry(entry.Address, entry.Label))) return;
    const body = { VerStr: verStr, ...entry };
    try {
      await once.send(body, (options) => post('Ips/AddWhiteList', body, options));
      setAddress('');
      setLabel('');
      showToast(t('setup.added'), 'success');
      await refresh();
    } catch (error) {
      errors.takeFrom(error);
    }
  };
  const remove = async (entry: Schemas['WhiteListEntry']) => {
    const body = { WhiteIds: [entry.WhiteId] };
    try {
      await once.send(body, (options) => post('Ips/DelWhite', body, options));
      showToast(t('setup.removed'), 'success');
    } catch {
      // A toast has said why; the list is shown as it is now.
    }
    await refresh();
  };

  return (
    <Card title={t('setup.whitelist')}>
      <div className={s.form}>
        <form
          className={room.addAddress}
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            add({ Address: address.trim(), Label: label.trim() });
          }}
        >
          <TextField
            label={t('setup.address')}
            hint={t('setup.addressHint')}
            error={errors.textOf('Address')}
            autoComplete="off"
            spellCheck={false}
            value={address}
            onChange={(event) => {
              errors.clear('Address');
              setAddress(event.target.value);
            }}
          />
          <TextField
            label={t('setup.label')}
            error={errors.textOf('Label')}
            value={label}
            onChange={(event) => {
              errors.clear('Label');
              setLabel(event.target.value);
            }}
          />
          <Button type="submit" icon={<Plus size={16} />} loading={once.isBusy}>
            {t('setup.add')}
          </Button>
        </form>
        {myIp && !isMineThere && (
          <div>
            <Button
              size="small"
              disabled={once.isBusy}
              onClick={() => add({ Address: myIp, Label: t('setup.myLabel') })}
            >
              {t('setup.addMine', { Ip: myIp })}
            </Button>
          </div>
        )}
        {list.isError && !list.data && <ErrorState onRetry={() => list.refetch()} />}
        {list.isPending && <LoadingState rows={3} />}
        {list.data?.Rows.length === 0 && <p className={s.soft}>{t('setup.noAddresses')}</p>}
        {list.data && list.data.Rows.length > 0 && (
          <ul className={room.addresses} aria-label={t('setup.whitelist')} aria-busy={list.isFetching}>
            {list.data.Rows.map((entry) => (
              <li key={entry.WhiteId}>
                <div>
                  <code>{entry.Address}</code>
                  <span>{entry.Label}</span>
                </div>
                <small>
                  {t('setup.lastUsed')}: {entry.LastUsedAt ? <DateText value={entry.LastUsedAt} /> : t('setup.never')}
                </small>
                <IconButton
                  size="small"
                  label={t('setup.remove', { Address: entry.Address })}
                  disabled={once.isBusy}
                  onClick={() => remove(entry)}
                >
                  <Trash size={16} />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
