//! Conversion of values between JavaScript and Rust, field by field. An error in an argument has the path of the wrong field.
use crate::errors::{ErrorCode, error, invalid_fields, wrong_argument};
use crate::js::to_js;
use postern_core::misfit::{self, Misfit};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Deserializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;

fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, Misfit> {
    if value.is_undefined() { Err(Misfit::missing()) } else { misfit::read(Deserializer::from(value)) }
}

#[inline(never)]
fn thrown(wrong: Misfit) -> JsValue {
    match wrong.broken_rule() {
        Some(fields) => invalid_fields(&fields),
        None => error(code_of(&wrong), &wrong.to_string()),
    }
}

/// The code of an unknown value is the same in a field as in an argument of its own.
pub(crate) fn code_of(wrong: &Misfit) -> ErrorCode {
    match wrong.path.rsplit('.').next() {
        Some("Format") if wrong.is_unknown() => ErrorCode::UnknownFormat,
        Some("Currency") if wrong.is_unknown() => ErrorCode::UnknownCurrency,
        _ => ErrorCode::WrongArgument,
    }
}

/// Paths in errors are those of fields; an error of the whole argument has its name.
#[inline(never)]
fn named(name: &str, wrong: Misfit) -> Misfit {
    if wrong.path.is_empty() { wrong.inside(name) } else { wrong }
}

pub(crate) fn read_or_wrong<T: Tsify + DeserializeOwned>(name: &str, value: Ts<T>) -> Result<T, Misfit> {
    let value: JsValue = value.into();
    let read = if value.is_array() { Err(Misfit::array()) } else { from_js(value) };
    read.map_err(|wrong| named(name, wrong))
}

/// Deserialises the argument of this name. Throws `InvalidFields` for numbers that do not fit, `UnknownFormat` and `UnknownCurrency` for such
/// values, otherwise `WrongArgument`.
pub fn read<T: Tsify + DeserializeOwned>(name: &str, value: Ts<T>) -> Result<T, JsValue> {
    read_or_wrong(name, value).map_err(thrown)
}

/// Deserialises the argument of this name, which may be absent: the default then. Throws like `read`.
pub fn read_optional<T: Tsify + DeserializeOwned + Default>(name: &str, value: JsValue) -> Result<T, JsValue> {
    if value.is_undefined() || value.is_null() { Ok(T::default()) } else { read(name, Ts::new_unchecked(value)) }
}

/// Deserialises an array; paths in errors begin with the argument's name: `Endpoints.0.Port`.
pub fn read_list<T: DeserializeOwned>(name: &str, values: JsValue) -> Result<Vec<T>, JsValue> {
    from_js(values).map_err(|wrong| thrown(wrong.inside(name)))
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

/// Serialises a value, with a typed result.
pub fn write_as<T: Tsify + Serialize>(value: &T) -> Result<Ts<T>, JsValue> {
    write(value).map(Ts::new_unchecked)
}
