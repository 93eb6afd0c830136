//! Renewals: what it costs to keep nodes.
use crate::errors::{invalid_fields, wrong_argument};
use postern_core::quote::Terms;
use postern_core::renewal::{self, RenewalQuote, RenewalRequest};
use postern_core::tier::Catalogue;
use postern_core::validate::quote_error_fields;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// What a renewal costs somebody with these terms, by the same rules as the server's. Throws `InvalidFields`.
#[wasm_bindgen(js_name = quoteRenewal)]
pub fn quote_renewal(
    request: Ts<RenewalRequest>,
    catalogue: Ts<Catalogue>,
    terms: Ts<Terms>,
) -> Result<Ts<RenewalQuote>, JsValue> {
    let request = request.to_rust().map_err(wrong_argument)?;
    let catalogue = catalogue.to_rust().map_err(wrong_argument)?;
    let terms = terms.to_rust().map_err(wrong_argument)?;
    let quote = renewal::quote_renewal(&request, &catalogue, &terms);
    quote.map_err(|error| invalid_fields(&quote_error_fields(error)))?.into_ts().map_err(wrong_argument)
}
