// What the ordered IPs start with: a group, and whether they renew automatically.
import { useTranslation } from 'react-i18next';
import { type BuyParams, useIpsStore } from '@/stores/ips';
import { usePlanInfo } from '@/stores/planInfo';
import { Toggle } from '@/ui/Controls';
import { GroupField } from '../GroupField';
import s from '../static.module.css';

export function NodeChoices({ params }: { params: Pick<BuyParams, 'verStr' | 'groupId' | 'autoRenew'> }) {
  const { t } = useTranslation('static_residential_proxies');
  const { setBuyParams } = useIpsStore.getState();
  // Without a choice, the IPs renew as the account's plan does.
  const plan = usePlanInfo().data?.find((one) => one.VerStr === params.verStr);
  return (
    <div className={s.form}>
      <GroupField label={t('order.group')} value={params.groupId} onChange={(groupId) => setBuyParams({ groupId })} />
      <div>
        <Toggle
          label={t('order.autoRenew')}
          checked={params.autoRenew ?? plan?.AutoRenew ?? false}
          onChange={(autoRenew) => setBuyParams({ autoRenew })}
        />
        <p className={s.soft}>{t('order.autoRenewHint')}</p>
      </div>
    </div>
  );
}
