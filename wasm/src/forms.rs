//! Form validators: each returns the broken rules of each field by its name, or an empty object if the form is valid.
use postern_core::field_errors::FieldErrors;
use postern_core::node_forms::{self, NodeAccountForm, PlanGroupForm};
use postern_core::quote;
use postern_core::quote::QuoteRequest;
use postern_core::sign_in::{self, LoginForm, SignUpForm};
use postern_core::tier::Catalogue;
use postern_core::top_up;
use postern_core::wallet_forms::{self, AutoTopUpForm};
use postern_face::forms::{broken_rules, check, limit};
use postern_face::values::read;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Validates a sign-up. The server also checks the strength of the password, and does not tell whether the address has an account: the mail to
/// its owner does.
#[wasm_bindgen(js_name = validateSignUp)]
pub fn validate_sign_up(form: Ts<SignUpForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, sign_in::validate_sign_up)
}

/// Validates a sign-in. Only the server can check whether address and password are correct.
#[wasm_bindgen(js_name = validateLogin)]
pub fn validate_login(form: Ts<LoginForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, sign_in::validate_login)
}

/// Validates a request for a link to reset the password.
#[wasm_bindgen(js_name = validatePasswordReset)]
pub fn validate_password_reset(email: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(sign_in::validate_reset_request(email))
}

/// Validates a new password. The server also checks its strength, and that it is not the e-mail address.
#[wasm_bindgen(js_name = validateResetPassword)]
pub fn validate_reset_password(password: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(sign_in::validate_new_password(password, ""))
}

/// Validates a top-up's amount, as entered, against the shop's limits.
#[wasm_bindgen(js_name = validateTopUp)]
pub fn validate_top_up(amount: &str, min: &str, max: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(top_up::validate_top_up(amount, limit("min", min)?, limit("max", max)?))
}

/// Validates an order, including that its places exist. Only the server knows the stock, and the targets of the shop.
#[wasm_bindgen(js_name = validateOrder)]
pub fn validate_order(request: Ts<QuoteRequest>, catalogue: Ts<Catalogue>) -> Result<Ts<FieldErrors>, JsValue> {
    let catalogue = read("catalogue", catalogue)?;
    check("request", request, |request| quote::validate_order(request, &catalogue))
}

/// Validates the user name and password of nodes; an empty field leaves the value unchanged.
#[wasm_bindgen(js_name = validateNodeAccount)]
pub fn validate_node_account(form: Ts<NodeAccountForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, node_forms::validate_node_account)
}

/// Validates the name, colour and note of a group. Only the server can check that the name is unique in the account.
#[wasm_bindgen(js_name = validatePlanGroup)]
pub fn validate_plan_group(form: Ts<PlanGroupForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, node_forms::validate_plan_group)
}

#[wasm_bindgen(js_name = validateNodeNote)]
pub fn validate_node_note(note: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(node_forms::validate_node_note(note))
}

/// Validates the reason for a switch.
#[wasm_bindgen(js_name = validateSwitchReason)]
pub fn validate_switch_reason(reason: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(node_forms::validate_switch_reason(reason))
}

/// Validates automatic top-ups against the shop's limits of a top-up. Throws `NotAnAmount`.
#[wasm_bindgen(js_name = validateAutoTopUp)]
pub fn validate_auto_top_up(form: Ts<AutoTopUpForm>, min: &str, max: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let (min, max) = (limit("min", min)?, limit("max", max)?);
    check("form", form, |form| wallet_forms::validate_auto_top_up(form, min, max))
}

/// Validates the threshold of the low-balance alert; empty turns it off.
#[wasm_bindgen(js_name = validateLowBalanceAlert)]
pub fn validate_low_balance_alert(threshold: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(wallet_forms::validate_low_balance_alert(threshold))
}

/// Validates a coupon code, as entered. Only the server knows whether there is such a coupon.
#[wasm_bindgen(js_name = validateCouponCode)]
pub fn validate_coupon_code(code: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(wallet_forms::validate_coupon_code(code))
}

/// Validates an invite code; may be empty. Only the server knows whether it is someone's.
#[wasm_bindgen(js_name = validateInviteCode)]
pub fn validate_invite_code(code: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(wallet_forms::validate_invite_code(code))
}
