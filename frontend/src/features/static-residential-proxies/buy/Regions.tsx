// The catalogue of cities by world region, collapsible.
import { CaretDown } from '@phosphor-icons/react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { MOBILE_MAX_WIDTH, Region } from '@/core/constants.gen';
import type { Quantities } from '@/stores/ips';
import { Stepper } from '@/ui/Controls';
import { Flag } from '@/ui/Flag';
import { useName } from '@/ui/texts';
import { useMedia } from '@/ui/useMedia';
import local from './places.module.css';

type CountryStock = Schemas['CountryStock'];

/** Countries with more cities have columns of their own. */
const LONG_CITIES = 8;

interface Choice {
  quantities: Quantities;
  shortCity: string | undefined;
  onSet: (country: string, city: string, quantity: number) => void;
}

interface RegionsProps extends Choice {
  countries: CountryStock[];
  isUnfolded: boolean;
}

/** On phones, only regions with selected cities start expanded; elsewhere all do, in an area that scrolls. */
export function Regions({ countries, isUnfolded, ...choice }: RegionsProps) {
  const { t } = useTranslation('static_residential_proxies');
  const isMobile = useMedia(`(max-width: ${MOBILE_MAX_WIDTH}px)`);
  const [folded, setFolded] = useState<Partial<Record<Region, boolean>>>({});
  const regions = Object.values(Region).filter((region) => countries.some((country) => country.Region === region));
  return regions.map((region) => {
    const own = countries.filter((country) => country.Region === region);
    const cities = own.flatMap((country) => country.Cities);
    const chosen = cities.reduce((sum, city) => sum + (choice.quantities[city.City]?.quantity ?? 0), 0);
    const isOpen = isUnfolded || !(folded[region] ?? (isMobile && chosen === 0));
    const name = t(`region.${region}`);
    return (
      <section key={region} className={local.region} aria-label={name}>
        <h3>
          <button
            type="button"
            aria-expanded={isOpen}
            disabled={isUnfolded}
            onClick={() => setFolded({ ...folded, [region]: isOpen })}
          >
            <CaretDown size={14} aria-hidden="true" />
            {name}
            <small>
              {t('order.cities', { count: cities.length })}
              {' · '}
              {t('order.inStock', { count: cities.reduce((sum, city) => sum + city.Stock, 0) })}
            </small>
            {chosen > 0 && <span className={local.count}>{t('order.chosen', { count: chosen })}</span>}
          </button>
        </h3>
        {isOpen && (
          <div className={local.countries}>
            {own.map((country) => (
              <Country key={country.Country} country={country} {...choice} />
            ))}
          </div>
        )}
      </section>
    );
  });
}

type CountryProps = Choice & { country: CountryStock };

/** Memoized: re-renders only when one of its own cities changes. */
const Country = memo(function Country({ country, quantities, shortCity, onSet }: CountryProps) {
  const name = useName();
  return (
    <section className={local.country} data-long={country.Cities.length > LONG_CITIES || undefined}>
      <h4>
        <Flag country={country.Country} />
        {name({ en: country.NameEn, zh: country.NameZh })}
      </h4>
      <ul>
        {country.Cities.map((city) => (
          <City
            key={city.City}
            country={country.Country}
            city={city}
            quantity={quantities[city.City]?.quantity ?? 0}
            wasShort={shortCity === city.City}
            onSet={onSet}
          />
        ))}
      </ul>
    </section>
  );
}, isSameCountry);

function isSameCountry(before: CountryProps, after: CountryProps): boolean {
  const isOwn = (city: string | undefined) => after.country.Cities.some((one) => one.City === city);
  return (
    before.country === after.country &&
    before.onSet === after.onSet &&
    (before.shortCity === after.shortCity || !(isOwn(before.shortCity) || isOwn(after.shortCity))) &&
    after.country.Cities.every(({ City }) => before.quantities[City]?.quantity === after.quantities[City]?.quantity)
  );
}

interface CityProps extends Pick<Choice, 'onSet'> {
  country: string;
  city: CountryStock['Cities'][number];
  quantity: number;
  /** This city has too little stock. */
  wasShort: boolean;
}

const City = memo(function City({ country, city, quantity, wasShort, onSet }: CityProps) {
  const { t } = useTranslation('static_residential_proxies');
  const cityName = useName()({ en: city.NameEn, zh: city.NameZh });
  const isShort = wasShort || quantity > city.Stock;
  return (
    <li data-chosen={quantity > 0 || undefined}>
      <span className={local.cityName}>{cityName}</span>
      <span className={local.stock} data-none={city.Stock === 0 || undefined} data-short={isShort || undefined}>
        {city.Stock === 0 ? t('order.soldOut') : t('order.inStock', { count: city.Stock })}
      </span>
      <Stepper
        label={cityName}
        value={quantity}
        max={Math.max(city.Stock, quantity)}
        invalid={isShort}
        onChange={(next) => onSet(country, city.City, next)}
      />
    </li>
  );
});
