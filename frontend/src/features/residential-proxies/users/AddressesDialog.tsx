// IP whitelist of a proxy user.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  addProxyUserAddress,
  deleteProxyUserAddress,
  type ProxyUserView,
  proxyUserAddressesQuery,
} from '@/api/proxyUsers';
import { AddressList } from '@/ui/AddressList';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Overlay';
import s from './users.module.css';

export function AddressesDialog({ user, onClose }: { user: ProxyUserView; onClose: () => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const list = useQuery(proxyUserAddressesQuery);
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
          add={addProxyUserAddress(user.ProxyUserId)}
          remove={deleteProxyUserAddress}
        />
      </div>
    </Dialog>
  );
}
