//! State transitions, by the same tables as on the server.
use postern_core::code::Code;
use postern_core::node::{NodeEvent, NodeState, next_node_state};
use postern_core::order::{
    NotAllowed, OrderEvent, OrderState, PaymentEvent, PaymentState, next_order_state, next_payment_state,
};
use postern_core::proxy_user::{ProxyUserEvent, ProxyUserState, next_proxy_user_state};
use postern_core::referral::{CommissionEvent, CommissionState, next_commission_state};
use postern_face::errors::{ErrorCode, refused, unknown};
use wasm_bindgen::prelude::*;

fn known<T>(argument: &str, value: &str, from_wire: fn(&str) -> Option<T>) -> Result<T, JsValue> {
    from_wire(value).ok_or_else(|| unknown(ErrorCode::UnknownState, argument, value))
}

fn allowed<State>(
    next: Result<State, NotAllowed<State>>,
    as_str: fn(State) -> &'static str,
) -> Result<String, JsValue> {
    next.map(|state| as_str(state).to_owned()).map_err(|_| refused(Code::StateForbids))
}

/// The state of an order after an event. Throws `UnknownState` and `StateForbids`.
#[wasm_bindgen(js_name = nextOrderState, unchecked_return_type = "OrderState")]
pub fn order(
    #[wasm_bindgen(unchecked_param_type = "OrderState")] state: &str,
    #[wasm_bindgen(unchecked_param_type = "OrderEvent")] event: &str,
) -> Result<String, JsValue> {
    let (state, event) = (known("state", state, OrderState::from_wire)?, known("event", event, OrderEvent::from_wire)?);
    allowed(next_order_state(state, event), OrderState::as_str)
}

/// The state of a payment after an event. Throws `UnknownState` and `StateForbids`.
#[wasm_bindgen(js_name = nextPaymentState, unchecked_return_type = "PaymentState")]
pub fn payment(
    #[wasm_bindgen(unchecked_param_type = "PaymentState")] state: &str,
    #[wasm_bindgen(unchecked_param_type = "PaymentEvent")] event: &str,
) -> Result<String, JsValue> {
    let (state, event) =
        (known("state", state, PaymentState::from_wire)?, known("event", event, PaymentEvent::from_wire)?);
    allowed(next_payment_state(state, event), PaymentState::as_str)
}

/// The state of a node after an event. Throws `UnknownState` and `StateForbids`.
#[wasm_bindgen(js_name = nextNodeState, unchecked_return_type = "NodeState")]
pub fn node(
    #[wasm_bindgen(unchecked_param_type = "NodeState")] state: &str,
    #[wasm_bindgen(unchecked_param_type = "NodeEvent")] event: &str,
) -> Result<String, JsValue> {
    let (state, event) = (known("state", state, NodeState::from_wire)?, known("event", event, NodeEvent::from_wire)?);
    allowed(next_node_state(state, event), NodeState::as_str)
}

/// The state of a proxy user after an event. Throws `UnknownState` and `StateForbids`.
#[wasm_bindgen(js_name = nextProxyUserState, unchecked_return_type = "ProxyUserState")]
pub fn proxy_user(
    #[wasm_bindgen(unchecked_param_type = "ProxyUserState")] state: &str,
    #[wasm_bindgen(unchecked_param_type = "ProxyUserEvent")] event: &str,
) -> Result<String, JsValue> {
    let (state, event) =
        (known("state", state, ProxyUserState::from_wire)?, known("event", event, ProxyUserEvent::from_wire)?);
    allowed(next_proxy_user_state(state, event), ProxyUserState::as_str)
}

/// The state of a commission after an event. Throws `UnknownState` and `StateForbids`.
#[wasm_bindgen(js_name = nextCommissionState, unchecked_return_type = "CommissionState")]
pub fn commission(
    #[wasm_bindgen(unchecked_param_type = "CommissionState")] state: &str,
    #[wasm_bindgen(unchecked_param_type = "CommissionEvent")] event: &str,
) -> Result<String, JsValue> {
    let (state, event) =
        (known("state", state, CommissionState::from_wire)?, known("event", event, CommissionEvent::from_wire)?);
    allowed(next_commission_state(state, event), CommissionState::as_str)
}
