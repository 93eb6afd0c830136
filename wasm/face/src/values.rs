//! Values on their way between JavaScript and Rust. Objects come in as one JSON text, which crosses the border once, whatever
//! their number, and whose reader says where something is wrong; they go out field by field.
use crate::errors::{invalid_fields, wrong_argument};
use crate::js::to_js;
use postern_core::field_errors::FieldErrors;
use postern_json::{WrongJson, WrongNumber};
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

/// What is wrong with an argument.
pub(crate) enum Wrong {
    /// People type these numbers, so a rule says what is wrong.
    Numbers(FieldErrors),
    Type(String),
}

impl From<WrongJson> for Wrong {
    #[inline(never)]
    fn from(wrong: WrongJson) -> Wrong {
        let rule = match wrong.number() {
            None => return Wrong::Type(wrong.to_string()),
            Some(WrongNumber::NotWhole) => ("notWhole", None),
            Some(WrongNumber::LessThan(min)) => ("min", Some(("Min", min.to_string()))),
            Some(WrongNumber::MoreThan(max)) => ("max", Some(("Max", max.to_string()))),
        };
        Wrong::Numbers(FieldErrors::one(wrong.at(), rule.0, rule.1.as_slice()))
    }
}

impl From<Wrong> for JsValue {
    fn from(wrong: Wrong) -> JsValue {
        match wrong {
            Wrong::Numbers(fields) => invalid_fields(&fields),
            Wrong::Type(message) => wrong_argument(&message),
        }
    }
}

#[inline(never)]
fn written(value: &JsValue) -> Result<String, Wrong> {
    let text = text_of(value).map_err(|_| Wrong::Type("not a plain value".to_owned()))?;
    // undefined and functions have no text.
    text.ok_or_else(|| Wrong::Type("missing".to_owned()))
}

pub(crate) fn read_or_wrong<T: Tsify + DeserializeOwned>(value: Ts<T>) -> Result<T, Wrong> {
    Ok(postern_json::from_text(&written(&value.into())?)?)
}

/// Reads an argument of this type. Throws `InvalidFields` for numbers that do not fit, and `WrongArgument`.
pub fn read<T: Tsify + DeserializeOwned>(value: Ts<T>) -> Result<T, JsValue> {
    read_or_wrong(value).map_err(JsValue::from)
}

/// Reads an array of this type, in which places are named after the argument: `Endpoints.0.Port`.
pub fn read_list<T: DeserializeOwned>(name: &str, values: &JsValue) -> Result<Vec<T>, JsValue> {
    let read = written(values).and_then(|text| Ok(postern_json::from_text(&text).map_err(|wrong| wrong.inside(name))?));
    read.map_err(JsValue::from)
}

/// An argument that is a whole number within bounds. Throws `WrongArgument`, which names both.
#[inline(never)]
pub fn whole(name: &str, value: &JsValue, min: i64, max: i64) -> Result<i64, JsValue> {
    let number =
        value.as_f64().filter(|number| number.trunc() == *number && *number >= min as f64 && *number <= max as f64);
    number
        .map(|number| number as i64)
        .ok_or_else(|| wrong_argument(&format!("{name}: expected a whole number from {min} to {max}")))
}

/// One from 0 to the largest of 32 bits: hundredths of a percent, days, numbers of IPs.
pub fn whole_u32(name: &str, value: &JsValue) -> Result<u32, JsValue> {
    Ok(whole(name, value, 0, u32::MAX.into())? as u32)
}

/// The largest integer up to which JavaScript's numbers have them all.
pub const MAX_SAFE: i64 = (1 << 53) - 1;

/// Writes a value of this type; `None` becomes undefined, a map an object.
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    to_js(value).map_err(|error| wrong_argument(&error.to_string()))
}

/// The same with its type in the signature.
pub fn write_as<T: Tsify + Serialize>(value: &T) -> Result<Ts<T>, JsValue> {
    write(value).map(Ts::new_unchecked)
}
