//! By which address of this machine traffic leaves, and the connection to the destination.
use crate::refusal::Refusal;
#[cfg(target_os = "linux")]
use nix::sys::socket::{setsockopt, sockopt::IpBindAddressNoPort};
use postern_core::proxy_server::ProxyServerKind;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::{TcpSocket, TcpStream};

/// For all addresses of a destination together.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Addresses of a destination that are dialled at most.
const MAX_ADDRESSES: usize = 6;

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

    /// The address for a connection to a destination with these addresses: connections of one session have the same one, all others take turns.
    pub fn choose(&self, dialled: IpAddr, session: Option<&Session>, to: &[SocketAddr]) -> Option<IpAddr> {
        match self {
            Exits::Dialled => Some(dialled),
            Exits::Listed { addresses, .. } if addresses.is_empty() => None,
            Exits::Listed { addresses, next } => {
                let position = match session {
                    Some(session) => hash(session),
                    None => next.fetch_add(1, Ordering::Relaxed),
                };
                let is_fitting = |exit: &&IpAddr| to.iter().any(|address| address.is_ipv4() == exit.is_ipv4());
                let fitting: Vec<&IpAddr> = addresses.iter().filter(is_fitting).collect();
                // If none fits, no address is dialled.
                fitting.get(position % fitting.len().max(1)).copied().or(addresses.first()).copied()
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
    let fitting: Vec<&SocketAddr> = addresses.iter().filter(is_fitting).take(MAX_ADDRESSES).collect();
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
    // From a loopback address, only loopback addresses are reached.
    let exit = exit.filter(|exit| address.ip().is_loopback() || !exit.is_loopback());
    let stream = socket(address.is_ipv4(), exit)?.connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

fn socket(is_ipv4: bool, exit: Option<IpAddr>) -> std::io::Result<TcpSocket> {
    let socket = if is_ipv4 { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    if let Some(exit) = exit {
        // Its port is chosen on connecting: at once, it would be taken for all destinations, and an exit has about 28,000. What does not know this
        // (gVisor) has these only.
        #[cfg(target_os = "linux")]
        let _ = setsockopt(&socket, IpBindAddressNoPort, &true);
        socket.bind(SocketAddr::new(exit, 0))?;
    }
    Ok(socket)
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
        let to = ["8.8.8.8:443".parse().expect("an address")];
        let turns: Vec<Option<IpAddr>> = (0..4).map(|_| exits.choose(dialled, None, &to)).collect();
        assert_eq!(turns, [Some(addresses[0]), Some(addresses[1]), Some(addresses[2]), Some(addresses[0])]);
        let of = |name: &str| exits.choose(dialled, Some(&(7, name.to_owned())), &to);
        assert_eq!(of("a1"), of("a1"));
        let names: Vec<String> = (0..30).map(|number| format!("s{number}")).collect();
        assert!(addresses.iter().all(|exit| names.iter().any(|name| of(name) == Some(*exit))));
    }

    #[test]
    fn an_exit_of_the_destinations_family_is_chosen() {
        let addresses = [address("203.0.113.7"), address("2001:db8::7")];
        let exits = Exits::new(ProxyServerKind::Residential, &addresses);
        let (dialled, session) = (address("8.8.8.8"), (7, "s1".to_owned()));
        for (to, exit) in [("8.8.8.8:443", addresses[0]), ("[2606:4700::1111]:443", addresses[1])] {
            let to = [to.parse().expect("an address")];
            for session in [None, None, Some(&session)] {
                assert_eq!(exits.choose(dialled, session, &to), Some(exit));
            }
        }
        assert!(exits.choose(dialled, None, &[]).is_some());
    }

    #[tokio::test]
    async fn addresses_of_another_family_hide_none_that_fits() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let here = listener.local_addr().expect("an address");
        let others = (1..=8).map(|number| format!("[2001:db8::{number}]:443").parse().expect("an address"));
        let addresses: Vec<SocketAddr> = others.chain([here]).collect();
        let stream = dial(&addresses, Some(address("127.0.0.1"))).await.expect("a connection");
        assert_eq!(stream.peer_addr().expect("an address"), here);
    }

    #[test]
    fn a_port_of_the_exit_is_taken_for_one_destination_only() {
        let socket = socket(true, Some(IpAddr::from([127, 77, 0, 1]))).expect("a socket");
        assert_eq!(socket.local_addr().expect("an address"), SocketAddr::from(([127, 77, 0, 1], 0)));
    }

    #[tokio::test]
    async fn an_exit_serves_destinations_of_its_family_only() {
        let other = dial(&["[::1]:9".parse().expect("an address")], Some(address("127.0.0.1"))).await;
        assert_eq!(other.err(), Some(Refusal::OtherFamily));
    }
}
