//! Protection against SSRF: checks which endpoints may be called on behalf of customers. Every resolved address is checked, and the connection goes
//! to the checked address.
//!
//! The guard is the client's DNS resolver and is asked at each connection, so a name that changes its answer (DNS rebinding) cannot lead elsewhere.
//! IP addresses in URLs are never resolved, so they are checked before.
use postern_core::network::Network;
use postern_core::web_address::{Host, WebAddress};
use postern_core::webhook::{Reach, reach_of};
use postern_core::webhook_delivery::DeliveryProblem;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::fmt;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

/// Timeout of the lookup when a webhook is saved: the user waits for it.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(3);

/// Resolves a name.
type Lookup = Arc<dyn Fn(&str) -> std::io::Result<Vec<IpAddr>> + Send + Sync>;

#[derive(Clone)]
pub struct Guard {
    lookup: Lookup,
    test_hosts: Arc<[String]>,
}

/// Why an endpoint must not be called.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Blocked(pub DeliveryProblem);

impl fmt::Display for Blocked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the host is blocked: {}", self.0.as_str())
    }
}

impl std::error::Error for Blocked {}

impl Guard {
    /// A guard with the system's resolver. Test hosts may have any address.
    pub fn new(test_hosts: &[String]) -> Guard {
        let ask_system = |name: &str| Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect());
        Guard { lookup: Arc::new(ask_system), test_hosts: test_hosts.into() }
    }

    pub fn test_hosts(&self) -> &[String] {
        &self.test_hosts
    }

    pub fn reach(&self, url: &str) -> Reach {
        reach_of(url, &self.test_hosts)
    }

    /// The URL as the client will parse it, unless it must not be called. It was checked when it was saved, but rules and settings may have changed
    /// since.
    pub fn admit(&self, url: &str) -> Result<Url, Blocked> {
        let private = Blocked(DeliveryProblem::PrivateAddress);
        let address = WebAddress::parse(url).map_err(|_| private)?;
        let read = Url::parse(url).map_err(|_| private)?;
        let host = read.host_str().unwrap_or_default().trim_matches(['[', ']']).trim_end_matches('.');
        let is_same = match &address.host {
            Host::Name(name) => name == host,
            Host::Address(address) => host.parse() == Ok(*address),
        };
        let is_allowed = self.reach(url) == Reach::Anywhere || (address.is_https && address.host.is_public());
        if is_same && is_allowed && !address.has_credentials { Ok(read) } else { Err(private) }
    }

    /// The addresses of a name, all of them public.
    async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, Blocked> {
        let (lookup, asked) = (self.lookup.clone(), name.to_owned());
        let found = tokio::task::spawn_blocking(move || lookup(&asked)).await;
        let found = found.ok().and_then(Result::ok).unwrap_or_default();
        if found.is_empty() {
            return Err(Blocked(DeliveryProblem::NotFound));
        }
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        let is_test_host = self.test_hosts.contains(&name);
        if is_test_host || found.iter().all(|address| Network::of(*address).is_public()) {
            return Ok(found);
        }
        Err(Blocked(DeliveryProblem::PrivateAddress))
    }

    /// Whether a webhook's host resolves to an address that must not be called, when it is saved. An unknown name is accepted: it may exist later.
    pub async fn is_private(&self, url: &str) -> bool {
        if self.admit(url).is_err() {
            return true;
        }
        match WebAddress::parse(url).map(|address| address.host) {
            Ok(Host::Name(name)) => {
                let found = tokio::time::timeout(LOOKUP_TIMEOUT, self.addresses(&name)).await;
                matches!(found, Ok(Err(Blocked(DeliveryProblem::PrivateAddress))))
            }
            _ => false,
        }
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            let found = guard.addresses(name.as_str()).await?;
            Ok(Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
        })
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A guard whose resolver returns these answers in turn, and repeats the last one.
    pub fn answering(test_hosts: &[&str], answers: &'static [&'static [&'static str]]) -> Guard {
        let asked = AtomicUsize::new(0);
        let lookup = move |_: &str| {
            let turn = asked.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
            Ok(answers[turn].iter().map(|address| address.parse().expect("an address")).collect())
        };
        let test_hosts: Vec<String> = test_hosts.iter().map(|host| (*host).to_owned()).collect();
        Guard { lookup: Arc::new(lookup), test_hosts: test_hosts.into() }
    }

    #[test]
    fn no_spelling_of_a_private_address_is_admitted() {
        let guard = answering(&[], &[&["8.8.8.8"]]);
        for host in [
            "127.0.0.1",
            "127.1",
            "127.0.0.1.",
            "2130706433",
            "0x7f000001",
            "0x7f.0.0.1",
            "017700000001",
            "0177.0.0.1",
            "0",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "169.254.169.254",
            "168.63.129.16",
            "[::]",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "[fd00:ec2::254]",
            "[fe80::1]",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "metadata.google.internal",
            "router",
            "user@8.8.8.8",
            "8.8.8.8@127.0.0.1",
            "8.8.8.8%23@127.0.0.1",
            "１２７.0.0.1",
            "127。0。0。1",
            "%31%32%37.0.0.1",
        ] {
            assert_eq!(
                guard.admit(&format!("https://{host}/hook")),
                Err(Blocked(DeliveryProblem::PrivateAddress)),
                "{host}"
            );
        }
        for url in
            ["http://hooks.example.com/", "ftp://hooks.example.com/", "file:///etc/passwd", "https://a\\@127.0.0.1/"]
        {
            assert!(guard.admit(url).is_err(), "{url}");
        }
        for host in ["hooks.example.com", "Hooks.Example.COM:8443", "8.8.8.8", "[2606:4700::1111]"] {
            assert!(guard.admit(&format!("https://{host}/hook?a=b")).is_ok(), "{host}");
        }
    }

    #[actix_web::test]
    async fn a_name_with_one_private_address_is_refused() {
        type Case = (&'static [&'static [&'static str]], Option<DeliveryProblem>);
        let cases: [Case; 6] = [
            (&[&["127.0.0.1"]], Some(DeliveryProblem::PrivateAddress)),
            (&[&["8.8.8.8", "10.0.0.1"]], Some(DeliveryProblem::PrivateAddress)),
            (&[&["2606:4700::1111", "::1"]], Some(DeliveryProblem::PrivateAddress)),
            (&[&["::ffff:169.254.169.254"]], Some(DeliveryProblem::PrivateAddress)),
            (&[&[]], Some(DeliveryProblem::NotFound)),
            (&[&["8.8.8.8", "2606:4700::1111"]], None),
        ];
        for (answers, problem) in cases {
            let found = answering(&[], answers).addresses("hooks.example.com").await;
            assert_eq!(found.err().map(|blocked| blocked.0), problem, "{answers:?}");
        }
        assert!(answering(&["hooks.test"], &[&["127.0.0.1"]]).addresses("hooks.test.").await.is_ok());
    }

    #[actix_web::test]
    async fn hosts_are_resolved_when_saved_except_test_hosts() {
        let guard = |answers| answering(&["hooks.test", "127.0.0.1"], answers);
        assert!(guard(&[&["127.0.0.1"]]).is_private("https://hooks.example.com/").await);
        assert!(!guard(&[&[]]).is_private("https://hooks.example.com/").await);
        assert!(!guard(&[&["8.8.8.8"]]).is_private("https://hooks.example.com/").await);
        for (url, is_private) in [
            ("http://hooks.test:9000/", false),
            ("http://127.0.0.1:9000/", false),
            ("http://127.0.0.2:9000/", true),
            ("https://[::1]/", true),
        ] {
            assert_eq!(guard(&[&["127.0.0.1"]]).is_private(url).await, is_private, "{url}");
        }
    }
}
