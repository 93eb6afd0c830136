//! Where clients may connect to. A name is resolved once, all its addresses are checked, and only a checked address is dialled, so that a name
//! that changes its answer leads nowhere else.
use crate::host_port::HostPort;
use crate::refusal::Refusal;
use crate::settings::Settings;
use postern_core::network::Network;
use postern_core::web_address::Host;
use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{AcquireError, Semaphore};

const LOOKUP_TIMEOUT: Duration = Duration::from_secs(5);

/// Names that are resolved at the same time. Each takes a thread, and slow ones must leave threads for the spool.
const MAX_LOOKUPS: usize = 256;

/// The same for one account: names whose servers never answer must leave turns for other customers.
const MAX_LOOKUPS_OF_ACCOUNT: usize = 32;

/// Resolves a name.
pub type Lookup = Arc<dyn Fn(&str) -> std::io::Result<Vec<IpAddr>> + Send + Sync>;

/// The system's resolver.
pub fn system_lookup() -> Lookup {
    Arc::new(|name| Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect()))
}

/// The rules about destinations.
pub struct Destinations {
    lookup: Lookup,
    lookups: Arc<Semaphore>,
    lookups_of: Mutex<HashMap<Option<i64>, Arc<Semaphore>>>,
    allowed: Vec<HostPort>,
    allowed_ports: Vec<u16>,
    refused_ports: Vec<u16>,
    refused_domains: Vec<String>,
    /// Whether the system tells its own addresses from others.
    knows_own_addresses: bool,
}

impl Destinations {
    pub fn new(settings: &Settings, lookup: Lookup) -> Destinations {
        let domain = |text: &String| text.trim_matches('.').to_ascii_lowercase();
        Destinations {
            lookup,
            lookups: Arc::new(Semaphore::new(MAX_LOOKUPS)),
            lookups_of: Mutex::default(),
            allowed: settings.allow.clone(),
            allowed_ports: settings.allow_port.clone(),
            refused_ports: settings.refuse_port.clone(),
            refused_domains: settings.refuse_domain.iter().map(domain).collect(),
            // An address for examples, which no machine has: where it can be bound, any can (`ip_nonlocal_bind`).
            knows_own_addresses: !can_bind(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1))),
        }
    }

    /// The addresses of a destination that a client of this account asks for, all of them allowed.
    pub async fn resolve(&self, destination: &HostPort, account: Option<i64>) -> Result<Vec<SocketAddr>, Refusal> {
        self.check_port_and_domain(destination)?;
        let found = match &destination.host {
            Host::Address(address) => vec![*address],
            Host::Name(name) => self.addresses(name, account).await?,
        };
        let is_exempt = self.allowed.contains(destination);
        if !is_exempt && !found.iter().all(|address| self.is_allowed(*address, destination.port)) {
            return Err(Refusal::PrivateDestination);
        }
        Ok(found.into_iter().map(|address| SocketAddr::new(address, destination.port)).collect())
    }

    /// Checks a destination that an upstream resolves.
    pub fn check_unresolved(&self, destination: &HostPort) -> Result<(), Refusal> {
        self.check_port_and_domain(destination)?;
        let is_public = destination.host.is_public() && !is_number(&destination.host);
        if is_public || self.allowed.contains(destination) { Ok(()) } else { Err(Refusal::PrivateDestination) }
    }

    fn check_port_and_domain(&self, destination: &HostPort) -> Result<(), Refusal> {
        if let Host::Name(name) = &destination.host
            && self.refused_domains.iter().any(|domain| is_within(name, domain))
        {
            return Err(Refusal::DomainNotAllowed);
        }
        let port = destination.port;
        let is_open = self.allowed_ports.is_empty() || self.allowed_ports.contains(&port);
        if (is_open && !self.refused_ports.contains(&port)) || self.allowed.contains(destination) {
            return Ok(());
        }
        Err(Refusal::PortNotAllowed)
    }

    /// The account's turns at the resolver. Those of accounts that look up nothing are dropped.
    fn lookups_of(&self, account: Option<i64>) -> Arc<Semaphore> {
        let mut all = self.lookups_of.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, turns| Arc::strong_count(turns) > 1);
        all.entry(account).or_insert_with(|| Arc::new(Semaphore::new(MAX_LOOKUPS_OF_ACCOUNT))).clone()
    }

    async fn addresses(&self, name: &str, account: Option<i64>) -> Result<Vec<IpAddr>, Refusal> {
        let (lookup, asked) = (self.lookup.clone(), name.to_owned());
        let (lookups, lookups_of) = (self.lookups.clone(), self.lookups_of(account));
        let looking = async move {
            let turns = (lookups_of.acquire_owned().await, lookups.acquire_owned().await);
            // The turns end with the lookup, also if nobody waits for it any more.
            tokio::task::spawn_blocking(move || {
                let _turns = (turns.0?, turns.1?);
                Ok::<_, AcquireError>(lookup(&asked))
            })
            .await
        };
        let found = tokio::time::timeout(LOOKUP_TIMEOUT, looking).await.map_err(|_| Refusal::Timeout)?;
        let found = found.ok().and_then(Result::ok);
        let mut found = found.and_then(Result::ok).unwrap_or_default();
        found.iter_mut().for_each(|address| *address = address.to_canonical());
        // The system's answer has each address once per protocol.
        let mut seen = HashSet::new();
        found.retain(|address| seen.insert(*address));
        if found.is_empty() { Err(Refusal::UnknownHost) } else { Ok(found) }
    }

    fn is_allowed(&self, address: IpAddr, port: u16) -> bool {
        let is_public = Network::of(address).is_public() && !(self.knows_own_addresses && can_bind(address));
        is_public || self.allowed.contains(&HostPort { host: Host::Address(address), port })
    }
}

/// Whether this machine has the address: its services may trust it.
fn can_bind(address: IpAddr) -> bool {
    UdpSocket::bind((address, 0)).is_ok()
}

fn is_within(name: &str, domain: &str) -> bool {
    name.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Whether a resolver reads the name as an IPv4 address: its last label is a number, in any notation.
fn is_number(host: &Host) -> bool {
    let Host::Name(name) = host else { return false };
    let last = name.rsplit('.').next().unwrap_or_default();
    last.bytes().all(|byte| byte.is_ascii_digit()) || last.starts_with("0x")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn destinations(arguments: &[&str], answers: &'static [&'static str]) -> Destinations {
        let needed =
            ["gate", "--url", "http://shop.test", "--secret-file", "s", "--listen", "127.0.0.1:0", "--spool", "d"];
        let settings = Settings::try_parse_from(needed.iter().chain(arguments)).expect("settings");
        let answers = move |_: &str| Ok(answers.iter().map(|text| text.parse().expect("an address")).collect());
        Destinations::new(&settings, Arc::new(answers))
    }

    async fn problem(destinations: &Destinations, text: &str) -> Option<Refusal> {
        match HostPort::parse(text, Some(80)) {
            Err(refusal) => Some(refusal),
            Ok(destination) => destinations.resolve(&destination, None).await.err(),
        }
    }

    #[tokio::test]
    async fn no_spelling_of_a_private_address_is_allowed() {
        let destinations = destinations(&[], &["8.8.8.8"]);
        for text in [
            "127.0.0.1",
            "127.0.0.1.",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "169.254.169.254",
            "168.63.129.16",
            "0.0.0.0",
            "[::]",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "[fd00:ec2::254]",
            "[fe80::1]",
            "224.0.0.1",
            "255.255.255.255",
        ] {
            assert_eq!(problem(&destinations, text).await, Some(Refusal::PrivateDestination), "{text}");
        }
        for text in [
            "",
            ":80",
            "a b",
            "a@127.0.0.1",
            "::1",
            "[::1",
            "a..b",
            "a:0",
            "a:65536",
            "a:+80",
            "a:8 0",
            "１２７.0.0.1",
            "%31",
        ] {
            assert_eq!(problem(&destinations, text).await, Some(Refusal::Malformed), "{text}");
        }
        for text in ["8.8.8.8:443", "example.com", "Example.com.:8080", "[2606:4700::1111]:443"] {
            assert_eq!(problem(&destinations, text).await, None, "{text}");
        }
    }

    #[tokio::test]
    async fn a_name_with_one_private_address_is_refused() {
        type Case = (&'static [&'static str], Option<Refusal>);
        let cases: [Case; 6] = [
            (&["127.0.0.1"], Some(Refusal::PrivateDestination)),
            (&["8.8.8.8", "10.0.0.1"], Some(Refusal::PrivateDestination)),
            (&["2606:4700::1111", "::1"], Some(Refusal::PrivateDestination)),
            (&["::ffff:169.254.169.254"], Some(Refusal::PrivateDestination)),
            (&[], Some(Refusal::UnknownHost)),
            (&["8.8.8.8"], None),
        ];
        for (answers, expected) in cases {
            assert_eq!(problem(&destinations(&[], answers), "example.com").await, expected, "{answers:?}");
        }
    }

    #[tokio::test]
    async fn an_exemption_is_precise() {
        let arguments = ["--allow", "127.0.0.1:8080", "--allow", "intranet.example:25"];
        let destinations = destinations(&arguments, &["127.0.0.1"]);
        for text in ["127.0.0.1:8080", "any.example:8080", "intranet.example:25"] {
            assert_eq!(problem(&destinations, text).await, None, "{text}");
        }
        for text in ["127.0.0.1:8081", "127.0.0.2:8080", "intranet.example:80"] {
            assert_eq!(problem(&destinations, text).await, Some(Refusal::PrivateDestination), "{text}");
        }
    }

    #[tokio::test]
    async fn ports_and_domains_are_refused_with_their_subdomains() {
        let refusing = destinations(&["--refuse-domain", "Example.com"], &["8.8.8.8"]);
        for (text, expected) in [
            ("mail.test:25", Some(Refusal::PortNotAllowed)),
            ("example.com:443", Some(Refusal::DomainNotAllowed)),
            ("a.b.EXAMPLE.com.:443", Some(Refusal::DomainNotAllowed)),
            ("notexample.com:443", None),
        ] {
            assert_eq!(problem(&refusing, text).await, expected, "{text}");
        }
        let only = destinations(&["--allow-port", "80,443"], &["8.8.8.8"]);
        assert_eq!(problem(&only, "a.example:443").await, None);
        assert_eq!(problem(&only, "a.example:8443").await, Some(Refusal::PortNotAllowed));
    }

    #[tokio::test]
    async fn names_that_nobody_answers_for_delay_their_account_only() {
        let mut destinations = destinations(&[], &[]);
        destinations.lookup = Arc::new(|name| {
            if name.starts_with("slow") {
                std::thread::sleep(Duration::from_millis(1_500));
            }
            Ok(vec![IpAddr::from([8, 8, 8, 8])])
        });
        let destinations = Arc::new(destinations);
        let look_up = |name: String, account| {
            let destinations = destinations.clone();
            async move {
                let destination = HostPort::parse(&name, Some(80)).expect("a destination");
                destinations.resolve(&destination, Some(account)).await.is_ok()
            }
        };
        for number in 0..MAX_LOOKUPS + 50 {
            tokio::spawn(look_up(format!("slow{number}.example"), 1));
        }
        tokio::task::yield_now().await;
        let quick = tokio::time::timeout(Duration::from_secs(1), look_up("quick.example".to_owned(), 2)).await;
        assert_eq!(quick, Ok(true));
        let waiting = tokio::time::timeout(Duration::from_secs(1), look_up("quick.example".to_owned(), 1)).await;
        assert!(waiting.is_err());
    }

    #[test]
    fn an_upstream_gets_no_private_names_and_numbers() {
        let destinations = destinations(&[], &[]);
        for text in ["localhost", "a.localhost", "router", "2130706433", "127.1", "0x7f.1", "10.0.0.1", "db.internal"] {
            let destination = HostPort::parse(text, Some(80)).expect("a destination");
            assert_eq!(destinations.check_unresolved(&destination), Err(Refusal::PrivateDestination), "{text}");
        }
        let public = HostPort::parse("example.com:443", None).expect("a destination");
        assert_eq!(destinations.check_unresolved(&public), Ok(()));
    }
}
