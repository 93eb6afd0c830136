//! By which address of this machine traffic leaves, and the connection to the destination.
use crate::refusal::Refusal;
use postern_core::proxy_server::ProxyServerKind;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpSocket, TcpStream};

/// For all addresses of a destination together.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

pub enum Exits {
    /// The node that the client dialled.
    Dialled,
    /// One of these addresses of the machine; none: the system decides.
    Listed { addresses: Vec<IpAddr>, next: AtomicUsize },
}

/// A sticky session: the proxy user's id, and the session's name.
pub type Session = (i64, String);

impl Exits {
    pub fn new(kind: ProxyServerKind, addresses: &[IpAddr]) -> Exits {
        match kind {
            ProxyServerKind::Static => Exits::Dialled,
            ProxyServerKind::Residential => Exits::Listed { addresses: addresses.to_vec(), next: AtomicUsize::new(0) },
        }
    }

    /// The address for a connection: connections of one session have the same one, all others take turns.
    pub fn choose(&self, dialled: IpAddr, session: Option<&Session>) -> Option<IpAddr> {
        match self {
            Exits::Dialled => Some(dialled),
            Exits::Listed { addresses, .. } if addresses.is_empty() => None,
            Exits::Listed { addresses, next } => {
                let position = match session {
                    Some(session) => hash(session),
                    None => next.fetch_add(1, Ordering::Relaxed),
                };
                Some(addresses[position % addresses.len()])
            }
        }
    }
}

fn hash(session: &Session) -> usize {
    let mut hasher = DefaultHasher::new();
    session.hash(&mut hasher);
    usize::try_from(hasher.finish() >> 32).unwrap_or(0)
}

/// Connects to the first of the addresses that answers.
pub async fn dial(addresses: &[SocketAddr], exit: Option<IpAddr>) -> Result<TcpStream, Refusal> {
    let is_fitting = |address: &&SocketAddr| exit.is_none_or(|exit| exit.is_ipv4() == address.is_ipv4());
    let fitting: Vec<&SocketAddr> = addresses.iter().filter(is_fitting).collect();
    let share = CONNECT_TIMEOUT / u32::try_from(fitting.len()).unwrap_or(1).max(1);
    let mut refusal = Refusal::OtherFamily;
    for address in fitting {
        match tokio::time::timeout(share, connect(*address, exit)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => refusal = problem(&error),
            Err(_) => refusal = Refusal::Timeout,
        }
    }
    Err(refusal)
}

async fn connect(address: SocketAddr, exit: Option<IpAddr>) -> std::io::Result<TcpStream> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // From a loopback address, only loopback addresses are reached.
    let exit = exit.filter(|exit| address.ip().is_loopback() || !exit.is_loopback());
    if let Some(exit) = exit {
        socket.bind(SocketAddr::new(exit, 0))?;
    }
    let stream = socket.connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

fn problem(error: &std::io::Error) -> Refusal {
    match error.kind() {
        ErrorKind::ConnectionRefused => Refusal::ConnectionRefused,
        ErrorKind::TimedOut => Refusal::Timeout,
        _ => Refusal::Unreachable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_session_keeps_its_exit_and_others_take_turns() {
        let addresses = [address("127.17.0.1"), address("127.17.0.2"), address("127.17.0.3")];
        let exits = Exits::new(ProxyServerKind::Residential, &addresses);
        let dialled = address("8.8.8.8");
        let turns: Vec<Option<IpAddr>> = (0..4).map(|_| exits.choose(dialled, None)).collect();
        assert_eq!(turns, [Some(addresses[0]), Some(addresses[1]), Some(addresses[2]), Some(addresses[0])]);
        let of = |name: &str| exits.choose(dialled, Some(&(7, name.to_owned())));
        assert_eq!(of("a1"), of("a1"));
        let names: Vec<String> = (0..30).map(|number| format!("s{number}")).collect();
        assert!(addresses.iter().all(|exit| names.iter().any(|name| of(name) == Some(*exit))));
    }

    #[tokio::test]
    async fn an_exit_serves_destinations_of_its_family_only() {
        let other = dial(&["[::1]:9".parse().expect("an address")], Some(address("127.0.0.1"))).await;
        assert_eq!(other.err(), Some(Refusal::OtherFamily));
    }
}
