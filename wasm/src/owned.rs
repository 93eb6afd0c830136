//! The state of what an account owns.
use postern_core::product_summary;
use postern_face::values::{MAX_SAFE, whole, whole_u32};
use wasm_bindgen::prelude::*;

/// The state of a product with these numbers of active, expired and soon expiring proxies, this many whole seconds before its next expiry;
/// undefined if nothing expires. Once that expiry has passed, the product has expired.
#[wasm_bindgen(js_name = productState, unchecked_return_type = "ProductState")]
pub fn product_state(
    #[wasm_bindgen(js_name = activeCount, unchecked_param_type = "number")] active_count: JsValue,
    #[wasm_bindgen(js_name = graceCount, unchecked_param_type = "number")] grace_count: JsValue,
    #[wasm_bindgen(js_name = endingSoonCount, unchecked_param_type = "number")] ending_soon_count: JsValue,
    #[wasm_bindgen(js_name = secondsLeft, unchecked_optional_param_type = "number")] seconds_left: JsValue,
) -> Result<String, JsValue> {
    let seconds_left = match seconds_left.is_undefined() {
        true => None,
        false => Some(whole("secondsLeft", &seconds_left, -MAX_SAFE, MAX_SAFE)?),
    };
    let state = product_summary::product_state(
        whole_u32("activeCount", &active_count)?,
        whole_u32("graceCount", &grace_count)?,
        whole_u32("endingSoonCount", &ending_soon_count)?,
        seconds_left,
    );
    Ok(state.as_str().to_owned())
}
