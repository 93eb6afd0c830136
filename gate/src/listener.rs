//! Accepts clients, and tells SOCKS5 from HTTP by the first byte.
use crate::gate::{Gate, Visit};
use crate::{http, socks};
use anyhow::{Context, Result};
use socket2::{Domain, Protocol, Socket, Type};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

const BACKLOG: i32 = 4_096;

/// For the first byte of a client.
const FIRST_BYTE_TIMEOUT: Duration = Duration::from_secs(10);

/// When no more files can be opened, others must be closed first.
const PAUSE: Duration = Duration::from_millis(100);

const SOCKS5_VERSION: u8 = 5;

/// Listens on an address, beside a process that does already.
pub fn listen(address: SocketAddr) -> Result<TcpListener> {
    let listening = || -> std::io::Result<TcpListener> {
        let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
        socket.set_reuse_address(true)?;
        socket.set_reuse_port(true)?;
        socket.set_nonblocking(true)?;
        socket.bind(&address.into())?;
        socket.listen(BACKLOG)?;
        TcpListener::from_std(socket.into())
    };
    listening().with_context(|| format!("listening on {address}"))
}

/// Accepts clients until the gate drains.
pub async fn accept(gate: Arc<Gate>, listener: TcpListener) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = gate.draining.cancelled() => return,
        };
        match accepted {
            Ok((stream, client)) => receive(&gate, stream, client),
            Err(error) => {
                tracing::debug!(%error, "a connection was not accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

fn receive(gate: &Arc<Gate>, stream: TcpStream, client: SocketAddr) {
    let Ok(dialled) = stream.local_addr() else { return };
    let (client, dialled) = (client.ip().to_canonical(), dialled.ip().to_canonical());
    if gate.only_loopback && !(client.is_loopback() && dialled.is_loopback()) {
        return gate.metrics.note_refused("not_loopback");
    }
    let Some(place) = gate.limit.enter(client) else {
        return gate.metrics.note_refused("too_many_connections");
    };
    let visit = Visit { client, dialled, place: Arc::new(place) };
    gate.connections.spawn(serve(gate.clone(), visit, stream));
}

async fn serve(gate: Arc<Gate>, visit: Visit, stream: TcpStream) {
    let mut first = [0];
    let peeked = tokio::select! {
        peeked = tokio::time::timeout(FIRST_BYTE_TIMEOUT, stream.peek(&mut first)) => peeked,
        () = gate.draining.cancelled() => return,
    };
    let is_nodelay = stream.set_nodelay(true).is_ok();
    match (peeked, first) {
        (Ok(Ok(1)), [SOCKS5_VERSION]) if is_nodelay => socks::serve(gate, visit, stream).await,
        (Ok(Ok(1)), _) if is_nodelay => http::serve(gate, visit, stream).await,
        _ => {}
    }
}
