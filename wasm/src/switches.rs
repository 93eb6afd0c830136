//! Switches: the price of replacing a node.
use postern_core::switch::{self, SwitchPrice, SwitchRequest};
use postern_face::errors::refused;
use postern_face::values::{read, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The price of a switch. Throws `SwitchQuotaUsed`, and `StateForbids` for an expired node or a tier that the mode does not allow.
#[wasm_bindgen(js_name = switchPrice)]
pub fn switch_price(request: Ts<SwitchRequest>) -> Result<Ts<SwitchPrice>, JsValue> {
    write_as(&switch::price_switch(&read("request", request)?).map_err(|error| refused(error.code()))?)
}
