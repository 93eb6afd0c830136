//! Places: countries and data-centre cities with their names in both languages (specification, section 3, "Reference data").
mod cities;
mod countries;
mod packed;
mod popular;
mod regions;
mod spelling;

use crate::language::Language;
use crate::place::packed::Column;
pub use popular::{POPULAR_CITIES, popular_cities};
pub use regions::{Region, region_of};
use serde::{Deserialize, Serialize};
pub use spelling::{find_city, find_country, place_part, similar_city};

/// Territories without inhabitants, by their two-letter codes: nobody lives, sells or connects there, so that lists to choose from leave them out.
pub const UNINHABITED: [&str; 6] = ["AQ", "BV", "GS", "HM", "TF", "UM"];

/// A country of ISO 3166-1.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Country {
    /// Two letters, such as `US`: the key in all tables.
    pub country: String,
    pub code3: String,
    pub numeric: u16,
    pub name_en: String,
    pub name_zh: String,
}

/// A city with data centres. `city` is its key, unique across all countries.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct City {
    pub country: String,
    pub city: String,
    pub name_en: String,
    pub name_zh: String,
}

pub fn countries() -> Vec<Country> {
    (0..countries::NUMERIC.len()).map(country_of).collect()
}

pub fn cities() -> Vec<City> {
    (0..cities::KEY.cells().count()).map(city_of).collect()
}

/// The country code and the key of every city.
pub fn city_keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    cities::COUNTRY.cells().zip(cities::KEY.cells())
}

pub fn country(code: &str) -> Option<Country> {
    countries::CODE.position(code).map(country_of)
}

/// The two-letter code and the English name of every country.
pub fn country_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    countries::CODE.cells().zip(countries::NAME_EN.cells())
}

/// Whether ISO 3166-1 has a country with this two-letter code, in either case.
pub fn is_country(code: &str) -> bool {
    // Each row is two letters and a line break. This must be fast: proxy servers check it for every connection.
    let mut rows = countries::CODE.text().as_bytes().chunks_exact(3);
    code.len() == 2 && rows.any(|row| row[..2].eq_ignore_ascii_case(code.as_bytes()))
}

pub fn city(key: &str) -> Option<City> {
    cities::KEY.position(key).map(city_of)
}

/// A country's name; the code itself if unknown, so that there is always something to show.
pub fn country_name(code: &str, language: Language) -> String {
    let names = choose(language, &countries::NAME_EN, &countries::NAME_ZH);
    countries::CODE.position(code).map_or(code, |row| names.at(row)).to_owned()
}

/// A city's name; its key if unknown.
pub fn city_name(key: &str, language: Language) -> String {
    let names = choose(language, &cities::NAME_EN, &cities::NAME_ZH);
    cities::KEY.position(key).map_or(key, |row| names.at(row)).to_owned()
}

/// The Chinese name of a data-centre city, by its English name (the specification's lookup).
pub fn city_name_zh(name_en: &str) -> Option<&'static str> {
    let row = cities::NAME_EN.cells().position(|name| name.eq_ignore_ascii_case(name_en));
    row.map(|row| cities::NAME_ZH.at(row))
}

fn choose<'a>(language: Language, en: &'a Column, zh: &'a Column) -> &'a Column {
    if language == Language::Zh { zh } else { en }
}

fn country_of(row: usize) -> Country {
    Country {
        country: countries::CODE.at(row).into(),
        code3: countries::CODE3.at(row).into(),
        numeric: countries::NUMERIC[row],
        name_en: countries::NAME_EN.at(row).into(),
        name_zh: countries::NAME_ZH.at(row).into(),
    }
}

fn city_of(row: usize) -> City {
    City {
        country: cities::COUNTRY.at(row).into(),
        city: cities::KEY.at(row).into(),
        name_en: cities::NAME_EN.at(row).into(),
        name_zh: cities::NAME_ZH.at(row).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_and_keys_are_unique_and_every_city_lies_in_a_known_country() {
        let countries = countries();
        assert!(countries.len() >= 245);
        assert_eq!(countries.iter().map(|row| &row.country).collect::<HashSet<_>>().len(), countries.len());
        assert_eq!(countries.iter().map(|row| &row.code3).collect::<HashSet<_>>().len(), countries.len());
        assert_eq!(countries.iter().map(|row| row.numeric).collect::<HashSet<_>>().len(), countries.len());
        assert!(countries.iter().all(|row| is_country(&row.country)));
        assert!(is_country("de") && !is_country("QX") && !is_country("") && !is_country("D\n") && !is_country("USA"));
        let cities = cities();
        assert_eq!(cities.iter().map(|row| &row.city).collect::<HashSet<_>>().len(), cities.len());
        assert!(cities.iter().all(|row| country(&row.country).is_some() && !row.name_zh.is_ascii()));
    }

    #[test]
    fn names_exist_in_both_languages_and_unknown_keys_are_returned() {
        assert_eq!(country_name("DE", Language::En), "Germany");
        assert_eq!(country_name("DE", Language::Zh), "德国");
        assert_eq!(city_name("los-angeles", Language::Zh), "洛杉矶");
        assert_eq!(city_name_zh("Los Angeles"), Some("洛杉矶"));
        assert_eq!(
            (country_name("QX", Language::En), city_name("atlantis", Language::Zh)),
            ("QX".into(), "atlantis".into())
        );
    }
}
