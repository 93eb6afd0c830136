//! Switches: what replacing a node costs.
use postern_core::switch::{self, SwitchPrice, SwitchRequest};
use postern_face::errors::refused;
use postern_face::values::{read, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// What a switch costs. Throws `SwitchQuotaUsed`, and `StateForbids` for a node that has ended or another tier than the mode allows.
#[wasm_bindgen(js_name = switchPrice)]
pub fn switch_price(request: Ts<SwitchRequest>) -> Result<Ts<SwitchPrice>, JsValue> {
    write_as(&switch::price_switch(&read(request)?).map_err(|error| refused(error.code()))?)
}
