// Notice about an unfinished order, with a link back to the order form.
import { useTranslation } from 'react-i18next';
import { type Currency, core } from '@/core';
import { useIpsStore } from '@/stores/ips';
import { ButtonLink } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { useTierName } from '../tierTexts';
import local from './buy.module.css';

export function DraftOrderNotice({ currency }: { currency: Currency }) {
  const { t } = useTranslation('static_residential_proxies');
  const tierName = useTierName();
  const buyInfo = useIpsStore((state) => state.buyInfo);
  if (!buyInfo) return null;
  return (
    <Notice>
      <div className={local.draft}>
        <span>
          {t('pricing.draft', {
            Tier: tierName(buyInfo.name),
            count: buyInfo.ipsCount,
            UnitPrice: core().displayMoney(buyInfo.unitPrice, currency),
            Price: core().displayMoney(buyInfo.price, currency),
          })}
        </span>
        <ButtonLink to="/static-residential-proxies/order" size="small">
          {t('pricing.continueOrder')}
        </ButtonLink>
      </div>
    </Notice>
  );
}
