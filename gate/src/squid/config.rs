//! `squid-config`: prints a configuration with which Squid serves this server's nodes or proxy users.
use crate::addresses::AddressMap;
use crate::host_port::HostPort;
use crate::squid::configuration::{Configuration, Listening};
use crate::squid::log_line;
use crate::squid::shop_settings::ShopSettings;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use postern_core::proxy_protocol::ServedNode;
use postern_core::proxy_server::ProxyServerKind;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Args)]
pub struct ConfigSettings {
    #[command(flatten)]
    shop: ShopSettings,
    /// Behind NAT, a file with a line `public = private` for each address
    #[arg(long, env = "POSTERN_GATE_ADDRESSES")]
    addresses: Option<PathBuf>,
    /// For residential proxies: an address and port for clients; may be given several times. Those of static proxies are the nodes'
    #[arg(long, env = "POSTERN_GATE_LISTEN", value_delimiter = ',')]
    listen: Vec<SocketAddr>,
    /// The log with the traffic
    #[arg(long, env = "POSTERN_GATE_LOG", default_value = log_line::LOG)]
    log: PathBuf,
    /// A destination, as host:port, that is allowed although its address or port is not
    #[arg(long, env = "POSTERN_GATE_ALLOW", value_delimiter = ',')]
    allow: Vec<HostPort>,
    /// A port that no destination may have
    #[arg(long, env = "POSTERN_GATE_REFUSE_PORT", value_delimiter = ',', default_value = "25")]
    refuse_port: Vec<u16>,
    /// For how long those whom the shop allowed go on while it does not answer
    #[arg(long, env = "POSTERN_GATE_GRACE_SECONDS", default_value_t = 600)]
    grace_seconds: u64,
}

pub async fn run(settings: ConfigSettings) -> Result<()> {
    let shop = settings.shop.shop()?;
    let registration = shop.describe().await?;
    let addresses = settings.addresses.as_deref().map(AddressMap::read).transpose()?.unwrap_or_default();
    let listening = match registration.kind {
        ProxyServerKind::Static => {
            ensure!(
                settings.listen.is_empty(),
                "--listen is for residential proxies: those of static ones are the nodes'"
            );
            nodes(&shop.nodes().await?, &addresses)?
        }
        ProxyServerKind::Residential => {
            ensure!(
                !settings.listen.is_empty(),
                "--listen is missing: an address and port for clients, such as 0.0.0.0:8000"
            );
            Listening::At(settings.listen.clone())
        }
    };
    let configuration = Configuration {
        server: registration.name,
        listening,
        helper: helper(&settings, registration.kind)?,
        log: word(&absolute(&settings.log)?)?,
        allow: settings.allow,
        refuse_port: settings.refuse_port,
        printed_at: chrono::Utc::now(),
    };
    print!("{configuration}");
    Ok(())
}

/// The ports and the local addresses of static proxies.
fn nodes(nodes: &[ServedNode], map: &AddressMap) -> Result<Listening> {
    let (mut ports, mut public_by_private) = (BTreeSet::new(), BTreeMap::new());
    for node in nodes {
        let public: IpAddr = node.ip.parse().with_context(|| format!("the shop names a node {}", node.ip))?;
        let public = public.to_canonical();
        ports.insert(node.http_port);
        public_by_private.extend(map.private_of(public).into_iter().map(|private| (private, public)));
    }
    if public_by_private.is_empty() {
        bail!("this server has no nodes in the shop: import them first");
    }
    let with_socks5 = nodes.iter().filter(|node| node.socks5_port.is_some()).count();
    Ok(Listening::Nodes { ports, public_by_private, with_socks5 })
}

/// The command with which Squid asks about clients.
fn helper(settings: &ConfigSettings, kind: ProxyServerKind) -> Result<String> {
    let program = std::env::current_exe().context("finding this program")?;
    let secret_file = absolute(&settings.shop.secret_file)?;
    let mut words = vec![word(&program)?, "squid-auth".into(), "--url".into(), plain(&settings.shop.url)?.to_owned()];
    words.extend(["--secret-file".into(), word(&secret_file)?, "--kind".into(), kind.as_str().into()]);
    words.extend(["--grace-seconds".into(), settings.grace_seconds.to_string()]);
    if let Some(addresses) = &settings.addresses {
        words.extend(["--addresses".into(), word(&absolute(addresses)?)?]);
    }
    Ok(words.join(" "))
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("finding {}", path.display()))
}

fn word(path: &Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    plain(text).map(str::to_owned)
}

/// A text that Squid's configuration reads as one word, as it is.
fn plain(text: &str) -> Result<&str> {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-+:@~[]=,?&".contains(character);
    ensure!(!text.is_empty() && text.chars().all(is_plain), "Squid's configuration cannot hold this: {text}");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(ip: &str, http_port: u16) -> ServedNode {
        ServedNode { ip: ip.into(), http_port, socks5_port: Some(1_080) }
    }

    #[test]
    fn nodes_are_reached_by_the_addresses_of_the_machine() {
        let map = AddressMap::parse("8.8.8.8 = 10.0.0.8\n8.8.4.4 = 10.0.0.4").expect("a map");
        let Listening::Nodes { ports, public_by_private, with_socks5 } =
            nodes(&[node("8.8.8.8", 8_000), node("9.9.9.9", 8_001), node("8.8.4.4", 8_000)], &map).expect("nodes")
        else {
            panic!("nodes expected");
        };
        let private: Vec<String> = public_by_private.keys().map(IpAddr::to_string).collect();
        assert_eq!(private, ["9.9.9.9", "10.0.0.4", "10.0.0.8"]);
        assert_eq!((ports.into_iter().collect::<Vec<_>>(), with_socks5), (vec![8_000, 8_001], 3));
        assert!(nodes(&[], &map).is_err());
        assert!(nodes(&[node("host", 8_000)], &map).is_err());
    }

    #[test]
    fn texts_that_squid_would_read_otherwise_are_refused() {
        for text in ["", "/a b", "/a\nhttp_access allow all", "/a#b", "\"/a\"", "/a'", "/a\\", "/a$b", "/a%b", "/a{b}"]
        {
            assert!(plain(text).is_err(), "{text}");
        }
        for text in ["/etc/postern-gate/secret", "https://shop.example:8443/a", "http://[::1]:80"] {
            assert!(plain(text).is_ok(), "{text}");
        }
    }
}
