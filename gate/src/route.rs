//! How traffic leaves: by an address of this machine, or through an upstream.
use crate::access::Grant;
use crate::destination::Destinations;
use crate::exit::{self, Exits};
use crate::host_port::HostPort;
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::upstream::{self, Forwarder, Purpose, Reached, Upstreams, Way};
use anyhow::{Result, ensure};
use postern_core::proxy_server::ProxyServerKind;
use std::net::IpAddr;

pub enum Route {
    Machine(Exits),
    Upstreams(Upstreams),
}

impl Route {
    pub fn new(kind: ProxyServerKind, settings: &Settings) -> Result<Route> {
        let is_plain = settings.exit.is_empty() && settings.upstreams.is_none();
        ensure!(
            is_plain || kind == ProxyServerKind::Residential,
            "--exit and --upstreams are for residential proxies; the shop has registered this server for static ones"
        );
        match &settings.upstreams {
            Some(file) => Ok(Route::Upstreams(Upstreams::new(upstream::read(file)?))),
            None => Ok(Route::Machine(Exits::new(kind, &settings.exit))),
        }
    }

    /// Connects an admitted client, who dialled this address, to a destination that is allowed.
    pub async fn reach(
        &self,
        destinations: &Destinations,
        grant: &Grant,
        dialled: IpAddr,
        destination: &HostPort,
        purpose: Purpose,
    ) -> Result<Way, Refusal> {
        let answer = &grant.answer;
        match self {
            Route::Machine(exits) => {
                let addresses = destinations.resolve(destination, answer.account_id).await?;
                let session = answer.proxy_user_id.zip(answer.session.clone());
                let exit = exits.choose(dialled, session.as_ref(), &addresses);
                let stream = exit::dial(&addresses, exit).await?;
                Ok(Way { reached: Reached::plain(stream), country: answer.country.clone(), forwarder: None })
            }
            Route::Upstreams(upstreams) => {
                destinations.check_unresolved(destination)?;
                upstreams.reach(answer, destination, purpose).await
            }
        }
    }

    /// An upstream that forwards requests has responded to one: it accepts the gate's credentials, or does not.
    pub fn note_response(&self, forwarder: &Forwarder, is_accepted: bool) {
        if let Route::Upstreams(upstreams) = self {
            upstreams.note_response(forwarder, is_accepted);
        }
    }
}
