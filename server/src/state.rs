//! What every part of the server shares. None of it is business state: that is all in the database.
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Database;
use crate::proxy_access::Authorizer;
use crate::readiness::Readiness;
use crate::security::SecretKey;
use crate::texts::Texts;
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
    /// A first, in-memory defence against floods; the authoritative limits are in the database.
    pub burst_limit: Arc<DefaultKeyedRateLimiter<String>>,
    /// Hashing a password takes 19 MB and a core, so concurrency is limited to the number of cores.
    pub hashing: Arc<Semaphore>,
    pub readiness: Readiness,
    /// Who may connect, as this process knows it.
    pub authorizer: Arc<Authorizer>,
}
