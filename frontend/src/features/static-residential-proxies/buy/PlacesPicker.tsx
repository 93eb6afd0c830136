// Countries and cities with live stock, and the quantity wanted of each.
import { ClipboardText, Plus, X } from '@phosphor-icons/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { stockQuery } from '@/api/staticProxies';
import { core } from '@/core';
import { currentLanguage } from '@/i18n';
import type { Quantities } from '@/stores/ips';
import { Button } from '@/ui/Button';
import { SearchField } from '@/ui/Controls';
import { SelectField } from '@/ui/Field';
import { Flag } from '@/ui/Flag';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { EmptyState, ErrorState } from '@/ui/State';
import { useName } from '@/ui/texts';
import { PasteDialog } from './PasteDialog';
import local from './places.module.css';
import { Regions } from './Regions';

const STOCK_REFRESH_MS = 10_000;

type Country = Schemas['CountryStock'];
type Order = 'name' | 'stock';

interface PlacesPickerProps {
  verStr: string;
  target: string;
  quantities: Quantities;
  /** Total number of IPs to choose; 0 if not given. */
  wanted: number;
  /** The city with too little stock. */
  shortCity: string | undefined;
  onChange: (change: (now: Quantities) => Quantities) => void;
  children: ReactNode;
}

export function PlacesPicker(props: PlacesPickerProps) {
  const { verStr, target, quantities, wanted, shortCity, onChange, children } = props;
  const { t } = useTranslation('static_residential_proxies');
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<Order>('name');
  const [isPasting, setPasting] = useState(false);
  const stock = useQuery({
    ...stockQuery(verStr, target),
    placeholderData: keepPreviousData,
    refetchInterval: STOCK_REFRESH_MS,
    // Refetched on mount: the customer may have just bought or cancelled something.
    refetchOnMount: 'always',
    enabled: verStr !== '',
  });
  const everywhere = useMemo(() => sorted(stock.data ?? [], order), [stock.data, order]);
  // The field updates at once; filtering follows in a transition.
  const searched = useDeferredValue(search);
  const countries = useMemo(() => found(everywhere, searched), [everywhere, searched]);
  const cities = useMemo(() => stock.data?.flatMap((country) => country.Cities) ?? [], [stock.data]);
  const latest = useRef(onChange);
  latest.current = onChange;
  // Stable callback: only the changed city re-renders among hundreds.
  const set = useCallback((country: string, city: string, quantity: number) => {
    latest.current((now) => {
      const { [city]: _, ...others } = now;
      return quantity > 0 ? { ...now, [city]: { country, quantity } } : others;
    });
  }, []);
  const addOne = (country: string, city: string) =>
    onChange((now) => {
      const quantity = Math.min(stockOf(city), (now[city]?.quantity ?? 0) + 1);
      return { ...now, [city]: { country, quantity } };
    });
  const chosen = Object.values(quantities).reduce((sum, { quantity }) => sum + quantity, 0);
  const stockOf = (city: string) => cities.find((one) => one.City === city)?.Stock ?? 0;
  // Another plan or use case may have less stock.
  const lacking = stock.isPlaceholderData
    ? []
    : Object.entries(stock.data ? quantities : {}).filter(([city, { quantity }]) => quantity > stockOf(city));
  return (
    <>
      {wanted > chosen && <Notice>{t('order.wanted', { count: wanted, Left: wanted - chosen })}</Notice>}
      {lacking.length > 0 && (
        <Notice tone="warn">
          {lacking.map(([city]) => (
            <p key={city}>
              {t('order.onlyLeft', { City: core().cityName(city, currentLanguage()), count: stockOf(city) })}
            </p>
          ))}
        </Notice>
      )}
      <div className={local.filters}>
        <SearchField label={t('order.search')} value={search} onChange={(event) => setSearch(event.target.value)} />
        {children}
        <SelectField
          label={t('order.sort')}
          hideLabel
          value={order}
          onChange={(event) => setOrder(event.target.value as Order)}
        >
          <option value="name">{t('order.byName')}</option>
          <option value="stock">{t('order.byStock')}</option>
        </SelectField>
        <Button icon={<ClipboardText size={16} />} onClick={() => setPasting(true)}>
          {t('paste.open')}
        </Button>
      </div>
      <ChosenCities quantities={quantities} onRemove={(city) => set('', city, 0)} />
      {!searched.trim() && <PopularCities countries={countries} quantities={quantities} onAdd={addOne} />}
      {stock.isError && !stock.data && <ErrorState error={stock.error} onRetry={() => stock.refetch()} />}
      {stock.isPending && <LoadingState rows={10} />}
      {stock.data && countries.length === 0 && (
        <EmptyState title={t('order.noPlace')}>{t('order.noPlaceHint')}</EmptyState>
      )}
      <div className={local.regions} aria-busy={stock.isFetching}>
        <Regions
          countries={countries}
          // Regions with search results are expanded.
          isUnfolded={searched.trim() !== ''}
          quantities={quantities}
          shortCity={shortCity}
          onSet={set}
        />
      </div>
      {isPasting && (
        <PasteDialog
          stockOf={stockOf}
          onChoose={(pasted) => {
            onChange((now) => ({ ...now, ...pasted }));
            setPasting(false);
          }}
          onClose={() => setPasting(false)}
        />
      )}
    </>
  );
}

/** Places whose name in either language, or whose code, contains the text. */
function found(countries: Country[], search: string): Country[] {
  const text = search.trim().toLowerCase();
  if (!text) return countries;
  const fits = (...names: string[]) => names.some((name) => name.toLowerCase().includes(text));
  return countries.flatMap((country) => {
    if (fits(country.NameEn, country.NameZh) || country.Country.toLowerCase() === text) return [country];
    const cities = country.Cities.filter((city) => fits(city.NameEn, city.NameZh));
    return cities.length > 0 ? [{ ...country, Cities: cities }] : [];
  });
}

/** Sorted by name in the user's language, or by stock. */
function sorted(countries: Country[], order: Order): Country[] {
  const language = currentLanguage();
  const collator = new Intl.Collator(language);
  const byName = <Named extends { NameEn: string; NameZh: string }>(one: Named, other: Named) =>
    language === 'zh' ? collator.compare(one.NameZh, other.NameZh) : collator.compare(one.NameEn, other.NameEn);
  const stockOf = (country: Country) => country.Cities.reduce((sum, city) => sum + city.Stock, 0);
  const isByStock = order === 'stock';
  return countries
    .map((country) => ({
      ...country,
      Cities: country.Cities.toSorted((one, other) => (isByStock && other.Stock - one.Stock) || byName(one, other)),
    }))
    .sort((one, other) => (isByStock && stockOf(other) - stockOf(one)) || byName(one, other));
}

/** Selected cities, with a button to remove each. */
function ChosenCities({ quantities, onRemove }: { quantities: Quantities; onRemove: (city: string) => void }) {
  const { t } = useTranslation('static_residential_proxies');
  const chosen = Object.entries(quantities);
  if (chosen.length === 0) return null;
  return (
    <section className={local.chips} aria-label={t('order.chosenCities')}>
      <h3>{t('order.chosenCities')}</h3>
      {chosen.map(([city, { country, quantity }]) => {
        const name = core().cityName(city, currentLanguage());
        return (
          <Button
            key={city}
            size="small"
            aria-label={t('order.removeCity', { City: name, Quantity: quantity })}
            onClick={() => onRemove(city)}
          >
            <Flag country={country} />
            {name} × {quantity}
            <X size={13} aria-hidden="true" />
          </Button>
        );
      })}
    </section>
  );
}

interface PopularCitiesProps {
  countries: Country[];
  quantities: Quantities;
  onAdd: (country: string, city: string) => void;
}

/** Best-selling cities in stock: one click adds one IP. */
function PopularCities({ countries, quantities, onAdd }: PopularCitiesProps) {
  const { t } = useTranslation('static_residential_proxies');
  const name = useName();
  const popular = countries
    .flatMap((country) => country.Cities.map((city) => ({ ...city, Country: country.Country })))
    .filter((city) => city.Popularity && city.Stock > 0)
    .sort((one, other) => (one.Popularity ?? 0) - (other.Popularity ?? 0));
  if (popular.length === 0) return null;
  return (
    <section className={local.chips} aria-label={t('order.popular')}>
      <h3>{t('order.popular')}</h3>
      {popular.map((city) => {
        const cityName = name({ en: city.NameEn, zh: city.NameZh });
        return (
          <Button
            key={city.City}
            size="small"
            aria-label={t('order.addOne', { City: cityName })}
            disabled={(quantities[city.City]?.quantity ?? 0) >= city.Stock}
            onClick={() => onAdd(city.Country, city.City)}
          >
            <Plus size={13} aria-hidden="true" />
            <Flag country={city.Country} />
            {cityName}
          </Button>
        );
      })}
    </section>
  );
}
