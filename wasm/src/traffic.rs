//! Traffic for display, in gigabytes of 10^9 bytes.
use postern_core::proxy_user;
use postern_face::values::{MAX_SAFE, whole};
use wasm_bindgen::prelude::*;

/// Formats bytes as gigabytes: `1.5`. Rounded down to a thousandth.
#[wasm_bindgen(js_name = formatGigabytes)]
pub fn format_gigabytes(#[wasm_bindgen(unchecked_param_type = "number")] bytes: JsValue) -> Result<String, JsValue> {
    Ok(proxy_user::format_gigabytes(whole("bytes", &bytes, 0, MAX_SAFE)? as u64))
}
