// Proxies by state and by tier, linked to the filtered list.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { OverviewView } from '@/api/welcome';
import { ENDS_SOON_DAYS, NodeState } from '@/core/constants.gen';
import { useCatalogue } from '@/stores/plan';
import { Card } from '@/ui/Page';
import { useName } from '@/ui/texts';
import { Bars } from './Bars';
import s from './welcome.module.css';

const listOf = (filter: Record<string, string>) =>
  `/static-residential-proxies/proxy-list?${new URLSearchParams(filter)}`;

export function States({ overview }: { overview: OverviewView }) {
  const { t, i18n } = useTranslation('welcome');
  const name = useName();
  const catalogue = useCatalogue().data;
  const number = new Intl.NumberFormat(i18n.language);
  const states = [
    {
      key: 'active',
      count: overview.ActiveCount - overview.EndingSoonCount,
      to: listOf({ State: NodeState.Assigned }),
    },
    { key: 'soon', count: overview.EndingSoonCount, to: listOf({ EndsWithinDays: String(ENDS_SOON_DAYS) }) },
    { key: 'grace', count: overview.GraceCount, to: listOf({ State: NodeState.Grace }) },
  ] as const;
  const all = overview.ActiveCount + overview.GraceCount;
  return (
    <Card title={t('proxies.byState')}>
      <div className={s.states}>
        <div className={s.stack} aria-hidden="true">
          {states.map(
            ({ key, count }) => count > 0 && <span key={key} data-state={key} style={{ flexGrow: count / all }} />,
          )}
        </div>
        <ul className={s.legend}>
          {states.map(({ key, count, to }) => (
            <li key={key} data-state={key}>
              <Link to={to}>{t(`proxies.state.${key}`, { Days: ENDS_SOON_DAYS })}</Link>
              <strong>{number.format(count)}</strong>
            </li>
          ))}
        </ul>
        <h3>{t('proxies.byTier')}</h3>
        <Bars
          rows={overview.Tiers.map((tier) => {
            const known = catalogue?.Tiers.find((one) => one.VerStr === tier.VerStr);
            return {
              key: tier.VerStr,
              label: known ? name({ en: known.LabelEn, zh: known.LabelZh }) : tier.VerStr,
              to: listOf({ VerStr: tier.VerStr }),
              count: tier.ActiveCount + tier.GraceCount,
            };
          })}
        />
      </div>
    </Card>
  );
}
