//! Conversion between bytes and gigabytes of 10^9 bytes, for forms and screens.
use postern_core::proxy_user;
use postern_face::values::{MAX_SAFE, whole};
use wasm_bindgen::prelude::*;

/// Converts gigabytes as entered, with up to three decimal places, to bytes; undefined for anything else.
#[wasm_bindgen(js_name = parseGigabytes)]
pub fn parse_gigabytes(text: &str) -> Option<f64> {
    proxy_user::parse_gigabytes(text).map(|bytes| bytes as f64)
}

/// Formats bytes as gigabytes: `1.5`. Rounded down to a thousandth.
#[wasm_bindgen(js_name = formatGigabytes)]
pub fn format_gigabytes(#[wasm_bindgen(unchecked_param_type = "number")] bytes: JsValue) -> Result<String, JsValue> {
    Ok(proxy_user::format_gigabytes(whole("bytes", &bytes, 0, MAX_SAFE)? as u64))
}
