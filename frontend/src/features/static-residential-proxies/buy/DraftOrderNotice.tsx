// Notice about an unfinished order of a tier on sale, with a link back to the order form.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { useIpsStore } from '@/stores/ips';
import { ButtonLink } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { useTierName } from '../tierTexts';
import local from './buy.module.css';
import { soldTiers } from './soldTiers';

export function DraftOrderNotice({ catalogue }: { catalogue: Schemas['Catalogue'] }) {
  const { t } = useTranslation('static_residential_proxies');
  const tierName = useTierName();
  const buyInfo = useIpsStore((state) => state.buyInfo);
  if (!buyInfo || !soldTiers(catalogue).some(({ VerStr }) => VerStr === buyInfo.name)) return null;
  const currency = catalogue.Currency;
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
