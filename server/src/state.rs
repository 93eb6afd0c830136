//! State shared by all parts of the server. Business state is only in the database.
use crate::clock::Clock;
use crate::config::Config;
use crate::costly::Costly;
use crate::db::Database;
use crate::endpoint_lists::fetches::Fetches;
use crate::http::key_limits::KeyLimits;
use crate::http::pages::Letterhead;
use crate::invoices::fonts::Fonts;
use crate::logo::Logo;
use crate::places::Places;
use crate::proxy_access::Authorizer;
use crate::readiness::Readiness;
use crate::security::SecretKey;
use crate::support::streams::Streams;
use crate::texts::Texts;
use crate::webhooks::webhook_sender::WebhookSender;
use governor::DefaultKeyedRateLimiter;
use std::sync::Arc;

#[derive(Clone)]
pub struct App {
    pub config: Arc<Config>,
    pub db: Database,
    pub clock: Clock,
    pub key: SecretKey,
    pub texts: Texts,
    /// The fonts of PDFs.
    pub fonts: Arc<Fonts>,
    /// The seller's logo, if there is one.
    pub logo: Option<Arc<Logo>>,
    /// The seller's brand on server-rendered pages.
    pub letterhead: Arc<Letterhead>,
    /// A first, in-memory defence against floods; the authoritative limits are in the database.
    pub burst_limit: Arc<DefaultKeyedRateLimiter<String>>,
    /// Budgets for work that takes long.
    pub costly: Arc<Costly>,
    pub readiness: Readiness,
    /// The authorisation cache for proxy connections.
    pub authorizer: Arc<Authorizer>,
    /// Locations of addresses, if the operator has supplied a file.
    pub places: Arc<Places>,
    /// The webhook sender.
    pub webhooks: Arc<WebhookSender>,
    /// The open streams of the support chat in this process.
    pub support: Arc<Streams>,
    /// The fetches of lists that this process is answering.
    pub list_fetches: Arc<Fetches>,
    /// Calls of API keys that this process has reserved from their rate limits.
    pub key_limits: Arc<KeyLimits>,
}
