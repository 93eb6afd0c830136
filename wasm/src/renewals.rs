//! Renewals: the price of extending nodes.
use postern_core::quote::Terms;
use postern_core::quote::quote_error_fields;
use postern_core::renewal::{self, RenewalQuote, RenewalRequest};
use postern_core::tier::Catalogue;
use postern_face::errors::invalid_fields;
use postern_face::values::{read, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The price of a renewal for an account with these terms, by the same rules as the server's. Throws `InvalidFields`.
#[wasm_bindgen(js_name = quoteRenewal)]
pub fn quote_renewal(
    request: Ts<RenewalRequest>,
    catalogue: Ts<Catalogue>,
    terms: Ts<Terms>,
) -> Result<Ts<RenewalQuote>, JsValue> {
    let quote =
        renewal::quote_renewal(&read("request", request)?, &read("catalogue", catalogue)?, &read("terms", terms)?);
    write_as(&quote.map_err(|error| invalid_fields(&quote_error_fields(error)))?)
}
