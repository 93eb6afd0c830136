//! The document that describes the API, made from the code of the calls, and completed with what is the same for all of them.
mod examples;
mod fields;
mod operations;
mod refusals;
mod schemas;

use serde_json::{Value, json};
use utoipa::openapi::OpenApi;
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;

/// All calls, under `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .configure(crate::users::configure)
        .configure(crate::accounts::configure)
        .configure(crate::static_proxies::configure)
        .configure(crate::orders::configure)
        .configure(crate::coupons::configure)
        .configure(crate::payments::configure)
        .configure(crate::wallet::configure)
        .configure(crate::invoices::configure)
        .configure(crate::refunds::configure)
        .configure(crate::settings::configure);
}

const INTRODUCTION: &str = "\
Everything that the screens of a Postern shop do is a call of this API.

**Answers.** Every call answers `{Code, Message, Data}` with HTTP 200. `Code` 1000 is success, and any other is a refusal: `Message` says \
why in the language of `Accept-Language`, and `Data` has what a program needs to act on it. A call that answers with a file does so only \
on success. A token that is missing or unknown is HTTP 401.

**Signing in.** `User/Login` answers a token, which goes into the `Token` header of every further call, for 30 days.

**Doing something once.** Calls that create or move something take an `Idempotency-Key` header: send the same key and body again after a \
broken connection, and the call answers what it answered before without doing it again.

**Values.** Times are UTC, `YYYY-MM-DD HH:mm:ss`. Money is a decimal string with two digits, such as `12.50`, in the currency beside it. \
A field that is not given is left out. Request bodies are JSON and are not compressed.

**Lists** take `Page` (from 1), `PageSize`, `Sort`, `Filter`, `Search` and a range of time, and answer `Rows` with their `Total`.";

/// The groups of calls, as clients see them.
const TAGS: &[(&str, &str)] = &[
    ("User", "Signing up, in and out, and the customer's own details."),
    (
        "Ips",
        "Static residential proxies: what is for sale, the proxy list, access to it, groups, switches and renewals.",
    ),
    ("Order", "Quotes, orders, coupons and payments."),
    ("Wallet", "Top-ups, movements, alerts and automatic top-ups."),
    ("Billing", "Invoices and credit notes."),
    ("SystemSettings", "What a visitor may know of the shop."),
    ("Operator", "The desk of those who run the shop."),
];

/// The calls as their code describes them.
pub fn routes() -> OpenApi {
    let app = actix_web::App::new().into_utoipa_app();
    app.service(utoipa_actix_web::scope::scope("/api").configure(configure)).split_for_parts().1
}

/// The document of OpenAPI 3.1.
pub fn document() -> Value {
    let mut document = serde_json::to_value(routes()).expect("a document is JSON");
    document["info"] = json!({
        "title": "Postern API",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "The customer portal of a shop for proxies.",
        "description": format!("{INTRODUCTION}\n\n{}", refusals::table_of_codes()),
        "contact": { "name": "The Postern authors" },
        "license": { "name": env!("CARGO_PKG_LICENSE"), "identifier": env!("CARGO_PKG_LICENSE") },
    });
    document["servers"] = json!([{ "url": "/", "description": "This shop" }]);
    let tag = |&(name, description): &(&str, &str)| json!({ "name": name, "description": description });
    document["tags"] = TAGS.iter().map(tag).collect();
    schemas::complete(&mut document["components"]["schemas"]);
    operations::complete(&mut document["paths"]);
    refusals::add_to(&mut document["components"]);
    schemas::name_what_is_inline(&mut document);
    schemas::name_pages(&mut document["components"]["schemas"]);
    document
}
