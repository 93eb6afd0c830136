//! Values of Rust as JavaScript has them.
use serde::Serialize;
use serde_wasm_bindgen::{Error, Serializer};
use wasm_bindgen::JsValue;

/// `None` becomes undefined, a map an object.
pub(crate) fn to_js<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, Error> {
    value.serialize(&Serializer::new().serialize_maps_as_objects(true))
}
