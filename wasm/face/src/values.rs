//! Conversion of values between JavaScript and Rust. Arguments arrive as one JSON text, which needs a single copy however many values it
//! has, and whose parser reports the path of an error; results are written field by field.
use crate::errors::{invalid_fields, wrong_argument};
use crate::js::to_js;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use postern_json::{JsonError, NumberError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/js/values.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = textOf)]
    fn text_of(value: &JsValue) -> Result<Option<String>, JsValue>;
}

#[inline(never)]
fn written(value: &JsValue) -> Result<String, JsonError> {
    let text = text_of(value).map_err(|_| JsonError::with_message("not a plain value"))?;
    // undefined and functions have no JSON text.
    text.ok_or_else(|| JsonError::with_message("missing"))
}

/// The rule that a number breaks, if that is the error: users type numbers.
pub(crate) fn broken_rule(error: &JsonError) -> Option<FieldErrors> {
    let (rule, limit) = match error.number()? {
        NumberError::NotWhole => (Rule::NotWhole, None),
        NumberError::LessThan(min) => (Rule::Min, Some(("Min", min.to_string()))),
        NumberError::MoreThan(max) => (Rule::Max, Some(("Max", max.to_string()))),
    };
    Some(FieldErrors::one(error.path(), rule, limit.as_slice()))
}

#[inline(never)]
fn thrown(error: JsonError) -> JsValue {
    broken_rule(&error).map_or_else(|| wrong_argument(&error.to_string()), |fields| invalid_fields(&fields))
}

pub(crate) fn read_or_wrong<T: Tsify + DeserializeOwned>(value: Ts<T>) -> Result<T, JsonError> {
    postern_json::from_text(&written(&value.into())?)
}

/// Deserialises an argument. Throws `InvalidFields` for numbers that do not fit, otherwise `WrongArgument`.
pub fn read<T: Tsify + DeserializeOwned>(value: Ts<T>) -> Result<T, JsValue> {
    read_or_wrong(value).map_err(thrown)
}

/// Deserialises an array; paths in errors begin with the argument's name: `Endpoints.0.Port`.
pub fn read_list<T: DeserializeOwned>(name: &str, values: &JsValue) -> Result<Vec<T>, JsValue> {
    let read = written(values).and_then(|text| postern_json::from_text(&text));
    read.map_err(|error| thrown(error.inside(name)))
}

/// A whole number within a range. Throws `WrongArgument`, which contains the argument's name and the range.
#[inline(never)]
pub fn whole(name: &str, value: &JsValue, min: i64, max: i64) -> Result<i64, JsValue> {
    let number =
        value.as_f64().filter(|number| number.trunc() == *number && *number >= min as f64 && *number <= max as f64);
    number
        .map(|number| number as i64)
        .ok_or_else(|| wrong_argument(&format!("{name}: expected a whole number from {min} to {max}")))
}

/// A whole number of 32 bits: hundredths of a percent, days, numbers of IPs.
pub fn whole_u32(name: &str, value: &JsValue) -> Result<u32, JsValue> {
    Ok(whole(name, value, 0, u32::MAX.into())? as u32)
}

/// The largest safe integer in JavaScript.
pub const MAX_SAFE: i64 = (1 << 53) - 1;

/// Serialises a value; `None` becomes undefined, and a map becomes an object.
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    to_js(value).map_err(|error| wrong_argument(&error.to_string()))
}

/// The same with a typed result.
pub fn write_as<T: Tsify + Serialize>(value: &T) -> Result<Ts<T>, JsValue> {
    write(value).map(Ts::new_unchecked)
}
