// What was sold in the range, by product, and the stock.
import { useTranslation } from 'react-i18next';
import type { BusinessView } from '@/api/business';
import { OPERATOR_PATH, TRAFFIC_PRODUCT } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { useCatalogue } from '@/stores/plan';
import { ButtonLink } from '@/ui/Button';
import { Card } from '@/ui/Page';
import { EmptyState } from '@/ui/State';
import { MoneyText, useName, useNumber } from '@/ui/texts';
import s from './business.module.css';
import { usePercent } from './Change';
import { lengthOf, unitOf } from './ranges';

export function Products({ business }: { business: BusinessView }) {
  const { t } = useTranslation('business');
  const may = useMay();
  const { Range, Nodes, NodesForSale } = business;
  return (
    <Card
      title={t('products.title')}
      aside={<span className={s.aside}>{t(`range.title.${unitOf(Range)}`, { count: lengthOf(Range) })}</span>}
    >
      <div className={s.products}>
        {business.Products.length === 0 ? <EmptyState title={t('products.empty')} /> : <Table business={business} />}
        <div className={s.stock}>
          <span className={s.soft}>
            {Nodes === 0 ? t('stock.none') : t('stock.nodes', { Nodes, ForSale: NodesForSale })}
          </span>
          {may('Operator/GetInventory') && (
            <ButtonLink to={`${OPERATOR_PATH}/inventory`} size="small">
              {t('stock.inventory')}
            </ButtonLink>
          )}
        </div>
      </div>
    </Card>
  );
}

function Table({ business: { Products: products, Currency, Now } }: { business: BusinessView }) {
  const { t } = useTranslation('business');
  const nameOf = useProductName();
  const number = useNumber();
  const percent = usePercent();
  // Floats are only used for shares, never for amounts.
  const all = Number(Now.Revenue);
  return (
    <table className={s.table}>
      <caption className="visually-hidden">{t('products.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('products.product')}</th>
          <th scope="col">{t('figure.orders')}</th>
          <th scope="col">{t('figure.revenue')}</th>
          <th scope="col">{t('products.share')}</th>
        </tr>
      </thead>
      <tbody>
        {products.map(({ VerStr, Orders, Revenue }) => (
          <tr key={VerStr ?? ''}>
            <th scope="row">{nameOf(VerStr)}</th>
            <td>{number(Orders)}</td>
            <td>
              <MoneyText amount={Revenue} currency={Currency} />
            </td>
            <td>
              <span className={s.share}>
                <progress max={Math.max(1, all)} value={Number(Revenue)} aria-hidden="true" />
                <span>{all > 0 ? percent(Number(Revenue) / all) : '–'}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The name of a product: its wire name if the shop has no such tier any more. */
function useProductName() {
  const { t } = useTranslation('business');
  const name = useName();
  const tiers = useCatalogue().data?.Tiers;
  return (product: string | null | undefined): string => {
    if (!product) return t('products.several');
    if (product === TRAFFIC_PRODUCT) return t('products.traffic');
    const tier = tiers?.find(({ VerStr }) => VerStr === product);
    return tier ? name({ en: tier.LabelEn, zh: tier.LabelZh }) : product;
  };
}
