//! Endpoint strings.
use crate::errors::{error, invalid_fields, wrong_argument};
use postern_core::endpoint::{self, Endpoint, EndpointFormat};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The names of the formats, the default first.
#[wasm_bindgen(js_name = endpointFormats)]
pub fn endpoint_formats() -> Vec<String> {
    EndpointFormat::ALL.iter().map(|format| format.as_str().to_owned()).collect()
}

/// Writes proxies down, one a line. Throws `UnknownFormat`, and `InvalidFields` for what the format cannot carry.
#[wasm_bindgen(js_name = formatEndpoints)]
pub fn format_endpoints(endpoints: Vec<Ts<Endpoint>>, format: &str) -> Result<String, JsValue> {
    let format =
        EndpointFormat::from_wire(format).ok_or_else(|| error("UnknownFormat", "not a format of endpoints"))?;
    let endpoints: Result<Vec<_>, _> = endpoints.iter().map(|endpoint| endpoint.to_rust()).collect();
    endpoint::format_endpoints(&endpoints.map_err(wrong_argument)?, format).map_err(|fields| invalid_fields(&fields))
}
