//! Forms: the broken rules of each field, by the field's name; an empty object when all is well.
use crate::errors::{error, wrong_argument};
use postern_core::money::Money;
use postern_core::quote::QuoteRequest;
use postern_core::tier::Catalogue;
use postern_core::validate::{self, FieldErrors, LoginForm, SignUpForm};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

fn broken<T>(result: Result<T, FieldErrors>) -> Result<Ts<FieldErrors>, JsValue> {
    result.err().unwrap_or_default().into_ts().map_err(wrong_argument)
}

#[wasm_bindgen(js_name = validateSignUp)]
pub fn validate_sign_up(form: Ts<SignUpForm>) -> Result<Ts<FieldErrors>, JsValue> {
    broken(validate::validate_sign_up(&form.to_rust().map_err(wrong_argument)?))
}

#[wasm_bindgen(js_name = validateLogin)]
pub fn validate_login(form: Ts<LoginForm>) -> Result<Ts<FieldErrors>, JsValue> {
    broken(validate::validate_login(&form.to_rust().map_err(wrong_argument)?))
}

/// Asking for a link to reset the password.
#[wasm_bindgen(js_name = validatePasswordReset)]
pub fn validate_password_reset(email: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken(validate::validate_reset_request(email))
}

/// Choosing a new password.
#[wasm_bindgen(js_name = validateResetPassword)]
pub fn validate_reset_password(password: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken(validate::validate_new_password(password, ""))
}

/// A top-up's amount, as typed, against the shop's limits.
#[wasm_bindgen(js_name = validateTopUp)]
pub fn validate_top_up(amount: &str, min: &str, max: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let limit = |text: &str| Money::parse(text).map_err(|_| error("NotAnAmount", "a limit is not an amount"));
    broken(validate::validate_top_up(amount, limit(min)?, limit(max)?))
}

#[wasm_bindgen(js_name = validateOrder)]
pub fn validate_order(request: Ts<QuoteRequest>, catalogue: Ts<Catalogue>) -> Result<Ts<FieldErrors>, JsValue> {
    let request = request.to_rust().map_err(wrong_argument)?;
    broken(validate::validate_order(&request, &catalogue.to_rust().map_err(wrong_argument)?))
}
