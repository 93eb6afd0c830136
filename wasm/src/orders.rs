//! Orders: what can be done with one.
use postern_core::order::{self, OrderActions, OrderState};
use postern_face::errors::{ErrorCode, error};
use postern_face::values::write_as;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// What a customer can do with an order in this state, so many seconds before its hold ends. Throws `UnknownState`.
#[wasm_bindgen(js_name = orderActions)]
pub fn order_actions(state: &str, seconds_left: f64) -> Result<Ts<OrderActions>, JsValue> {
    let state = OrderState::from_wire(state).ok_or_else(|| error(ErrorCode::UnknownState, "not a state of orders"))?;
    write_as(&order::order_actions(state, seconds_left as i64))
}
