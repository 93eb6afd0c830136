//! Conversion of Rust values to JavaScript.
use serde::Serialize;
use serde_wasm_bindgen::{Error, Serializer};
use wasm_bindgen::JsValue;

/// `None` becomes undefined, and a map becomes an object.
pub(crate) fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, Error> {
    value.serialize(&Serializer::new().serialize_maps_as_objects(true))
}
