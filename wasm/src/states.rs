//! States: which one follows, by the tables that the server keeps to.
use postern_core::code::Code;
use postern_core::node::{NodeEvent, NodeState, next_node_state};
use postern_core::order::{
    NotAllowed, OrderEvent, OrderState, PaymentEvent, PaymentState, next_order_state, next_payment_state,
};
use postern_core::proxy_user::{ProxyUserEvent, ProxyUserState, next_proxy_user_state};
use postern_core::referral::{CommissionEvent, CommissionState, next_commission_state};
use postern_face::errors::{ErrorCode, error, refused};
use wasm_bindgen::prelude::*;

fn known<T>(word: Option<T>) -> Result<T, JsValue> {
    word.ok_or_else(|| error(ErrorCode::UnknownState, "not a state or not an event"))
}

fn allowed<State>(
    next: Result<State, NotAllowed<State>>,
    as_str: fn(State) -> &'static str,
) -> Result<String, JsValue> {
    next.map(|state| as_str(state).to_owned()).map_err(|_| refused(Code::StateForbids))
}

/// The state of an order after an event. Throws `UnknownState` and `StateForbids`.
#[wasm_bindgen(js_name = nextOrderState)]
pub fn order(state: &str, event: &str) -> Result<String, JsValue> {
    let (state, event) = (known(OrderState::from_wire(state))?, known(OrderEvent::from_wire(event))?);
    allowed(next_order_state(state, event), OrderState::as_str)
}

/// The state of a payment after an event. Throws `UnknownState` and `StateForbids`.
#[wasm_bindgen(js_name = nextPaymentState)]
pub fn payment(state: &str, event: &str) -> Result<String, JsValue> {
    let (state, event) = (known(PaymentState::from_wire(state))?, known(PaymentEvent::from_wire(event))?);
    allowed(next_payment_state(state, event), PaymentState::as_str)
}

/// The state of a node after an event. Throws `UnknownState` and `StateForbids`.
#[wasm_bindgen(js_name = nextNodeState)]
pub fn node(state: &str, event: &str) -> Result<String, JsValue> {
    let (state, event) = (known(NodeState::from_wire(state))?, known(NodeEvent::from_wire(event))?);
    allowed(next_node_state(state, event), NodeState::as_str)
}

/// The state of a proxy user after an event. Throws `UnknownState` and `StateForbids`.
#[wasm_bindgen(js_name = nextProxyUserState)]
pub fn proxy_user(state: &str, event: &str) -> Result<String, JsValue> {
    let (state, event) = (known(ProxyUserState::from_wire(state))?, known(ProxyUserEvent::from_wire(event))?);
    allowed(next_proxy_user_state(state, event), ProxyUserState::as_str)
}

/// The state of a commission after an event. Throws `UnknownState` and `StateForbids`.
#[wasm_bindgen(js_name = nextCommissionState)]
pub fn commission(state: &str, event: &str) -> Result<String, JsValue> {
    let (state, event) = (known(CommissionState::from_wire(state))?, known(CommissionEvent::from_wire(event))?);
    allowed(next_commission_state(state, event), CommissionState::as_str)
}
