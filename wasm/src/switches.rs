//! Switches: what replacing a node costs.
use crate::errors::{refused, wrong_argument};
use postern_core::switch::{self, SwitchPrice, SwitchRequest};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// What a switch costs. Throws `SwitchQuotaUsed`, and `StateForbids` for a node that has ended or another tier than the mode allows.
#[wasm_bindgen(js_name = switchPrice)]
pub fn switch_price(request: Ts<SwitchRequest>) -> Result<Ts<SwitchPrice>, JsValue> {
    let request = request.to_rust().map_err(wrong_argument)?;
    switch::price_switch(&request).map_err(|error| refused(error.code()))?.into_ts().map_err(wrong_argument)
}
