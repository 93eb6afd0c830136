// The addresses from which a proxy user is used without a password.
import { Plus, Trash } from '@phosphor-icons/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { get } from '@/api/client';
import { type ProxyUserAddress, type ProxyUserView, postProxyUsers } from '@/api/proxyUsers';
import { core } from '@/core';
import { Button, IconButton } from '@/ui/Button';
import { TextField } from '@/ui/Field';
import { useFieldErrors } from '@/ui/form';
import { LoadingState } from '@/ui/Loading';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { useIdempotentCall } from '@/ui/useIdempotentCall';
import s from './users.module.css';

const KEY = ['proxy-user-addresses'];

export function AddressesDialog({ user, onClose }: { user: ProxyUserView; onClose: () => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const queryClient = useQueryClient();
  const once = useIdempotentCall();
  const errors = useFieldErrors();
  const [address, setAddress] = useState('');
  const [label, setLabel] = useState('');
  const list = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => postProxyUsers('ProxyUsers/GetProxyUserAddressList', undefined, { signal, silent: true }),
  });
  const own = list.data?.filter((one) => one.ProxyUserId === user.ProxyUserId);
  const mine = useQuery({
    queryKey: ['client-ip'],
    queryFn: ({ signal }) => get('SystemSettings/GetClientIp', { signal, silent: true }),
    staleTime: 60_000,
  });
  // An address that the rules would refuse, such as a private one, is not offered; nor one that is there already.
  const isFit = mine.data && Object.keys(core().validateWhitelistEntry(mine.data.Ip, '')).length === 0;
  const myIp = isFit && !list.data?.some((one) => one.Address === mine.data.Ip) ? mine.data.Ip : undefined;

  const add = async (entry: { Address: string; Label: string }): Promise<void> => {
    if (once.isBusy || !errors.passes(core().validateWhitelistEntry(entry.Address, entry.Label))) return;
    const body = { ProxyUserId: user.ProxyUserId, ...entry };
    try {
      await once.send(body, (options) => postProxyUsers('ProxyUsers/AddProxyUserAddress', body, options));
      setAddress('');
      setLabel('');
      showToast(t('addresses.added'), 'success');
      await queryClient.invalidateQueries({ queryKey: KEY });
    } catch (error) {
      errors.takeFrom(error);
    }
  };
  const remove = async (entry: ProxyUserAddress) => {
    const body = { AddressId: entry.AddressId };
    try {
      await once.send(body, (options) => postProxyUsers('ProxyUsers/DelProxyUserAddress', body, options));
      showToast(t('addresses.removed'), 'success');
    } catch {
      // A toast has said why; the list is shown as it is now.
    }
    await queryClient.invalidateQueries({ queryKey: KEY });
  };

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('addresses.title', { Name: user.Name })}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      }
    >
      <div className={s.form}>
        <p className={s.soft}>{t('addresses.lead')}</p>
        <form
          className={s.addAddress}
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            add({ Address: address.trim(), Label: label.trim() });
          }}
        >
          <TextField
            label={t('addresses.address')}
            hint={t('addresses.addressHint')}
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
            label={t('addresses.label')}
            error={errors.textOf('Label')}
            value={label}
            onChange={(event) => {
              errors.clear('Label');
              setLabel(event.target.value);
            }}
          />
          <Button type="submit" icon={<Plus size={16} />} loading={once.isBusy}>
            {t('addresses.add')}
          </Button>
        </form>
        {myIp && (
          <div>
            <Button
              size="small"
              disabled={once.isBusy}
              onClick={() => add({ Address: myIp, Label: t('addresses.mine') })}
            >
              {t('addresses.addMine', { Ip: myIp })}
            </Button>
          </div>
        )}
        {list.isError && !list.data && <ErrorState onRetry={() => list.refetch()} />}
        {list.isPending && <LoadingState rows={3} />}
        {own?.length === 0 && <p className={s.soft}>{t('addresses.empty')}</p>}
        {own && own.length > 0 && (
          <ul className={s.addresses} aria-label={t('addresses.list')} aria-busy={list.isFetching}>
            {own.map((entry) => (
              <li key={entry.AddressId}>
                <div>
                  <code>{entry.Address}</code>
                  <span>{entry.Label}</span>
                </div>
                <small>
                  {t('addresses.lastUsed')} {entry.LastUsedAt ? <DateText value={entry.LastUsedAt} /> : t('list.never')}
                </small>
                <IconButton
                  size="small"
                  label={t('addresses.remove', { Address: entry.Address })}
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
    </Dialog>
  );
}
