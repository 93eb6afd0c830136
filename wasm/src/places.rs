//! Countries and cities with their names in both languages.
use crate::errors::wrong_argument;
use postern_core::language::Language;
use postern_core::place::{self, City, Country};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// All countries of ISO 3166-1.
#[wasm_bindgen(js_name = countries)]
pub fn countries() -> Result<Vec<Ts<Country>>, JsValue> {
    place::countries().iter().map(|country| country.into_ts().map_err(wrong_argument)).collect()
}

/// All data-centre cities that the shop knows.
#[wasm_bindgen(js_name = cities)]
pub fn cities() -> Result<Vec<Ts<City>>, JsValue> {
    place::cities().iter().map(|city| city.into_ts().map_err(wrong_argument)).collect()
}

/// A country's name by its two letters; the letters themselves for one that is unknown.
#[wasm_bindgen(js_name = countryName)]
pub fn country_name(code: &str, language: &str) -> String {
    place::country_name(code, Language::from_choice(language))
}

/// A city's name by its key; the key itself for one that is unknown.
#[wasm_bindgen(js_name = cityName)]
pub fn city_name(key: &str, language: &str) -> String {
    place::city_name(key, Language::from_choice(language))
}
