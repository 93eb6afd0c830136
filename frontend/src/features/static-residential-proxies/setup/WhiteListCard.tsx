// IP whitelist of a plan.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { post } from '@/api/client';
import { MAX_PAGE_SIZE } from '@/core/constants.gen';
import { AddressList } from '@/ui/AddressList';
import { Card } from '@/ui/Page';
import s from '../static.module.css';

export function WhiteListCard({ verStr }: { verStr: string }) {
  const { t } = useTranslation('static_residential_proxies');
  const queryClient = useQueryClient();
  const list = useQuery({
    queryKey: ['whitelist', verStr],
    queryFn: ({ signal }) =>
      post(
        'Ips/GetMyWhiteList',
        { Page: 1, PageSize: MAX_PAGE_SIZE, Sort: [], Search: '', Filter: { VerStr: verStr } },
        { signal, silent: true },
      ),
  });
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
          onAdd={(entry, options) => post('Ips/AddWhiteList', { VerStr: verStr, ...entry }, options)}
          onRemove={(id, options) => post('Ips/DelWhite', { WhiteIds: [id] }, options)}
          onChanged={() =>
            Promise.all(['whitelist', 'ver-auth'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
          }
        />
      </div>
    </Card>
  );
}
