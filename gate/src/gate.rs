//! The gate: all its parts, and what its protocols do with them.
use crate::access::{Access, Grant, Identity};
use crate::addresses::AddressMap;
use crate::attempts::Attempts;
use crate::destination::Destinations;
use crate::health::Health;
use crate::host_port::HostPort;
use crate::limits::{ClientLimit, Place};
use crate::meter::{Flow, FlowKey, Meter};
use crate::metrics::Metrics;
use crate::refusal::Refusal;
use crate::report::Reporter;
use crate::route::Route;
use crate::secret::Secret;
use crate::shares::{Owner, Shares};
use crate::shop::Shop;
use crate::tunnel::Ends;
use crate::upstream::{Purpose, Way};
use postern_core::proxy_server::ProxyServerKind;
use postern_core::usage::Refused;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub struct Gate {
    pub kind: ProxyServerKind,
    pub only_loopback: bool,
    pub addresses: AddressMap,
    pub access: Access,
    pub destinations: Destinations,
    pub route: Route,
    pub health: Arc<Health>,
    pub limit: Arc<ClientLimit>,
    pub meter: Arc<Meter>,
    pub metrics: Metrics,
    pub attempts: Attempts,
    pub shares: Shares,
    pub shop: Arc<Shop>,
    pub reporter: Arc<Reporter>,
    /// No new connections.
    pub draining: CancellationToken,
    /// The end of all connections.
    pub closing: CancellationToken,
    pub connections: TaskTracker,
}

/// A client's connection: from where, and to which address of this machine.
#[derive(Clone)]
pub struct Visit {
    pub client: IpAddr,
    pub dialled: IpAddr,
    pub place: Arc<Place>,
}

impl Gate {
    /// The node's public address, on static proxies.
    fn node(&self, visit: &Visit) -> Option<IpAddr> {
        (self.kind == ProxyServerKind::Static).then(|| self.addresses.public_of(visit.dialled))
    }

    /// Asks whether a client may connect, and whether its proxy user or IP has a connection left.
    pub async fn admit(&self, visit: &Visit, user_name: String, password: Secret) -> Result<Grant, Refusal> {
        let identity = Identity { user_name, password, client: visit.client, node: self.node(visit) };
        let mut grant = self.access.admit(identity).await?;
        if let Some(owner) = Owner::of(&grant.answer) {
            let most = grant.answer.max_connections.unwrap_or(u32::MAX);
            let seat = self.shares.of(owner).enter(most);
            grant.seat = Some(seat.ok_or(Refusal::Access(Refused::TooManyConnections))?);
        }
        Ok(grant)
    }

    /// Connects an admitted client to its destination.
    pub async fn connect(
        &self,
        grant: &Grant,
        visit: &Visit,
        destination: &HostPort,
        purpose: Purpose,
    ) -> Result<Way, Refusal> {
        let delay = grant.delay(0);
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        let begin = Instant::now();
        let reached = self.route.reach(&self.destinations, grant, visit.dialled, destination, purpose).await;
        self.attempts.note(&reached, begin.elapsed());
        reached
    }

    /// Where the bytes of an admitted connection count.
    pub fn flow(&self, grant: &Grant, visit: &Visit, destination: &HostPort, country: Option<&str>) -> Arc<Flow> {
        let (answer, target) = (&grant.answer, destination.host.to_string());
        self.meter.flow(match self.node(visit) {
            Some(node) => FlowKey { ip: Some(node), target, ..FlowKey::default() },
            None => FlowKey {
                proxy_user_id: answer.proxy_user_id,
                user_name: if answer.proxy_user_id.is_none() {
                    grant.identity().user_name.clone()
                } else {
                    String::new()
                },
                country: country.unwrap_or_default().to_owned(),
                target,
                ..FlowKey::default()
            },
        })
    }

    /// Carries a tunnel until it ends by itself, or its permission ends, or the gate.
    pub async fn carry(&self, ends: &Ends, grant: &Grant, flow: &Flow) {
        tokio::select! {
            () = ends.carry(flow, |bytes| grant.delay(bytes)) => {}
            () = grant.ended.cancelled() => ends.cut(),
            () = self.closing.cancelled() => ends.cut(),
        }
    }
}
