//! System settings: the public configuration that anonymous visitors can read.
mod join;
pub mod queries;
pub mod secret_key;
pub mod shared;

use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::ClientAddress;
use crate::state::App;
use actix_web::{get, web};
use postern_core::money::{Currency, Money};
use postern_core::top_up::{MAX_TOP_UP, MIN_TOP_UP, TOP_UP_PRESETS};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
struct ClientIp {
    ip: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
struct PublicConfig {
    shop_name: String,
    currency: Currency,
    /// Whether this is a demo shop, which shows its mails at `/demo/mail` and takes no real money.
    demo_shop: bool,
    help_center_url: String,
    /// The terms of service, if the seller has set them.
    #[serde(skip_serializing_if = "Option::is_none")]
    terms_url: Option<String>,
    support_email: String,
    /// The script of a third-party chat, if the shop uses one.
    #[serde(skip_serializing_if = "Option::is_none")]
    chat_script_url: Option<String>,
    min_top_up: Money,
    max_top_up: Money,
    #[schema(value_type = Vec<String>)]
    top_up_presets: Vec<Money>,
}

/// Returns the client's IP address, as the server sees it.
#[utoipa::path(responses((status = 200, body = Answer<ClientIp>)))]
#[get("/SystemSettings/GetClientIp")]
pub async fn get_client_ip(from: ClientAddress) -> Answered<ClientIp> {
    answer(ClientIp { ip: from.0.to_string() })
}

/// Returns the public settings that screens need before sign-in.
#[utoipa::path(responses((status = 200, body = Answer<PublicConfig>)))]
#[get("/SystemSettings/GetPublicConfig")]
pub async fn get_public_config(app: web::Data<App>) -> Answered<PublicConfig> {
    let catalogue = app.db.read(crate::catalogue::catalogue).await?;
    answer(PublicConfig {
        shop_name: app.config.shop_name.clone(),
        currency: catalogue.currency,
        demo_shop: app.config.is_demo(),
        help_center_url: app.config.help_center_url.clone(),
        terms_url: app.config.terms_url.clone(),
        support_email: app.config.support_email.clone(),
        chat_script_url: app.config.chat_script_url.as_ref().map(ToString::to_string),
        min_top_up: MIN_TOP_UP,
        max_top_up: MAX_TOP_UP,
        top_up_presets: TOP_UP_PRESETS.to_vec(),
    })
}
