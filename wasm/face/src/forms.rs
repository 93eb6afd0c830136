//! Helpers for form validators.
use crate::errors::{ErrorCode, error, not_an_amount};
use crate::values::{code_of, read_or_wrong, write_as};
use chrono::NaiveDateTime;
use postern_core::field_errors::FieldErrors;
use postern_core::misfit::Misfit;
use postern_core::money::Money;
use postern_core::time::from_wire;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;

/// The broken rules of a form, the argument of this name: an empty object if it is valid. A number that does not fit is also a broken rule.
pub fn check<F: Tsify + DeserializeOwned, T>(
    name: &str,
    form: Ts<F>,
    rules: impl FnOnce(&F) -> Result<T, FieldErrors>,
) -> Result<Ts<FieldErrors>, JsValue> {
    match read_or_wrong(name, form) {
        Ok(form) => to_field_errors(rules(&form).err()),
        Err(wrong) => unread(wrong),
    }
}

/// The broken rules of a form of a single text: an empty object if it is valid.
pub fn broken_rules<T>(result: Result<T, FieldErrors>) -> Result<Ts<FieldErrors>, JsValue> {
    to_field_errors(result.err())
}

#[inline(never)]
fn to_field_errors(errors: Option<FieldErrors>) -> Result<Ts<FieldErrors>, JsValue> {
    write_as(&errors.unwrap_or_default())
}

#[inline(never)]
fn unread(wrong: Misfit) -> Result<Ts<FieldErrors>, JsValue> {
    match wrong.broken_rule() {
        Some(fields) => write_as(&fields),
        None => Err(error(code_of(&wrong), &wrong.to_string())),
    }
}

/// A limit for a form, the argument of this name, as an amount. Throws `NotAnAmount`.
pub fn limit(name: &str, text: &str) -> Result<Money, JsValue> {
    Money::parse(text).map_err(|_| not_an_amount(name))
}

/// The argument of this name, a time in UTC. Throws `NotATime`.
pub fn time(name: &str, text: &str) -> Result<NaiveDateTime, JsValue> {
    let wrong = || error(ErrorCode::NotATime, &format!("{name}: expected a time in UTC, YYYY-MM-DD HH:mm:ss"));
    from_wire(text).ok_or_else(wrong)
}
