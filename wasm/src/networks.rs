//! Whitelist entries: addresses and networks.
use postern_core::field_errors::FieldErrors;
use postern_core::network;
use postern_face::errors::invalid_fields;
use postern_face::values::write_as;
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Validates a whitelist entry; errors are at `Address` and `Label`. Empty if valid.
///
/// ```ts
/// core().validateWhitelistEntry('192.168.1.7', 'office'); // { Address: [{ Rule: 'networkPrivate', Params: {} }] }
/// ```
#[wasm_bindgen(js_name = validateWhitelistEntry)]
pub fn validate_whitelist_entry(address: &str, label: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let errors = network::validate_whitelist_entry(address, label).err();
    write_as(&errors.unwrap_or_default())
}

/// A whitelist entry as stored: in short form, without host bits. Throws `InvalidFields` at `Address`.
///
/// ```ts
/// core().whitelistEntry(' 8.8.8.8/24 '); // '8.8.8.0/24'
/// ```
#[wasm_bindgen(js_name = whitelistEntry)]
pub fn whitelist_entry(address: &str) -> Result<String, JsValue> {
    let entry = network::whitelist_entry(address);
    entry.map(|network| network.to_string()).map_err(|error| invalid_fields(&error.at("Address")))
}
