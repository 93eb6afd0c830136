// Countries sorted by name, cached per language because sorting hundreds of names is slow.
import { core } from '@/core';
import { type Language, UNINHABITED } from '@/core/constants.gen';

export interface NamedCountry {
  code: string;
  name: string;
}

const kept = new Map<Language, readonly NamedCountry[]>();
let withCities: ReadonlySet<string> | undefined;

/** The countries to choose from, sorted for the language: all that have inhabitants. */
export function countriesByName(language: Language): readonly NamedCountry[] {
  const known = kept.get(language);
  if (known) return known;
  const { compare } = new Intl.Collator(language);
  const countries = core()
    .countries()
    .filter(({ Country }) => !UNINHABITED.includes(Country))
    .map(({ Country: code }) => ({ code, name: core().countryName(code, language) }))
    .sort((one, other) => compare(one.name, other.name));
  kept.set(language, countries);
  return countries;
}

/** Countries that have cities to choose from. */
export function countriesWithCities(language: Language): readonly NamedCountry[] {
  withCities ??= new Set(
    core()
      .cities()
      .map((city) => city.Country),
  );
  const known = withCities;
  return countriesByName(language).filter(({ code }) => known.has(code));
}
