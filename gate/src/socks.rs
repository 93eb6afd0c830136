//! SOCKS5 (RFC 1928) with a user name and password (RFC 1929), or without for clients whose address is whitelisted.
use crate::access::Grant;
use crate::gate::{Gate, Visit};
use crate::host_port::HostPort;
use crate::meter::Flow;
use crate::metrics::Protocol;
use crate::refusal::Refusal;
use crate::secret::Secret;
use crate::tunnel::Ends;
use crate::upstream::{Purpose, Reached};
use bytes::Bytes;
use fast_socks5::Socks5Command;
use fast_socks5::server::states::{Authenticated, CommandRead};
use fast_socks5::server::{
    AuthMethodSuccessState, Socks5ServerProtocol, SocksServerError, StandardAuthentication,
    StandardAuthenticationStarted,
};
use fast_socks5::util::target_addr::TargetAddr;
use hyper::StatusCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// For each part of the handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// A client that waits for the reply to its command, and where it wants to go.
pub type Asked<S> = (Socks5ServerProtocol<S, CommandRead>, Result<HostPort, Refusal>);

/// Serves one connection; it carries one tunnel.
pub async fn serve(gate: Arc<Gate>, visit: Visit, stream: TcpStream) {
    let served = async {
        let admit = |user_name, password| gate.admit(&visit, user_name, password);
        let (protocol, admitted) = authenticate(stream, admit, |refusal| gate.metrics.note_refusal(refusal)).await?;
        let (protocol, destination) = in_time(read_command(protocol)).await?;
        Some(open(&gate, &visit, protocol, admitted, destination).await)
    };
    let opened = tokio::select! {
        opened = served => opened.flatten(),
        () = gate.closing.cancelled() => None,
    };
    if let Some((ends, grant, flow)) = opened {
        gate.carry(&ends, &grant, &flow).await;
    }
}

/// Waits for the client, but not for long; what is not SOCKS5 ends the connection.
async fn in_time<T>(step: impl Future<Output = Result<T, SocksServerError>>) -> Option<T> {
    tokio::time::timeout(HANDSHAKE_TIMEOUT, step).await.ok()?.ok()
}

/// Reads the credentials and asks whether the client may connect. Wrong ones are refused here; all other refusals are the reply to the
/// command, where SOCKS5 has codes for them.
pub async fn authenticate<S, T, F>(
    stream: S,
    admit: impl FnOnce(String, Secret) -> F,
    note_refusal: impl FnOnce(Refusal),
) -> Option<(Socks5ServerProtocol<S, Authenticated>, Result<T, Refusal>)>
where
    S: AsyncRead + AsyncWrite + Unpin,
    F: Future<Output = Result<T, Refusal>>,
{
    let methods = StandardAuthentication::allow_no_auth(true);
    let started = match in_time(Socks5ServerProtocol::start(stream).negotiate_auth(methods)).await? {
        StandardAuthenticationStarted::NoAuthentication(open) => {
            return Some((open.finish_auth(), admit(String::new(), Secret::default()).await));
        }
        StandardAuthenticationStarted::PasswordAuthentication(started) => started,
    };
    let (user_name, password, received) = in_time(started.read_username_password()).await?;
    let admitted = admit(user_name, Secret::new(password)).await;
    if let Err(refusal) = &admitted
        && refusal.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED
    {
        note_refusal(*refusal);
        in_time(received.reject()).await;
        return None;
    }
    Some((in_time(received.accept()).await?.finish_auth(), admitted))
}

/// Reads what the client wants, and where.
pub async fn read_command<S: AsyncRead + AsyncWrite + Unpin>(
    protocol: Socks5ServerProtocol<S, Authenticated>,
) -> Result<Asked<S>, SocksServerError> {
    let (protocol, command, target) = protocol.read_command().await?;
    let destination = match command {
        Socks5Command::TCPConnect => destination(target),
        Socks5Command::TCPBind | Socks5Command::UDPAssociate => Err(Refusal::Unsupported),
    };
    Ok((protocol, destination))
}

fn destination(target: TargetAddr) -> Result<HostPort, Refusal> {
    let (host, port) = target.into_string_and_port();
    HostPort::new(&host, port)
}

async fn open(
    gate: &Gate,
    visit: &Visit,
    protocol: Socks5ServerProtocol<TcpStream, CommandRead>,
    admitted: Result<Grant, Refusal>,
    destination: Result<HostPort, Refusal>,
) -> Option<(Ends, Grant, Arc<Flow>)> {
    match connect(gate, visit, admitted, destination).await {
        Ok((Reached { stream: origin, early: from_origin }, grant, flow)) => {
            gate.metrics.note_connection(Protocol::Socks5);
            let bound = origin.local_addr().ok()?;
            let client = in_time(protocol.reply_success(bound)).await?;
            Some((Ends { client, from_client: Bytes::new(), origin, from_origin }, grant, flow))
        }
        Err(refusal) => {
            gate.metrics.note_refusal(refusal);
            in_time(protocol.reply_error(&refusal.socks_reply())).await;
            None
        }
    }
}

async fn connect(
    gate: &Gate,
    visit: &Visit,
    admitted: Result<Grant, Refusal>,
    destination: Result<HostPort, Refusal>,
) -> Result<(Reached, Grant, Arc<Flow>), Refusal> {
    let (grant, destination) = (admitted?, destination?);
    let way = gate.connect(&grant, visit, &destination, Purpose::Tunnel).await?;
    let flow = gate.flow(&grant, visit, &destination, way.country.as_deref());
    Ok((way.reached, grant, flow))
}
