//! The actions available for an order.
use postern_core::order::{self, OrderActions, OrderState};
use postern_face::errors::{ErrorCode, unknown};
use postern_face::values::{MAX_SAFE, whole, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The actions available to a customer for an order in this state, this many whole seconds before its hold expires. Throws `UnknownState`.
#[wasm_bindgen(js_name = orderActions)]
pub fn order_actions(
    #[wasm_bindgen(unchecked_param_type = "OrderState")] state: &str,
    #[wasm_bindgen(js_name = secondsLeft, unchecked_param_type = "number")] seconds_left: JsValue,
) -> Result<Ts<OrderActions>, JsValue> {
    let known = OrderState::from_wire(state).ok_or_else(|| unknown(ErrorCode::UnknownState, "state", state))?;
    write_as(&order::order_actions(known, whole("secondsLeft", &seconds_left, -MAX_SAFE, MAX_SAFE)?))
}
