//! The open connections: limited per sender, which is enough for an office behind one address, but not enough to starve others. Where a limit is
//! near, a new connection takes the place of the one that has been idle the longest.
use crate::config::Config;
use crate::error::AppError;
use crate::http::connection::{Connection, Stream, TIMES};
use crate::http::request::ClientAddress;
use crate::state::App;
use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::rt::net::TcpStream;
use actix_web::{Error, ResponseError, web};
use ipnet::IpNet;
use postern_core::code::Code;
use postern_core::network::sender_key;
use rustix::process::{Resource, getrlimit, setrlimit};
use serde_json::json;
use socket2::SockRef;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// Maximum connections of all senders together. An idle one takes about 10 KB.
pub const MOST: usize = 4_000;

/// From this number on, idle connections make room for new ones.
const NEARLY_ALL: usize = MOST / 10 * 9;

/// How long a draining server waits for the last request on connections that are idle, to say that it is the last one. The server looks every
/// second whether all connections are closed.
const LAST_REQUEST: Duration = Duration::from_millis(800);

/// How long a new connection waits until an idle one of its sender is closed.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// File descriptors needed besides connections: the database, the log, static files.
const OTHER_FILES: u64 = 500;

/// The bytes of a response that the system queues for a receiver who does not read, instead of megabytes. Bytes in flight are not counted, so fast lines
/// are not slowed down.
const UNSENT_BYTES: u32 = 128 << 10;

/// The open connections, and how many places each sender has taken. Cheap to clone.
#[derive(Clone)]
pub struct Connections {
    table: Arc<Mutex<Table>>,
    /// Told when a place is given back.
    freed: Arc<Notify>,
    limit: u32,
    /// Connections from trusted proxies all have the proxy's address, so there requests are counted, by the forwarded address.
    trusted: Arc<[IpNet]>,
}

#[derive(Default)]
struct Table {
    /// The number of places of each sender.
    taken: HashMap<String, u32>,
    open: HashMap<u64, Open>,
    next_id: u64,
}

/// A connection of the table. Without a place if it comes from a trusted proxy.
struct Open {
    connection: Arc<Connection>,
    place: Option<SenderSlot>,
}

/// A slot of a sender, freed on drop.
pub struct SenderSlot {
    table: Arc<Mutex<Table>>,
    freed: Arc<Notify>,
    sender: String,
}

/// A connection's entry in the table, removed on drop.
pub struct Entry {
    table: Arc<Mutex<Table>>,
    id: u64,
}

impl Connections {
    pub fn new(config: &Config) -> Connections {
        Connections {
            table: Arc::default(),
            freed: Arc::default(),
            limit: config.connections_per_sender,
            trusted: config.trusted_proxies.clone().into(),
        }
    }

    /// A slot for one more connection of this sender; `None` at the limit.
    fn take(&self, sender: String) -> Option<SenderSlot> {
        let mut table = lock(&self.table);
        let count = table.taken.entry(sender.clone()).or_default();
        if *count >= self.limit {
            return None;
        }
        *count += 1;
        Some(SenderSlot { table: self.table.clone(), freed: self.freed.clone(), sender })
    }

    /// The same; at the limit the sender's oldest idle connection gives its slot. Only when it is closed: a request may have arrived on it meanwhile.
    async fn take_or_make(&self, sender: String) -> Option<SenderSlot> {
        let make = async {
            loop {
                let freed = self.freed.notified();
                let place = self.take(sender.clone());
                if place.is_some() || !self.close_oldest_idle(Some(&sender)) {
                    return place;
                }
                freed.await;
            }
        };
        timeout(LONGEST_WAIT, make).await.ok().flatten()
    }

    /// Closes the connection that has been idle the longest, of all or of one sender; false if none is idle.
    fn close_oldest_idle(&self, sender: Option<&str>) -> bool {
        let table = lock(&self.table);
        let of_sender =
            |open: &&Open| sender.is_none_or(|sender| open.place.as_ref().is_some_and(|place| place.sender == sender));
        let idle = table.open.values().filter(of_sender).filter_map(|open| Some((open.connection.idle_since()?, open)));
        // One that is about to be closed comes last: it is waited for.
        let oldest = idle.min_by_key(|(since, open)| (open.connection.is_leaving(), *since));
        oldest.inspect(|(_, open)| open.connection.leave()).is_some()
    }

    fn is_trusted(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|network| network.contains(&address))
    }

    /// A new connection; an error, which closes it, if its sender has too many that are in use.
    pub async fn admit(self, stream: TcpStream) -> io::Result<(Stream<Entry>, Option<SocketAddr>)> {
        let peer = stream.peer_addr()?;
        let address = peer.ip().to_canonical();
        let place = match self.is_trusted(address) {
            true => None,
            false => Some(self.take_or_make(sender_key(address)).await.ok_or(io::ErrorKind::ConnectionRefused)?),
        };
        if lock(&self.table).open.len() >= NEARLY_ALL {
            self.close_oldest_idle(None);
        }
        // Headers and body are sent together, without waiting for acknowledgements.
        stream.set_nodelay(true)?;
        SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT_BYTES)?;
        Ok((Stream::new(stream, TIMES, |connection| self.enter(connection.clone(), place)), Some(peer)))
    }

    fn enter(&self, connection: Arc<Connection>, place: Option<SenderSlot>) -> Entry {
        let mut table = lock(&self.table);
        let id = table.next_id;
        table.next_id += 1;
        table.open.insert(id, Open { connection, place });
        Entry { table: self.table.clone(), id }
    }

    /// Makes the next response of each connection its last one, and then closes those that are idle.
    pub async fn drain(&self) {
        self.each(Connection::end);
        sleep(LAST_REQUEST).await;
        self.each(Connection::leave);
    }

    fn each(&self, act: impl Fn(&Connection)) {
        lock(&self.table).open.values().for_each(|open| act(&open.connection));
    }
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for SenderSlot {
    fn drop(&mut self) {
        let mut table = lock(&self.table);
        if let Some(count) = table.taken.get_mut(&self.sender) {
            *count -= 1;
            if *count == 0 {
                table.taken.remove(&self.sender);
            }
        }
        drop(table);
        self.freed.notify_waiters();
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let open = lock(&self.table).open.remove(&self.id);
        // Its place is given back by locking the table, so not in the same statement.
        drop(open);
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
        let connections =
            Connections { table: Arc::default(), freed: Arc::default(), limit: 2, trusted: Arc::from([]) };
        let of = |sender: &str| connections.take(sender.to_owned());
        let (first, second) = (of("192.0.2.1"), of("192.0.2.1"));
        assert!(first.is_some() && second.is_some() && of("192.0.2.1").is_none());
        assert!(of("192.0.2.2").is_some(), "another sender has places of its own");
        drop(first);
        assert!(of("192.0.2.1").is_some());
        drop(second);
        assert!(lock(&connections.table).taken.is_empty(), "nobody is counted who has nothing open");
    }
}
