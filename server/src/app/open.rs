//! Opens a shop; used by the server, the commands and the tests.
use crate::authorizer::Authorizer;
use crate::brand::fonts::Fonts;
use crate::brand::logo::Logo;
use crate::brand::pages::Letterhead;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Database;
use crate::locations::Locations;
use crate::outbound::webhook_sender::WebhookSender;
use crate::state::App;
use crate::state::costly::Costly;
use crate::state::counts::Counts;
use crate::state::key_limits::KeyLimits;
use crate::state::readiness::Readiness;
use crate::state::streams::Streams;
use crate::texts::Texts;
use crate::usage::keeping;
use crate::{demo, files, settings, tls};
use governor::{Quota, RateLimiter};
use std::num::NonZeroU32;
use std::sync::Arc;

/// Burst limit per client address for calls that request a token or a mail, checked in memory before the database.
const BURST: NonZeroU32 = NonZeroU32::new(60).unwrap();

/// Opens the shop's database, migrated. Everything that opens it does so here.
pub fn open_database(config: &Config) -> anyhow::Result<Database> {
    tls::prepare();
    files::prepare(config)?;
    let db = Database::open(&config.database_url, config.database_pool)?;
    db.migrate()?;
    Ok(db)
}

/// Opens the shop with these settings: its database, its key and its texts.
pub fn open(config: Config) -> anyhow::Result<App> {
    let db = open_database(&config)?;
    let config = settings::shared::join_shop(&db, config)?;
    let clock = Clock::default();
    db.write_blocking(|conn| keeping::make_partitions(conn, clock.now()))
        .map_err(|error| anyhow::anyhow!("creating partitions: {error}"))?;
    if !config.is_demo() {
        demo::data::refuse_demo_data(&db)?;
    }
    let key = settings::secret_key::find(&db, &config)?;
    settings::queries::prepare(&db, &config.seller())?;
    let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
    let logo = Logo::open(&config)?.map(Arc::new);
    Ok(App {
        key,
        costly: Arc::new(Costly::new(cores)),
        readiness: Readiness::default(),
        counts: Arc::new(Counts::new(config.metrics.is_some())),
        authorizer: Arc::new(Authorizer::new(config.when_owed)),
        locations: Arc::new(Locations::open(config.geoip_file.as_deref())?),
        webhooks: Arc::new(WebhookSender::new(&config.webhook_test_hosts)?),
        support: Arc::new(Streams::default()),
        list_fetches: Arc::default(),
        key_limits: Arc::new(KeyLimits::default()),
        texts: Texts::load(&config.locales_dir)?,
        fonts: Arc::new(Fonts::open(&config.fonts_dir)?),
        letterhead: Arc::new(Letterhead::of(&config, logo.as_deref())),
        logo,
        burst_limit: Arc::new(RateLimiter::keyed(Quota::per_second(BURST))),
        clock,
        config: Arc::new(config),
        db,
    })
}
