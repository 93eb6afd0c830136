//! The rules of residential traffic in the browser: its price, order form and automatic reorders, usage figures, proxy users and CSV files
//! of them.
use postern_core::field_errors::FieldErrors;
use postern_core::proxy_user;
use postern_core::proxy_user_csv::{self, ProxyUserFile};
use postern_core::proxy_user_form::{self, ProxyUserForm};
use postern_core::quote::{QuoteError, Terms};
use postern_core::reorder::{self, ReorderForm};
use postern_core::traffic::{self, TrafficCatalogue, TrafficOffer, TrafficQuote, TrafficRequest};
use postern_core::traffic_form::{self, TrafficPrice};
use postern_core::usage_chart::{self, UsageStep};
use postern_core::usage_figures;
use postern_face::errors::invalid_fields;
use postern_face::forms::{check, time};
use postern_face::values::{MAX_SAFE, read, read_optional, whole, whole_u32, write, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The traffic prices of a new shop.
#[wasm_bindgen(js_name = defaultTrafficCatalogue)]
pub fn default_traffic_catalogue() -> Result<Ts<TrafficCatalogue>, JsValue> {
    write_as(&TrafficCatalogue::default())
}

/// The price of an amount of traffic, by the same rules as the server's; terms are an account's wholesale discount, a coupon that the
/// server has found valid, or both. Throws `InvalidFields`.
#[wasm_bindgen(js_name = quoteTraffic)]
pub fn quote_traffic(
    request: Ts<TrafficRequest>,
    catalogue: Ts<TrafficCatalogue>,
    #[wasm_bindgen(unchecked_optional_param_type = "Terms")] terms: JsValue,
) -> Result<Ts<TrafficQuote>, JsValue> {
    let terms: Terms = read_optional("terms", terms)?;
    let quote = traffic::quote_traffic(&read("request", request)?, &read("catalogue", catalogue)?, &terms);
    write_as(&quote.map_err(|error| invalid_fields(&traffic::traffic_error_fields(error)))?)
}

/// Validates automatic reorders, as entered, against the catalogue and the account's terms. A form that turns them off is always valid.
#[wasm_bindgen(js_name = validateReorder)]
pub fn validate_reorder(
    form: Ts<ReorderForm>,
    catalogue: Ts<TrafficCatalogue>,
    terms: Ts<Terms>,
) -> Result<Ts<FieldErrors>, JsValue> {
    let (catalogue, terms) = (read("catalogue", catalogue)?, read("terms", terms)?);
    check("form", form, |form| reorder::validate_reorder(form, &catalogue, &terms))
}

/// Parses an amount as entered: whole gigabytes. Throws `InvalidFields`.
#[wasm_bindgen(js_name = readGigabytes)]
pub fn read_gigabytes(text: &str) -> Result<u32, JsValue> {
    traffic_form::read_gigabytes(text).map_err(|fields| invalid_fields(&fields))
}

/// The stops of an offer's slider, ascending. Throws `InvalidFields`.
#[wasm_bindgen(js_name = sliderStops)]
pub fn slider_stops(offer: Ts<TrafficOffer>) -> Result<Vec<u32>, JsValue> {
    Ok(traffic_form::slider_stops(&read("offer", offer)?))
}

/// The index of an amount's stop on an offer's slider: the last stop that is not above it. Throws `InvalidFields`.
#[wasm_bindgen(js_name = stopOf)]
pub fn stop_of(
    offer: Ts<TrafficOffer>,
    #[wasm_bindgen(unchecked_param_type = "number")] gigabytes: JsValue,
) -> Result<usize, JsValue> {
    let gigabytes = whole_u32("gigabytes", &gigabytes)?;
    Ok(traffic_form::slider_stop_of(&read("offer", offer)?, gigabytes))
}

/// An offer's price table, before discounts. Throws `InvalidFields`.
#[wasm_bindgen(js_name = priceList, unchecked_return_type = "TrafficPrice[]")]
pub fn price_list(offer: Ts<TrafficOffer>) -> Result<JsValue, JsValue> {
    let prices: Vec<TrafficPrice> = traffic_form::price_list(&read("offer", offer)?)
        .map_err(|_| invalid_fields(&traffic::traffic_error_fields(QuoteError::Overflow.into())))?;
    write(&prices)
}

/// Bytes in a suitable decimal unit, with three digits and rounded down: `12.3 MB`.
#[wasm_bindgen(js_name = displayBytes)]
pub fn display_bytes(#[wasm_bindgen(unchecked_param_type = "number")] bytes: JsValue) -> Result<String, JsValue> {
    Ok(usage_figures::display_bytes(whole("bytes", &bytes, 0, MAX_SAFE)? as u64))
}

/// The change of usage from the previous period, in hundredths of a percent; undefined if nothing was used before.
#[wasm_bindgen(js_name = usageChange)]
pub fn usage_change(
    #[wasm_bindgen(unchecked_param_type = "number")] bytes: JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] before: JsValue,
) -> Result<Option<i32>, JsValue> {
    let bytes = whole("bytes", &bytes, 0, MAX_SAFE)? as u64;
    Ok(usage_figures::change_basis_points(bytes, whole("before", &before, 0, MAX_SAFE)? as u64))
}

/// The point lengths that a chart offers for a range of this many days, shortest first.
#[wasm_bindgen(js_name = usageSteps, unchecked_return_type = "UsageStep[]")]
pub fn usage_steps(#[wasm_bindgen(unchecked_param_type = "number")] days: JsValue) -> Result<JsValue, JsValue> {
    write(&usage_chart::steps_for(whole_u32("days", &days)?))
}

/// The default of `usageSteps`.
#[wasm_bindgen(js_name = usualUsageStep)]
pub fn usual_usage_step(
    #[wasm_bindgen(unchecked_param_type = "number")] days: JsValue,
) -> Result<Ts<UsageStep>, JsValue> {
    write_as(&usage_chart::default_step(whole_u32("days", &days)?))
}

/// Validates a proxy user at `now`, `YYYY-MM-DD HH:mm:ss` in UTC. Only the server can check that its name is not taken: names are unique in the
/// shop. Throws `NotATime`.
#[wasm_bindgen(js_name = validateProxyUser)]
pub fn validate_proxy_user(form: Ts<ProxyUserForm>, now: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let now = time("now", now)?;
    check("form", form, |form| proxy_user_form::validate_proxy_user(form, now))
}

/// Converts gigabytes as entered for a limit, with up to three decimal places, to bytes; undefined for anything else.
#[wasm_bindgen(js_name = parseGigabytes)]
pub fn parse_gigabytes(text: &str) -> Option<f64> {
    proxy_user::parse_gigabytes(text).map(|bytes| bytes as f64)
}

/// Parses a CSV file of proxy users at `now`, `YYYY-MM-DD HH:mm:ss` in UTC. Only the server can check that names are not taken. Throws
/// `NotATime`.
#[wasm_bindgen(js_name = readProxyUsers)]
pub fn read_proxy_users(csv: &str, now: &str) -> Result<Ts<ProxyUserFile>, JsValue> {
    write_as(&proxy_user_csv::preview_proxy_users(csv, time("now", now)?))
}
