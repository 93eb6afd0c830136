//! Opens a tunnel through an upstream.
use crate::host_port::HostPort;
use crate::refusal::Refusal;
use crate::secret::Secret;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::{Bytes, BytesMut};
use fast_socks5::client::{Config, Socks5Stream};
use fast_socks5::util::target_addr::TargetAddr;
use fast_socks5::{AuthenticationMethod, ReplyError, Socks5Command, SocksError};
use hyper::header::HeaderValue;
use postern_core::web_address::Host;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// For the upstream to reach the destination.
const TUNNEL_TIMEOUT: Duration = Duration::from_secs(20);

const MAX_HEAD_BYTES: usize = 16 * 1024;

/// What SOCKS5 can carry.
const MAX_USER_NAME_BYTES: usize = 255;

/// Whose fault it is that a connection failed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Failure {
    /// The upstream's: it cannot be reached, or does not accept its credentials.
    Upstream,
    /// The upstream's or the destination's, which may be what the upstream waits for: another upstream may succeed.
    Unclear(Refusal),
    /// The upstream refuses the destination.
    Destination(Refusal),
}

/// A connection, and what the other side has sent already.
pub struct Reached {
    pub stream: TcpStream,
    pub early: Bytes,
}

impl Reached {
    pub fn plain(stream: TcpStream) -> Reached {
        Reached { stream, early: Bytes::new() }
    }
}

/// Connects to an upstream, by the first of its addresses that answers.
pub async fn connect(upstream: &HostPort) -> Result<TcpStream, Failure> {
    let connecting = TcpStream::connect((upstream.host.to_string(), upstream.port));
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await.map_err(|_| Failure::Upstream)?;
    let stream = connected.map_err(|_| Failure::Upstream)?;
    stream.set_nodelay(true).map_err(|_| Failure::Upstream)?;
    Ok(stream)
}

/// The credentials for an HTTP upstream; none if the user name is empty.
pub fn basic(user_name: &str, password: &Secret) -> Result<Option<HeaderValue>, Failure> {
    if user_name.is_empty() {
        return Ok(None);
    }
    let encoded = BASE64_STANDARD.encode(format!("{user_name}:{}", password.reveal()));
    let mut value = HeaderValue::from_str(&format!("Basic {encoded}")).map_err(|_| Failure::Upstream)?;
    value.set_sensitive(true);
    Ok(Some(value))
}

/// Asks an HTTP upstream for a tunnel.
pub async fn http_tunnel(
    stream: TcpStream,
    destination: &HostPort,
    user_name: &str,
    password: &Secret,
) -> Result<Reached, Failure> {
    let credentials = basic(user_name, password)?;
    let credentials = credentials.as_ref().and_then(|value| value.to_str().ok());
    let credentials = credentials.map(|value| format!("Proxy-Authorization: {value}\r\n")).unwrap_or_default();
    let head = format!("CONNECT {destination} HTTP/1.1\r\nHost: {destination}\r\n{credentials}\r\n");
    let asking = ask_for_tunnel(stream, head);
    let asked = tokio::time::timeout(TUNNEL_TIMEOUT, asking).await;
    let (status, reached) = asked.map_err(|_| Failure::Unclear(Refusal::Timeout))??;
    match status {
        200..300 => Ok(reached),
        407 => Err(Failure::Upstream),
        504 => Err(Failure::Unclear(Refusal::Timeout)),
        429 | 500.. => Err(Failure::Unclear(Refusal::Unreachable)),
        _ => Err(Failure::Destination(Refusal::Unreachable)),
    }
}

async fn ask_for_tunnel(mut stream: TcpStream, head: String) -> Result<(u16, Reached), Failure> {
    let broken = Failure::Unclear(Refusal::Unreachable);
    stream.write_all(head.as_bytes()).await.map_err(|_| broken)?;
    let mut answer = BytesMut::with_capacity(1_024);
    loop {
        if let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = answer.split_to(end + 4);
            let status = status(&head).ok_or(Failure::Upstream)?;
            return Ok((status, Reached { stream, early: answer.freeze() }));
        }
        match stream.read_buf(&mut answer).await {
            Ok(0) | Err(_) => return Err(broken),
            Ok(_) if answer.len() > MAX_HEAD_BYTES => return Err(Failure::Upstream),
            Ok(_) => {}
        }
    }
}

/// The status of a response's head.
fn status(head: &[u8]) -> Option<u16> {
    let rest = head.strip_prefix(b"HTTP/1.")?;
    std::str::from_utf8(rest.get(2..5)?).ok()?.parse().ok()
}

/// Asks a SOCKS5 upstream for a tunnel.
pub async fn socks5_tunnel(
    stream: TcpStream,
    destination: &HostPort,
    user_name: &str,
    password: &Secret,
) -> Result<Reached, Failure> {
    if user_name.len() > MAX_USER_NAME_BYTES {
        return Err(Failure::Upstream);
    }
    let (username, password) = (user_name.to_owned(), password.reveal().to_owned());
    let method = (!user_name.is_empty()).then_some(AuthenticationMethod::Password { username, password });
    let target = match &destination.host {
        Host::Address(address) => TargetAddr::Ip(SocketAddr::new(*address, destination.port)),
        Host::Name(name) => TargetAddr::Domain(name.clone(), destination.port),
    };
    let asking = async {
        let mut socks = Socks5Stream::use_stream(stream, method, Config::default()).await?;
        socks.request(Socks5Command::TCPConnect, target).await?;
        Ok(Reached::plain(socks.get_socket()))
    };
    match tokio::time::timeout(TUNNEL_TIMEOUT, asking).await {
        Ok(answered) => answered.map_err(failure),
        Err(_) => Err(Failure::Unclear(Refusal::Timeout)),
    }
}

fn failure(error: SocksError) -> Failure {
    match error {
        SocksError::ReplyError(ReplyError::ConnectionRefused) => Failure::Unclear(Refusal::ConnectionRefused),
        SocksError::ReplyError(ReplyError::ConnectionNotAllowed) => Failure::Destination(Refusal::Unreachable),
        SocksError::ReplyError(_) | SocksError::Io(_) => Failure::Unclear(Refusal::Unreachable),
        _ => Failure::Upstream,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_from_a_head_of_http_only() {
        for (head, expected) in [
            (&b"HTTP/1.1 200 OK\r\n\r\n"[..], Some(200)),
            (b"HTTP/1.0 407\r\n\r\n", Some(407)),
            (b"HTTP/2 200\r\n\r\n", None),
            (b"SSH-2.0 200\r\n\r\n", None),
            (b"HTTP/1.1 x00\r\n\r\n", None),
        ] {
            assert_eq!(status(head), expected);
        }
    }
}
