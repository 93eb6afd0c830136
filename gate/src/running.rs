//! The start of a gate, what goes on in the background, and its end.
use crate::access::Access;
use crate::addresses::AddressMap;
use crate::attempts::Attempts;
use crate::destination::{Destinations, Lookup};
use crate::gate::Gate;
use crate::health::Health;
use crate::limits::ClientLimit;
use crate::meter::Meter;
use crate::metrics::Metrics;
use crate::report::Reporter;
use crate::route::Route;
use crate::secret::Secret;
use crate::settings::Settings;
use crate::shares::Shares;
use crate::shop::{Shop, ShopError};
use crate::spool::Spool;
use crate::{heartbeat, listener, metrics_page};
use anyhow::Result;
use postern_core::proxy_protocol::Registration;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How often the shop is asked at the start, until it answers.
const START_PAUSE: Duration = Duration::from_secs(2);

/// How long the last reports may take at the end; what is not sent then, the next start sends.
const LAST_REPORTS: Duration = Duration::from_secs(5);

/// A gate that runs.
pub struct Running {
    pub gate: Arc<Gate>,
    /// Where it listens.
    pub addresses: Vec<SocketAddr>,
    pub metrics: Option<SocketAddr>,
    /// They end when this is dropped.
    tasks: JoinSet<()>,
}

/// Starts a gate; it waits for the shop to say what the server is registered as.
pub async fn start(settings: &Settings, lookup: Lookup) -> Result<Running> {
    let shop = Arc::new(Shop::new(&settings.url, Secret::read(&settings.secret_file)?)?);
    let addresses = settings.addresses.as_deref().map(AddressMap::read).transpose()?.unwrap_or_default();
    let spool = Arc::new(Spool::open(&settings.spool)?);
    let meter = Arc::new(Meter::default());
    let reporter = Arc::new(Reporter::new(meter.clone(), spool, shop.clone()));
    let registration = registration(&shop).await?;
    let route = Route::new(registration.kind, settings)?;
    let (kind, health) = (registration.kind, Arc::new(Health::default()));
    let gate = Arc::new(Gate {
        kind,
        only_loopback: settings.only_loopback,
        addresses,
        access: Access::new(shop.clone(), health.clone(), Duration::from_secs(settings.grace_seconds)),
        destinations: Destinations::new(settings, lookup),
        route,
        health,
        limit: Arc::new(ClientLimit::new(settings.connections_per_client)),
        meter,
        metrics: Metrics::default(),
        attempts: Attempts::default(),
        shares: Shares::default(),
        shop,
        reporter,
        draining: CancellationToken::new(),
        closing: CancellationToken::new(),
        connections: TaskTracker::new(),
    });
    let running = run(gate, settings)?;
    tracing::info!(name = registration.name, kind = kind.as_str(), addresses = ?running.addresses, "ready");
    Ok(running)
}

/// Listens, and starts all that goes on in the background.
fn run(gate: Arc<Gate>, settings: &Settings) -> Result<Running> {
    let listeners: Vec<TcpListener> =
        settings.listen.iter().map(|address| listener::listen(*address)).collect::<Result<_>>()?;
    let metrics_listener = settings.metrics.map(listener::listen).transpose()?;
    let addresses = listeners.iter().map(TcpListener::local_addr).collect::<std::io::Result<_>>()?;
    let metrics = metrics_listener.as_ref().map(TcpListener::local_addr).transpose()?;
    let mut tasks = JoinSet::new();
    for listener in listeners {
        tasks.spawn(listener::accept(gate.clone(), listener));
    }
    if let Some(listener) = metrics_listener {
        tasks.spawn(metrics_page::serve(gate.clone(), listener));
    }
    let (watching, beating) = (gate.clone(), gate.clone());
    let (reporter, sender) = (gate.reporter.clone(), gate.reporter.clone());
    tasks.spawn(async move { watching.access.watch().await });
    tasks.spawn(async move { heartbeat::beat(&beating).await });
    tasks.spawn(async move { reporter.keep_all().await });
    tasks.spawn(async move { sender.send_all().await });
    Ok(Running { gate, addresses, metrics, tasks })
}

impl Running {
    /// Accepts nobody any more, lets open connections go on for this time, and reports what they carried.
    pub async fn stop(mut self, drain: Duration) {
        let gate = self.gate.clone();
        gate.draining.cancel();
        gate.connections.close();
        let open = gate.connections.len();
        tracing::info!(open, "no new connections are accepted");
        if tokio::time::timeout(drain, gate.connections.wait()).await.is_err() {
            gate.closing.cancel();
            gate.connections.wait().await;
        }
        self.tasks.shutdown().await;
        gate.reporter.keep().await;
        let sent = tokio::time::timeout(LAST_REPORTS, gate.reporter.send_waiting()).await;
        let is_all_reported = matches!(sent, Ok(Ok(())));
        tracing::info!(is_all_reported, "stopped");
    }
}

async fn registration(shop: &Shop) -> Result<Registration> {
    let mut is_first = true;
    loop {
        match shop.describe().await {
            Ok(registration) => return Ok(registration),
            Err(error @ ShopError::Away(_)) => {
                if is_first {
                    tracing::warn!(%error, "waiting for the shop");
                }
                is_first = false;
                tokio::time::sleep(START_PAUSE).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}
