// IP whitelist of a proxy user.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import type { ProxyUserView } from '@/api/proxyUsers';
import { AddressList } from '@/ui/AddressList';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Overlay';
import s from './users.module.css';

const KEY = ['proxy-user-addresses'];

export function AddressesDialog({ user, onClose }: { user: ProxyUserView; onClose: () => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const queryClient = useQueryClient();
  const list = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => post('ProxyUsers/GetProxyUserAddressList', undefined, { signal, silent: true }),
  });
  const own = list.data?.filter((one) => one.ProxyUserId === user.ProxyUserId);
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
        <AddressList
          texts={{
            address: t('addresses.address'),
            hint: t('addresses.addressHint'),
            label: t('addresses.label'),
            add: t('addresses.add'),
            added: t('addresses.added'),
            removed: t('addresses.removed'),
            addMine: (Ip) => t('addresses.addMine', { Ip }),
            mine: t('addresses.mine'),
            list: t('addresses.list'),
            empty: t('addresses.empty'),
            lastUsed: (marks) => t('addresses.lastUsed', marks),
            never: t('list.never'),
            remove: (Address) => t('addresses.remove', { Address }),
          }}
          query={list}
          entries={own?.map((entry) => ({ ...entry, id: entry.AddressId }))}
          // An address belongs to one proxy user of the account.
          taken={list.data?.map((entry) => entry.Address)}
          onAdd={(entry, options) =>
            post('ProxyUsers/AddProxyUserAddress', { ProxyUserId: user.ProxyUserId, ...entry }, options)
          }
          onRemove={(AddressId, options) => post('ProxyUsers/DelProxyUserAddress', { AddressId }, options)}
          onChanged={() => queryClient.invalidateQueries({ queryKey: KEY })}
        />
      </div>
    </Dialog>
  );
}
