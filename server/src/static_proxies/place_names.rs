//! Names of places in both languages, from an indexed table: a page of a list looks up hundreds.
use postern_core::language::Language;
use postern_core::place::{cities, city_name, countries, country_name};
use std::collections::HashMap;
use std::sync::LazyLock;

#[derive(Clone)]
pub struct Names {
    pub en: String,
    pub zh: String,
}

static COUNTRIES: LazyLock<HashMap<String, Names>> = LazyLock::new(|| {
    countries().into_iter().map(|one| (one.country, Names { en: one.name_en, zh: one.name_zh })).collect()
});

static CITIES: LazyLock<HashMap<String, Names>> =
    LazyLock::new(|| cities().into_iter().map(|one| (one.city, Names { en: one.name_en, zh: one.name_zh })).collect());

/// Core's record of a country.
pub fn of_country(code: &str) -> Names {
    let unknown = || Names { en: country_name(code, Language::En), zh: country_name(code, Language::Zh) };
    COUNTRIES.get(code).cloned().unwrap_or_else(unknown)
}

/// Core's record of a city.
pub fn of_city(key: &str) -> Names {
    let unknown = || Names { en: city_name(key, Language::En), zh: city_name(key, Language::Zh) };
    CITIES.get(key).cloned().unwrap_or_else(unknown)
}
