// Countries and cities with live stock, and how many IPs are wanted of each.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { post, type Schemas } from '@/api/client';
import { core } from '@/core';
import { currentLanguage } from '@/i18n';
import type { BuyParams } from '@/stores/ips';
import { SearchField, Stepper } from '@/ui/Controls';
import { Flag } from '@/ui/Flag';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { EmptyState, ErrorState } from '@/ui/State';
import { useName } from '@/ui/texts';
import room from './buy.module.css';

const STOCK_REFRESH_MS = 10_000;

interface PlacesPickerProps {
  verStr: string;
  target: string;
  quantities: BuyParams['quantities'];
  /** How many IPs are to be chosen in all; 0 when nobody said. */
  wanted: number;
  /** The city that turned out to have too few. */
  shortCity: string | undefined;
  onChange: (quantities: BuyParams['quantities']) => void;
  children: ReactNode;
}

export function PlacesPicker(props: PlacesPickerProps) {
  const { verStr, target, quantities, wanted, shortCity, onChange, children } = props;
  const { t } = useTranslation('static_residential_proxies');
  const [search, setSearch] = useState('');
  const stock = useQuery({
    queryKey: ['stock', verStr, target],
    queryFn: ({ signal }) => post('Ips/GetCountryList', { VerStr: verStr, Target: target }, { signal, silent: true }),
    placeholderData: keepPreviousData,
    refetchInterval: STOCK_REFRESH_MS,
    // Who comes back has perhaps just bought or cancelled something.
    refetchOnMount: 'always',
    enabled: verStr !== '',
  });
  const countries = useMemo(() => found(stock.data ?? [], search), [stock.data, search]);
  const set = (country: string, city: string, quantity: number) => {
    const { [city]: _, ...others } = quantities;
    onChange(quantity > 0 ? { ...others, [city]: { country, quantity } } : others);
  };
  const chosen = Object.values(quantities).reduce((sum, { quantity }) => sum + quantity, 0);
  const stockOf = (city: string) =>
    stock.data?.flatMap((country) => country.Cities).find((one) => one.City === city)?.Stock ?? 0;
  // Of another plan or use case there may be fewer.
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
              {t('order.lacking', { City: core().cityName(city, currentLanguage()), count: stockOf(city) })}
            </p>
          ))}
        </Notice>
      )}
      <div className={room.placeFilters}>
        <SearchField label={t('order.search')} value={search} onChange={(event) => setSearch(event.target.value)} />
        {children}
      </div>
      {stock.isError && !stock.data && <ErrorState onRetry={() => stock.refetch()} />}
      {stock.isPending && <LoadingState rows={10} />}
      {stock.data && countries.length === 0 && (
        <EmptyState title={t('order.noPlace')}>{t('order.noPlaceHint')}</EmptyState>
      )}
      <div className={room.countries} aria-busy={stock.isFetching}>
        {countries.map((country) => (
          <Country key={country.Country} country={country} quantities={quantities} shortCity={shortCity} onSet={set} />
        ))}
      </div>
    </>
  );
}

/** Places whose name in either language, or whose code, has the text in it. */
function found(countries: Schemas['CountryStock'][], search: string): Schemas['CountryStock'][] {
  const text = search.trim().toLowerCase();
  if (!text) return countries;
  const fits = (...names: string[]) => names.some((name) => name.toLowerCase().includes(text));
  return countries.flatMap((country) => {
    if (fits(country.NameEn, country.NameZh) || country.Country.toLowerCase() === text) return [country];
    const cities = country.Cities.filter((city) => fits(city.NameEn, city.NameZh));
    return cities.length > 0 ? [{ ...country, Cities: cities }] : [];
  });
}

interface CountryProps {
  country: Schemas['CountryStock'];
  quantities: BuyParams['quantities'];
  shortCity: string | undefined;
  onSet: (country: string, city: string, quantity: number) => void;
}

function Country({ country, quantities, shortCity, onSet }: CountryProps) {
  const { t } = useTranslation('static_residential_proxies');
  const name = useName();
  return (
    <section className={room.country}>
      <h3>
        <Flag country={country.Country} />
        {name({ en: country.NameEn, zh: country.NameZh })}
      </h3>
      <ul>
        {country.Cities.map((city) => {
          const cityName = name({ en: city.NameEn, zh: city.NameZh });
          const quantity = quantities[city.City]?.quantity ?? 0;
          const isShort = shortCity === city.City || quantity > city.Stock;
          return (
            <li key={city.City} data-chosen={quantity > 0 || undefined}>
              <span className={room.cityName}>{cityName}</span>
              <span className={room.stock} data-none={city.Stock === 0 || undefined} data-short={isShort || undefined}>
                {city.Stock === 0 ? t('order.soldOut') : t('order.inStock', { count: city.Stock })}
              </span>
              <Stepper
                label={cityName}
                value={quantity}
                max={Math.max(city.Stock, quantity)}
                invalid={isShort}
                onChange={(next) => onSet(country.Country, city.City, next)}
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
