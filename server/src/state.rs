//! State shared by all parts of the server. Business state is only in the database.
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Database;
use crate::http::key_limits::KeyLimits;
use crate::http::pages::Letterhead;
use crate::logo::Logo;
use crate::places::Places;
use crate::proxy_access::Authorizer;
use crate::proxy_access::owners::NameOwners;
use crate::readiness::Readiness;
use crate::security::SecretKey;
use crate::support::streams::Streams;
use crate::texts::Texts;
use crate::webhooks::webhook_sender::WebhookSender;
use governor::DefaultKeyedRateLimiter;
use std::sync::Arc;
use tokio::sync::Semaphore;

#[derive(Clone)]
pub struct App {
    pub config: Arc<Config>,
    pub db: Database,
    pub clock: Clock,
    pub key: SecretKey,
    pub texts: Texts,
    /// The seller's logo, if there is one.
    pub logo: Option<Arc<Logo>>,
    /// The seller's brand on server-rendered pages.
    pub letterhead: Arc<Letterhead>,
    /// A first, in-memory defence against floods; the authoritative limits are in the database.
    pub burst_limit: Arc<DefaultKeyedRateLimiter<String>>,
    /// Hashing a password takes 19 MB and a core, so concurrency is limited to the number of cores.
    pub hashing: Arc<Semaphore>,
    pub readiness: Readiness,
    /// The authorisation cache for proxy connections.
    pub authorizer: Arc<Authorizer>,
    /// The owners of the names in usage reports.
    pub name_owners: Arc<NameOwners>,
    /// Locations of addresses, if the operator has supplied a file.
    pub places: Arc<Places>,
    /// The webhook sender.
    pub webhooks: Arc<WebhookSender>,
    /// The open streams of the support chat in this process.
    pub support: Arc<Streams>,
    /// Calls of API keys that this process has reserved from their rate limits.
    pub key_limits: Arc<KeyLimits>,
}
