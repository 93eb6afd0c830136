//! What is sold, for how much, and what somebody owns of it.
use crate::errors::{invalid_fields, wrong_argument};
use postern_core::quote::{self, Quote, QuoteRequest, Terms};
use postern_core::tier::{self, Catalogue, NextStep, NodeKind, Tier};
use postern_core::validate::quote_error_fields;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// What a new shop sells: the three tiers at their first prices, the periods and the discounts.
#[wasm_bindgen(js_name = defaultCatalogue)]
pub fn default_catalogue() -> Result<Ts<Catalogue>, JsValue> {
    Catalogue::default().into_ts().map_err(wrong_argument)
}

/// The tiers of the catalogue that somebody with these rows of the node table owns.
#[wasm_bindgen(js_name = ownedProducts)]
pub fn owned_products(rows: Vec<Ts<NodeKind>>, catalogue: Ts<Catalogue>) -> Result<Vec<Ts<Tier>>, JsValue> {
    let rows: Result<Vec<_>, _> = rows.iter().map(|row| row.to_rust()).collect();
    let catalogue = catalogue.to_rust().map_err(wrong_argument)?;
    let owned = tier::owned_products(&rows.map_err(wrong_argument)?, &catalogue);
    owned.iter().map(|tier| tier.into_ts().map_err(wrong_argument)).collect()
}

/// What an order costs, by the same rules as the server's. Throws `InvalidFields`.
#[wasm_bindgen(js_name = quote)]
pub fn quote(request: Ts<QuoteRequest>, catalogue: Ts<Catalogue>) -> Result<Ts<Quote>, JsValue> {
    let request = request.to_rust().map_err(wrong_argument)?;
    let catalogue = catalogue.to_rust().map_err(wrong_argument)?;
    let quote = quote::quote(&request, &catalogue).map_err(|error| invalid_fields(&quote_error_fields(error)))?;
    quote.into_ts().map_err(wrong_argument)
}

/// What an order costs somebody with these terms: a wholesale discount, a coupon that the server found usable, or both.
/// Throws `InvalidFields`.
#[wasm_bindgen(js_name = quoteWithTerms)]
pub fn quote_with_terms(
    request: Ts<QuoteRequest>,
    catalogue: Ts<Catalogue>,
    terms: Ts<Terms>,
) -> Result<Ts<Quote>, JsValue> {
    let request = request.to_rust().map_err(wrong_argument)?;
    let catalogue = catalogue.to_rust().map_err(wrong_argument)?;
    let terms = terms.to_rust().map_err(wrong_argument)?;
    let quote = quote::quote_with_terms(&request, &catalogue, &terms);
    quote.map_err(|error| invalid_fields(&quote_error_fields(error)))?.into_ts().map_err(wrong_argument)
}

/// What so many IPs cost, wherever they are: for calculators. Throws `InvalidFields`.
#[wasm_bindgen(js_name = estimate)]
pub fn estimate(
    ver_str: &str,
    period_days: u32,
    quantity: u32,
    catalogue: Ts<Catalogue>,
) -> Result<Ts<Quote>, JsValue> {
    let catalogue = catalogue.to_rust().map_err(wrong_argument)?;
    let quote = quote::estimate(ver_str, period_days, quantity, &catalogue);
    quote.map_err(|error| invalid_fields(&quote_error_fields(error)))?.into_ts().map_err(wrong_argument)
}

/// How many IPs more earn the next discount; nothing beyond the last step.
#[wasm_bindgen(js_name = nextQuantityStep)]
pub fn next_quantity_step(quantity: u32, catalogue: Ts<Catalogue>) -> Result<Option<Ts<NextStep>>, JsValue> {
    let catalogue = catalogue.to_rust().map_err(wrong_argument)?;
    catalogue.next_step(quantity).map(|step| step.into_ts().map_err(wrong_argument)).transpose()
}
