//! Products, their prices, and which of them an account owns.
use postern_core::quote::quote_error_fields;
use postern_core::quote::{self, Quote, QuoteRequest, Terms};
use postern_core::tier::{self, Catalogue, NextStep};
use postern_face::errors::invalid_fields;
use postern_face::values::{read, read_list, read_optional, whole_u32, write, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The catalogue of a new shop: the three tiers with their default prices, the periods and the discounts.
#[wasm_bindgen(js_name = defaultCatalogue)]
pub fn default_catalogue() -> Result<Ts<Catalogue>, JsValue> {
    write_as(&Catalogue::default())
}

/// The tiers of the catalogue that an account with these rows of the node table owns.
#[wasm_bindgen(js_name = ownedProducts, unchecked_return_type = "Tier[]")]
pub fn owned_products(
    #[wasm_bindgen(unchecked_param_type = "NodeKind[]")] rows: JsValue,
    catalogue: Ts<Catalogue>,
) -> Result<JsValue, JsValue> {
    write(&tier::owned_products(&read_list("rows", rows)?, &read("catalogue", catalogue)?))
}

/// The price of an order, by the same rules as the server's; terms are an account's wholesale discount, a coupon that the server has found
/// valid, or both. Throws `InvalidFields`.
///
/// Every discount is rounded to a cent, half a cent up, and applied to the remainder after the previous one; the total is split among the
/// lines, which add up to it.
#[wasm_bindgen(js_name = quote)]
pub fn quote(
    request: Ts<QuoteRequest>,
    catalogue: Ts<Catalogue>,
    #[wasm_bindgen(unchecked_optional_param_type = "Terms")] terms: JsValue,
) -> Result<Ts<Quote>, JsValue> {
    let quote = quote::quote_form(
        &read("request", request)?,
        &read("catalogue", catalogue)?,
        &read_optional::<Terms>("terms", terms)?,
    );
    write_as(&quote.map_err(|fields| invalid_fields(&fields))?)
}

/// The price of a number of IPs in any place, with or without terms: for price calculators. Throws `InvalidFields`.
#[wasm_bindgen(js_name = estimate)]
pub fn estimate(
    #[wasm_bindgen(js_name = verStr)] ver_str: &str,
    #[wasm_bindgen(js_name = periodDays, unchecked_param_type = "number")] period_days: JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] quantity: JsValue,
    catalogue: Ts<Catalogue>,
    #[wasm_bindgen(unchecked_optional_param_type = "Terms")] terms: JsValue,
) -> Result<Ts<Quote>, JsValue> {
    let (period_days, quantity) = (whole_u32("periodDays", &period_days)?, whole_u32("quantity", &quantity)?);
    let quote = quote::estimate(
        ver_str,
        period_days,
        quantity,
        &read("catalogue", catalogue)?,
        &read_optional::<Terms>("terms", terms)?,
    );
    write_as(&quote.map_err(|error| invalid_fields(&quote_error_fields(error)))?)
}

/// The number of additional IPs for the next discount; undefined beyond the last step.
#[wasm_bindgen(js_name = nextQuantityStep)]
pub fn next_quantity_step(
    #[wasm_bindgen(unchecked_param_type = "number")] quantity: JsValue,
    catalogue: Ts<Catalogue>,
) -> Result<Option<Ts<NextStep>>, JsValue> {
    read("catalogue", catalogue)?.next_step(whole_u32("quantity", &quantity)?).as_ref().map(write_as).transpose()
}
