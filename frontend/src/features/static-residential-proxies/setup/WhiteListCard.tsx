// IP whitelist of a plan.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { addToWhitelist, removeFromWhitelist, whitelistQuery } from '@/api/staticProxies';
import { AddressList } from '@/ui/AddressList';
import { Card } from '@/ui/Page';
import s from '../static.module.css';

export function WhiteListCard({ verStr }: { verStr: string }) {
  const { t } = useTranslation('static_residential_proxies');
  const list = useQuery(whitelistQuery(verStr));
  return (
    <Card title={t('setup.whitelist')}>
      <div className={s.form}>
        <AddressList
          texts={{
            address: t('setup.address'),
            hint: t('setup.addressHint'),
            label: t('setup.label'),
            add: t('setup.add'),
            added: t('setup.added'),
            removed: t('setup.removed'),
            addMine: (Ip) => t('setup.addMine', { Ip }),
            mine: t('setup.myLabel'),
            list: t('setup.whitelist'),
            empty: t('setup.noAddresses'),
            lastUsed: (marks) => t('setup.lastUsed', marks),
            never: t('setup.never'),
            remove: (Address) => t('setup.remove', { Address }),
          }}
          query={list}
          entries={list.data?.Rows.map((entry) => ({ ...entry, id: entry.WhiteId }))}
          add={addToWhitelist(verStr)}
          remove={removeFromWhitelist}
        />
      </div>
    </Card>
  );
}
