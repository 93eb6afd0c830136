//! System settings: the public configuration that anonymous visitors can read.
mod join;
pub mod queries;
pub mod secret_key;
pub mod shared;

use crate::accounts::staff::has_operator;
use crate::catalogue::catalogue;
use crate::db::Conn;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::ClientAddress;
use crate::legal::rows as legal;
use crate::legal::types::LegalTextRef;
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
    /// Whether nobody runs the shop yet: its sign-in screen says how that is changed.
    needs_operator: bool,
    /// The current versions of the seller's legal texts, which a sign-up accepts.
    legal_texts: Vec<LegalTextRef>,
    /// The terms of service, if the seller keeps them elsewhere.
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
    let read = |conn: &mut Conn| Ok((catalogue(conn)?, legal::current(conn)?, has_operator(conn)?));
    let (catalogue, legal_texts, has_operator) = app.db.read(read).await?;
    answer(PublicConfig {
        shop_name: app.config.shop_name.clone(),
        currency: catalogue.currency,
        demo_shop: app.config.is_demo(),
        needs_operator: !has_operator,
        legal_texts,
        help_center_url: app.config.help_center_url.clone(),
        terms_url: app.config.terms_url.clone(),
        support_email: app.config.support_email.clone(),
        chat_script_url: app.config.chat_script_url.as_ref().map(ToString::to_string),
        min_top_up: MIN_TOP_UP,
        max_top_up: MAX_TOP_UP,
        top_up_presets: TOP_UP_PRESETS.to_vec(),
    })
}
