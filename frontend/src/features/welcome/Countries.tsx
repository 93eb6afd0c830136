// Proxies by country: the largest, and the rest in one row.
import { useTranslation } from 'react-i18next';
import type { OverviewView } from '@/api/welcome';
import { core } from '@/core';
import { currentLanguage } from '@/i18n';
import { Flag } from '@/ui/Flag';
import { Card } from '@/ui/Page';
import { type BarRow, Bars } from './Bars';
import s from './welcome.module.css';

const SHOWN = 8;

export function Countries({ countries }: { countries: OverviewView['Countries'] }) {
  const { t } = useTranslation('welcome');
  // A single remaining country takes no more room than the row of the rest.
  const shown = countries.slice(0, countries.length === SHOWN + 1 ? SHOWN + 1 : SHOWN);
  const rest = countries.slice(shown.length);
  const rows: BarRow[] = shown.map(({ Country, Count }) => ({
    key: Country,
    label: (
      <span className={s.country}>
        <Flag country={Country} />
        {core().countryName(Country, currentLanguage())}
      </span>
    ),
    to: `/static-residential-proxies/proxy-list?Country=${Country}`,
    count: Count,
  }));
  if (rest.length > 0) {
    rows.push({
      key: '',
      label: t('proxies.otherCountries', { count: rest.length }),
      count: rest.reduce((sum, { Count }) => sum + Count, 0),
    });
  }
  return (
    <Card title={t('proxies.byCountry')}>
      <Bars rows={rows} />
    </Card>
  );
}
