//! Values on their way between JavaScript and Rust. Objects come in as one JSON text, which crosses the border once, whatever
//! their number, and whose reader says where something is wrong; they go out field by field.
use crate::errors::wrong_argument;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;

fn text_of(value: &JsValue) -> Result<String, JsValue> {
    let text = js_sys::JSON::stringify(value).map_err(|_| wrong_argument("not a plain value"))?;
    // undefined and functions have no text.
    text.as_string().ok_or_else(|| wrong_argument("missing"))
}

/// Reads an argument of this type.
pub fn read<T: Tsify + DeserializeOwned>(value: Ts<T>) -> Result<T, JsValue> {
    postern_json::from_text(&text_of(&value.into())?).map_err(wrong_argument)
}

/// Reads an array of this type.
pub fn read_list<T: DeserializeOwned>(values: &JsValue) -> Result<Vec<T>, JsValue> {
    postern_json::from_text(&text_of(values)?).map_err(wrong_argument)
}

/// Writes a value of this type; `None` becomes undefined, a map an object.
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    value.serialize(&Serializer::new().serialize_maps_as_objects(true)).map_err(wrong_argument)
}

/// The same with its type in the signature.
pub fn write_as<T: Tsify + Serialize>(value: &T) -> Result<Ts<T>, JsValue> {
    write(value).map(Ts::new_unchecked)
}
