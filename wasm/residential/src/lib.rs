//! The rules of residential traffic in the browser: its price, and files of proxy users. A file of its own, loaded by the screens that
//! need it.
use postern_core::proxy_user_csv::{self, ProxyUserFile};
use postern_core::quote::Terms;
use postern_core::time::from_wire;
use postern_core::traffic::{self, TrafficCatalogue, TrafficQuote, TrafficRequest};
use postern_face::errors::{ErrorCode, error, invalid_fields};
use postern_face::values::{read, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// What a new shop asks for traffic.
#[wasm_bindgen(js_name = defaultTrafficCatalogue)]
pub fn default_traffic_catalogue() -> Result<Ts<TrafficCatalogue>, JsValue> {
    write_as(&TrafficCatalogue::default())
}

/// What so much traffic costs, by the same rules as the server's; with terms, for an account with a wholesale discount, a coupon that the
/// server found usable, or both. Throws `InvalidFields`.
#[wasm_bindgen(js_name = quoteTraffic)]
pub fn quote_traffic(
    request: Ts<TrafficRequest>,
    catalogue: Ts<TrafficCatalogue>,
    #[wasm_bindgen(unchecked_optional_param_type = "Terms")] terms: JsValue,
) -> Result<Ts<TrafficQuote>, JsValue> {
    let none = terms.is_undefined() || terms.is_null();
    let terms = if none { Terms::default() } else { read(Ts::new_unchecked(terms))? };
    let quote = traffic::quote_traffic(&read(request)?, &read(catalogue)?, &terms);
    write_as(&quote.map_err(|error| invalid_fields(&traffic::traffic_error_fields(error)))?)
}

/// Reads a CSV file of proxy users, at `now`, `YYYY-MM-DD HH:mm:ss` in UTC. Throws `NotATime`.
#[wasm_bindgen(js_name = readProxyUsers)]
pub fn read_proxy_users(csv: &str, now: &str) -> Result<Ts<ProxyUserFile>, JsValue> {
    let now = from_wire(now).ok_or_else(|| error(ErrorCode::NotATime, "not a time in UTC, YYYY-MM-DD HH:mm:ss"))?;
    write_as(&proxy_user_csv::preview_proxy_users(csv, now))
}
