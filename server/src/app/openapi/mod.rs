//! The OpenAPI document: generated from the handlers, completed with everything that all calls share.
mod examples;
mod fields;
mod operations;
mod proxy_servers;
mod refusals;
mod schemas;

use crate::app::calls::configure;
use crate::web::cached::CachedFile;
use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};
use utoipa::openapi::{Info, OpenApi, Paths};

const INTRODUCTION: &str = "\
Everything that the screens of a Postern shop do goes through this API.

**Responses.** Every call returns `{Code, Message, Data}` with HTTP 200. `Code` 1000 is success, any other a refusal: `Message` gives \
the reason in the language of `Accept-Language`, and `Data` has machine-readable details. A call that returns a file does so only \
on success. A missing or invalid token is HTTP 401.

**Authentication.** `User/Login` returns a session token, valid for 30 days. Send it in the `Token` header of every further call. Programs send \
an API key in this header instead, created with `ApiKeys/AddApiKey` or on the API keys screen. A key has scopes; each call names the one it needs.

**Rate limits.** A key may make 600 calls per minute, across all servers of the shop. The `RateLimit-Policy` and `RateLimit` headers say how many are \
left; above that a call is refused with HTTP 429, code 4290 and `Retry-After`.

**Idempotency.** Calls that say so accept an `Idempotency-Key` header. To retry safely after a broken connection, send the same key and body \
again: the call returns the stored response and has no second effect.

**Values.** Times are UTC, `YYYY-MM-DD HH:mm:ss`. Money is a decimal string with two digits, such as `12.50`, in the currency beside it. \
Fields without a value are omitted. Request bodies are uncompressed JSON.

**Lists** accept `Page` (from 1), `PageSize`, `Sort`, `Filter`, `Search` and a time range, and return `Rows` with their `Total`.";

/// The groups of calls, as tags.
const TAGS: &[(&str, &str)] = &[
    ("User", "Sign-up, sign-in and sign-out, and the customer's own details."),
    ("ApiKeys", "API keys, for programs of the customer: scopes, addresses and expiry."),
    ("Ips", "Static residential proxies: catalogue and stock, proxy list, access, groups, switches and renewals."),
    ("Endpoints", "The endpoint generator: available proxy servers, saved settings, and list URLs for scripts."),
    ("Traffic", "Residential traffic: prices, purchases and balance."),
    ("ProxyUsers", "Sub-users of residential traffic: limits, passwords, states and whitelisted addresses."),
    ("Usage", "Charts of used traffic."),
    ("Welcome", "Overview of the account's static proxies and upcoming expiries."),
    ("Order", "Quotes, orders, coupons and payments."),
    ("Wallet", "Top-ups, transactions, low-balance alerts and automatic top-ups."),
    ("Billing", "Invoices and credit notes."),
    ("Notifications", "Events of the account, their read state, and notification settings."),
    ("Referrals", "Referred accounts and the commission on their orders."),
    ("Webhooks", "Endpoints that receive events, and their deliveries."),
    ("Support", "The support chat: messages, attachments, and a stream of updates."),
    ("SystemSettings", "Public settings of the shop."),
    ("Operator", "Operator-only calls."),
];

/// The document as `make gen` has written it, from `document`. The server needs nothing else to serve it: its start-up takes two thirds of the time.
pub const GENERATED: &str = include_str!("openapi.gen.json");

/// The generated document without white space, as it is served; made once for all servers of this process.
pub static SERVED: LazyLock<Arc<CachedFile>> = LazyLock::new(|| Arc::new(CachedFile::new("json", compact())));

fn compact() -> Vec<u8> {
    let document: Value = serde_json::from_str(GENERATED).expect("the document is JSON");
    document.to_string().into_bytes()
}

/// The part of the document that comes from the handlers.
fn routes() -> OpenApi {
    let mut document = OpenApi::new(Info::new("Postern API", env!("CARGO_PKG_VERSION")), Paths::new());
    configure(&mut document);
    document
}

/// Generates the complete OpenAPI 3.1 document.
pub fn document() -> Value {
    let mut document = serde_json::to_value(routes()).expect("a document is JSON");
    document["info"] = json!({
        "title": "Postern API",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "The customer portal of a proxy shop.",
        "description": format!("{INTRODUCTION}\n\n{}", refusals::table_of_codes()),
        "contact": { "name": "The Postern authors" },
        "license": { "name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE") },
    });
    document["servers"] = json!([{ "url": "/", "description": "This shop" }]);
    let tag = |&(name, description): &(&str, &str)| json!({ "name": name, "description": description });
    document["tags"] = TAGS.iter().chain([&proxy_servers::TAG]).map(tag).collect();
    if let (Some(all), Value::Object(more)) =
        (document["components"]["schemas"].as_object_mut(), proxy_servers::schemas())
    {
        all.extend(more);
    }
    schemas::complete(&mut document["components"]["schemas"]);
    operations::complete(&mut document["paths"]);
    refusals::add_to(&mut document["components"]);
    proxy_servers::add_to(&mut document);
    schemas::reference_named_schemas(&mut document);
    schemas::name_pages(&mut document["components"]["schemas"]);
    document
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::calls;
    use postern_core::constants::API_BASE;
    use std::collections::BTreeSet;

    #[test]
    fn the_generated_document_is_up_to_date() {
        assert!(format!("{:#}\n", document()) == GENERATED, "openapi.gen.json is stale: run make gen");
        let served: Value = serde_json::from_slice(&compact()).expect("JSON");
        assert_eq!(served, document());
    }

    /// Compares the routes of the API with core's table: returns calls without a route and routes without a call.
    fn compare_with_table(document: &OpenApi) -> Result<(), String> {
        let mut routes = BTreeSet::new();
        for (path, item) in &document.paths.paths {
            let methods = [
                ("GET", &item.get),
                ("POST", &item.post),
                ("PUT", &item.put),
                ("PATCH", &item.patch),
                ("DELETE", &item.delete),
            ];
            for (method, _) in methods.iter().filter(|(_, operation)| operation.is_some()) {
                routes.insert(format!("{method} {path}"));
            }
        }
        let named =
            calls::calls().iter().map(|call| format!("{} {API_BASE}/{}", call.method.as_str(), call.name)).collect();
        let differences: Vec<_> = routes.symmetric_difference(&named).cloned().collect();
        if differences.is_empty() { Ok(()) } else { Err(differences.join(", ")) }
    }

    #[test]
    fn routes_match_the_table_and_differences_are_named() {
        let mut document = routes();
        assert_eq!(compare_with_table(&document), Ok(()));
        let (path, item) = document.paths.paths.pop_first().expect("a route");
        let named = compare_with_table(&document).expect_err("a call without a route");
        assert_eq!(named, format!("POST {path}"));
        document.paths.paths.insert(path, item.clone());
        document.paths.paths.insert("/api/Operator/NotInTheTable".to_owned(), item);
        assert_eq!(compare_with_table(&document), Err("POST /api/Operator/NotInTheTable".to_owned()));
    }
}
