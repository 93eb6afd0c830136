//! Countries and cities with their names in both languages.
use postern_core::language::Language;
use postern_core::place;
use postern_face::errors::{ErrorCode, unknown};
use postern_face::values::write;
use wasm_bindgen::prelude::*;

fn known(language: &str) -> Result<Language, JsValue> {
    let unknown = || unknown(ErrorCode::UnknownLanguage, "language", language);
    Language::from_wire(language).ok_or_else(unknown)
}

/// All countries of ISO 3166-1.
#[wasm_bindgen(js_name = countries, unchecked_return_type = "Country[]")]
pub fn countries() -> Result<JsValue, JsValue> {
    write(&place::countries())
}

/// All data-centre cities.
#[wasm_bindgen(js_name = cities, unchecked_return_type = "City[]")]
pub fn cities() -> Result<JsValue, JsValue> {
    write(&place::cities())
}

/// A country's name by its two-letter code; the code itself if unknown. Throws `UnknownLanguage`.
#[wasm_bindgen(js_name = countryName)]
pub fn country_name(
    code: &str,
    #[wasm_bindgen(unchecked_param_type = "Language")] language: &str,
) -> Result<String, JsValue> {
    Ok(place::country_name(code, known(language)?))
}

/// A city's name by its key; the key itself if unknown. Throws `UnknownLanguage`.
#[wasm_bindgen(js_name = cityName)]
pub fn city_name(
    key: &str,
    #[wasm_bindgen(unchecked_param_type = "Language")] language: &str,
) -> Result<String, JsValue> {
    Ok(place::city_name(key, known(language)?))
}
