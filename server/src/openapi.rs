//! The document that describes the API, made from the code of the calls.
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa_actix_web::AppExt;
use utoipa_actix_web::service_config::ServiceConfig;

/// All calls, under `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .configure(crate::users::configure)
        .configure(crate::accounts::configure)
        .configure(crate::ips::configure)
        .configure(crate::orders::configure)
        .configure(crate::coupons::configure)
        .configure(crate::gateways::configure_calls)
        .configure(crate::wallet::configure)
        .configure(crate::invoices::configure)
        .configure(crate::refunds::configure)
        .configure(crate::settings::configure);
}

pub fn document() -> OpenApi {
    let app = actix_web::App::new().into_utoipa_app();
    let (_, mut document) = app.service(utoipa_actix_web::scope::scope("/api").configure(configure)).split_for_parts();
    document.info.title = "Postern".to_owned();
    document.info.version = env!("CARGO_PKG_VERSION").to_owned();
    document.info.description = Some(
        "Every call answers `{Code, Message, Data}`: 1000 is success, and Message is in the language of `Accept-Language`. \
         Signed-in calls take the session's token in the `Token` header; times are UTC, money is a decimal string. \
         Calls that create or move something take an `Idempotency-Key`."
            .to_owned(),
    );
    let token = SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new("Token")));
    document.components.get_or_insert_default().security_schemes.insert("Token".to_owned(), token.into());
    document
}
