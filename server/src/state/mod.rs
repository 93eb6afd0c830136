//! State shared by all parts of the server, and what a process remembers. Business state is only in the database.
pub mod costly;
pub mod counts;
pub mod fetches;
pub mod key_limits;
pub mod readiness;
pub mod streams;

use crate::authorizer::Authorizer;
use crate::brand::fonts::Fonts;
use crate::brand::logo::Logo;
use crate::brand::pages::Letterhead;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Database;
use crate::locations::Locations;
use crate::outbound::webhook_sender::WebhookSender;
use crate::security::SecretKey;
use crate::state::costly::Costly;
use crate::state::counts::Counts;
use crate::state::fetches::Fetches;
use crate::state::key_limits::KeyLimits;
use crate::state::readiness::Readiness;
use crate::state::streams::Streams;
use crate::texts::Texts;
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
    /// What this process counts for those who watch it.
    pub counts: Arc<Counts>,
    /// The authorisation cache for proxy connections.
    pub authorizer: Arc<Authorizer>,
    /// Locations of addresses, if the operator has supplied a file.
    pub locations: Arc<Locations>,
    /// The webhook sender.
    pub webhooks: Arc<WebhookSender>,
    /// The open streams of the support chat in this process.
    pub support: Arc<Streams>,
    /// The fetches of lists that this process is answering.
    pub list_fetches: Arc<Fetches>,
    /// Calls of API keys that this process has reserved from their rate limits.
    pub key_limits: Arc<KeyLimits>,
}
