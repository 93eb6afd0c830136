//! What is sold, for how much, and what somebody owns of it.
use postern_core::quote::quote_error_fields;
use postern_core::quote::{self, Quote, QuoteRequest, Terms};
use postern_core::tier::{self, Catalogue, NextStep};
use postern_face::errors::invalid_fields;
use postern_face::values::{read, read_list, write, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// What a new shop sells: the three tiers at their first prices, the periods and the discounts.
#[wasm_bindgen(js_name = defaultCatalogue)]
pub fn default_catalogue() -> Result<Ts<Catalogue>, JsValue> {
    write_as(&Catalogue::default())
}

/// The tiers of the catalogue that somebody with these rows of the node table owns.
#[wasm_bindgen(js_name = ownedProducts, unchecked_return_type = "Tier[]")]
pub fn owned_products(
    #[wasm_bindgen(unchecked_param_type = "NodeKind[]")] rows: JsValue,
    catalogue: Ts<Catalogue>,
) -> Result<JsValue, JsValue> {
    write(&tier::owned_products(&read_list(&rows)?, &read(catalogue)?))
}

/// What an order costs, by the same rules as the server's. Throws `InvalidFields`.
#[wasm_bindgen(js_name = quote)]
pub fn quote(request: Ts<QuoteRequest>, catalogue: Ts<Catalogue>) -> Result<Ts<Quote>, JsValue> {
    let quote = quote::quote(&read(request)?, &read(catalogue)?);
    write_as(&quote.map_err(|error| invalid_fields(&quote_error_fields(error)))?)
}

/// What an order costs somebody with these terms: a wholesale discount, a coupon that the server found usable, or both.
/// Throws `InvalidFields`.
#[wasm_bindgen(js_name = quoteWithTerms)]
pub fn quote_with_terms(
    request: Ts<QuoteRequest>,
    catalogue: Ts<Catalogue>,
    terms: Ts<Terms>,
) -> Result<Ts<Quote>, JsValue> {
    let quote = quote::quote_with_terms(&read(request)?, &read(catalogue)?, &read(terms)?);
    write_as(&quote.map_err(|error| invalid_fields(&quote_error_fields(error)))?)
}

/// What so many IPs cost somebody with these terms, wherever they are: for calculators. Throws `InvalidFields`.
#[wasm_bindgen(js_name = estimate)]
pub fn estimate(
    ver_str: &str,
    period_days: u32,
    quantity: u32,
    catalogue: Ts<Catalogue>,
    terms: Ts<Terms>,
) -> Result<Ts<Quote>, JsValue> {
    let quote = quote::estimate(ver_str, period_days, quantity, &read(catalogue)?, &read(terms)?);
    write_as(&quote.map_err(|error| invalid_fields(&quote_error_fields(error)))?)
}

/// How many IPs more earn the next discount; nothing beyond the last step.
#[wasm_bindgen(js_name = nextQuantityStep)]
pub fn next_quantity_step(quantity: u32, catalogue: Ts<Catalogue>) -> Result<Option<Ts<NextStep>>, JsValue> {
    read(catalogue)?.next_step(quantity).as_ref().map(write_as).transpose()
}
