//! Limits the connections per sender: enough for an office behind one address, but not enough to starve others.
use crate::config::Config;
use crate::error::AppError;
use crate::http::request::ClientAddress;
use crate::state::App;
use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{Extensions, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::rt::net::TcpStream;
use actix_web::{Error, ResponseError, web};
use ipnet::IpNet;
use postern_core::code::Code;
use postern_core::network::sender_key;
use rustix::process::{Resource, getrlimit, setrlimit};
use serde_json::json;
use socket2::SockRef;
use std::any::Any;
use std::collections::HashMap;
use std::net::{IpAddr, Shutdown};
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum connections of all senders together. An idle one takes about 10 KB.
pub const MOST: usize = 4_000;

/// File descriptors needed besides connections: the database, the log, static files.
const OTHER_FILES: u64 = 500;

/// Counts the open connections of each sender. Cheap to clone.
#[derive(Clone)]
pub struct Connections {
    open: Arc<Mutex<HashMap<String, u32>>>,
    limit: u32,
    /// Connections from trusted proxies all have the proxy's address, so there requests are counted, by the forwarded address.
    trusted: Arc<[IpNet]>,
}

/// A slot of a sender, freed on drop.
pub struct Place {
    open: Arc<Mutex<HashMap<String, u32>>>,
    sender: String,
}

impl Connections {
    pub fn new(config: &Config) -> Connections {
        Connections {
            open: Arc::default(),
            limit: config.connections_per_sender,
            trusted: config.trusted_proxies.clone().into(),
        }
    }

    /// A slot for one more connection of this sender; `None` at the limit.
    fn take(&self, sender: String) -> Option<Place> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(sender.clone()).or_default();
        if *count >= self.limit {
            return None;
        }
        *count += 1;
        Some(Place { open: self.open.clone(), sender })
    }

    fn is_trusted(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.contains(&address))
    }

    /// On every new connection: closes it if its sender is at the limit.
    pub fn on_connect(&self, stream: &dyn Any, data: &mut Extensions) {
        let Some(stream) = stream.downcast_ref::<TcpStream>() else { return };
        let Ok(peer) = stream.peer_addr() else { return };
        let address = peer.ip().to_canonical();
        if self.is_trusted(address) {
            return;
        }
        match self.take(sender_key(address)) {
            Some(place) => {
                data.insert(place);
            }
            None => {
                // The server must drop the connection: after a shutdown it looks as if the client had disconnected.
                let _ = SockRef::from(stream).shutdown(Shutdown::Both);
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.sender) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.sender);
            }
        }
    }
}

/// Middleware: a request through a trusted proxy takes a slot of the forwarded sender until it is answered.
pub async fn read_forwarded_address<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    let place = request.app_data::<web::Data<Connections>>().and_then(|connections| {
        let app = request.app_data::<web::Data<App>>()?;
        let peer = request.peer_addr()?.ip().to_canonical();
        let client = ClientAddress::of(request.request(), &app.config)?;
        (connections.is_trusted(peer) && client.0 != peer).then(|| connections.take(sender_key(client.0)))
    });
    if let Some(None) = place {
        let (request, _) = request.into_parts();
        let refused = AppError::with(Code::TooManyRequests, json!({ "RetryAfterMs": 1_000 }));
        return Ok(ServiceResponse::new(request, refused.error_response()).map_into_right_body());
    }
    let response = next.call(request).await?.map_into_left_body();
    drop(place);
    Ok(response)
}

/// Raises the process's limit of open files to what the connections need, if the system allows: the default is often 1,024.
pub fn allow_enough_files() {
    let (needed, mut limit) = (MOST as u64 + OTHER_FILES, getrlimit(Resource::Nofile));
    if limit.current.is_some_and(|current| current < needed) {
        limit.current = Some(limit.maximum.map_or(needed, |maximum| maximum.min(needed)));
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::warn!(%error, "the limit on open files could not be raised");
        }
    }
    let allowed = getrlimit(Resource::Nofile).current;
    if allowed.is_some_and(|allowed| allowed < needed) {
        tracing::warn!(?allowed, needed, "the limit on open files is too low: raise it (ulimit -n)");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_limited_per_sender_and_freed() {
        let connections = Connections { open: Arc::default(), limit: 2, trusted: Arc::from([]) };
        let of = |sender: &str| connections.take(sender.to_owned());
        let (first, second) = (of("192.0.2.1"), of("192.0.2.1"));
        assert!(first.is_some() && second.is_some() && of("192.0.2.1").is_none());
        assert!(of("192.0.2.2").is_some(), "another sender has places of its own");
        drop(first);
        assert!(of("192.0.2.1").is_some());
        drop(second);
        assert!(connections.open.lock().expect("a map").is_empty(), "nobody is counted who has nothing open");
    }
}
