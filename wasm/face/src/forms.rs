//! What validators of forms share.
use crate::errors::{ErrorCode, error};
use crate::values::write_as;
use postern_core::field_errors::FieldErrors;
use postern_core::money::Money;
use tsify::Ts;
use wasm_bindgen::JsValue;

/// The broken rules of a form: an empty object when all is well.
pub fn broken<T>(result: Result<T, FieldErrors>) -> Result<Ts<FieldErrors>, JsValue> {
    write_as(&result.err().unwrap_or_default())
}

/// An amount that a form is compared with. Throws `NotAnAmount`.
pub fn limit(text: &str) -> Result<Money, JsValue> {
    Money::parse(text).map_err(|_| error(ErrorCode::NotAnAmount, "a limit is not an amount"))
}
