//! What every part of the server shares. Nothing in it is state of the shop: that is all in the database.
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Database;
use crate::security::SecretKey;
use crate::texts::Texts;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Requests for a token or a mail that one address may send at once, before the database is asked at all.
const BURST: NonZeroU32 = NonZeroU32::new(60).unwrap();

#[derive(Clone)]
pub struct App {
    pub config: Arc<Config>,
    pub db: Database,
    pub clock: Clock,
    pub key: SecretKey,
    pub texts: Texts,
    /// The first line against floods; the limits that count are in the database.
    pub first_line: Arc<DefaultKeyedRateLimiter<String>>,
    /// Hashing a password takes 19 MB and a core: as many at once as there are cores.
    pub hashing: Arc<Semaphore>,
}

impl App {
    pub fn new(config: Config) -> anyhow::Result<App> {
        crate::tls::prepare();
        let db = Database::open(&config.database_url, config.database_pool)?;
        db.migrate()?;
        let key = match &config.secret_key {
            Some(key) => key.clone(),
            None => SecretKey::load_or_create(&config.var_dir.join("secret.key"))?,
        };
        crate::settings::queries::prepare(&db, &key, &config.seller())?;
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        Ok(App {
            key,
            hashing: Arc::new(Semaphore::new(cores)),
            texts: Texts::load(&config.locales_dir)?,
            first_line: Arc::new(RateLimiter::keyed(Quota::per_second(BURST))),
            clock: Clock::default(),
            config: Arc::new(config),
            db,
        })
    }
}
