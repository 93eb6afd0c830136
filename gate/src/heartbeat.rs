//! What the gate tells the shop about itself, every few seconds.
use crate::gate::Gate;
use crate::route::Route;
use postern_core::proxy_protocol::Heartbeat;
use postern_core::server_health::HEARTBEAT_SECONDS;
use std::time::Duration;

/// The software and its version.
pub const VERSION: &str = concat!("postern-gate ", env!("CARGO_PKG_VERSION"));

pub const EVERY: Duration = Duration::from_secs(HEARTBEAT_SECONDS);

/// Sends heartbeats, for ever. One that does not arrive is not repeated: the next one says more.
pub async fn beat(gate: &Gate) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = gate.shop.beat(&said(gate)).await {
            tracing::debug!(%error, "a heartbeat did not arrive");
        }
    }
}

fn said(gate: &Gate) -> Heartbeat {
    let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let (opened, failed, milliseconds) = gate.attempts.take();
    let upstreams = match &gate.route {
        Route::Upstreams(upstreams) => upstreams.states(),
        Route::Machine(_) => Vec::new(),
    };
    Heartbeat {
        version: VERSION.to_owned(),
        open_connections: count(gate.limit.total() as u64),
        attempts: count(opened + failed),
        failures: count(failed),
        connect_milliseconds: milliseconds.map(count),
        waiting_reports: count(gate.reporter.waiting() as u64),
        can_carry: upstreams.is_empty() || upstreams.iter().any(|(_, is_usable)| *is_usable),
        upstreams_down: upstreams.into_iter().filter(|(_, is_usable)| !is_usable).map(|(name, _)| name).collect(),
    }
}
