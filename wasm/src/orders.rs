//! Orders: what can be done with one.
use crate::errors::error;
use postern_core::order::{self, OrderActions, OrderState};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// What a customer can do with an order in this state, so many seconds before its hold ends. Throws `UnknownState`.
#[wasm_bindgen(js_name = orderActions)]
pub fn order_actions(state: &str, seconds_left: f64) -> Result<Ts<OrderActions>, JsValue> {
    let state = OrderState::from_wire(state).ok_or_else(|| error("UnknownState", "not a state of orders"))?;
    order::order_actions(state, seconds_left as i64).into_ts().map_err(crate::errors::wrong_argument)
}
