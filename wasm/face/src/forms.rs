//! Helpers for form validators.
use crate::errors::{ErrorCode, error, wrong_argument};
use crate::values::{broken_rule, read_or_wrong, write_as};
use postern_core::field_errors::FieldErrors;
use postern_core::money::Money;
use postern_json::JsonError;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;

/// The broken rules of a form: an empty object if it is valid. A number that does not fit is also a broken rule.
pub fn check<F: Tsify + DeserializeOwned, T>(
    form: Ts<F>,
    rules: impl FnOnce(&F) -> Result<T, FieldErrors>,
) -> Result<Ts<FieldErrors>, JsValue> {
    match read_or_wrong(form) {
        Ok(form) => to_field_errors(rules(&form).err()),
        Err(wrong) => unread(wrong),
    }
}

/// The same for a form of a single text.
pub fn broken_rules<T>(result: Result<T, FieldErrors>) -> Result<Ts<FieldErrors>, JsValue> {
    to_field_errors(result.err())
}

#[inline(never)]
fn to_field_errors(errors: Option<FieldErrors>) -> Result<Ts<FieldErrors>, JsValue> {
    write_as(&errors.unwrap_or_default())
}

#[inline(never)]
fn unread(wrong: JsonError) -> Result<Ts<FieldErrors>, JsValue> {
    match broken_rule(&wrong) {
        Some(fields) => write_as(&fields),
        None => Err(wrong_argument(&wrong.to_string())),
    }
}

/// A limit for a form, as an amount. Throws `NotAnAmount`.
pub fn limit(text: &str) -> Result<Money, JsValue> {
    Money::parse(text).map_err(|_| error(ErrorCode::NotAnAmount, "a limit is not an amount"))
}
