//! The settings, as arguments or as variables `POSTERN_GATE_…`.
use crate::host_port::HostPort;
use clap::Parser;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// A proxy server for a Postern shop: HTTP and SOCKS5 on each port, for whom the shop admits.
#[derive(Clone, Debug, Parser)]
#[command(name = "postern-gate", version)]
pub struct Settings {
    /// The shop's address, such as https://shop.example.com
    #[arg(long, env = "POSTERN_GATE_URL")]
    pub url: String,
    /// A file with the secret that the shop showed when this server was registered
    #[arg(long, env = "POSTERN_GATE_SECRET_FILE")]
    pub secret_file: PathBuf,
    /// An address and port for clients; may be given several times
    #[arg(long, env = "POSTERN_GATE_LISTEN", value_delimiter = ',', required = true)]
    pub listen: Vec<SocketAddr>,
    /// A folder for traffic that is counted and not yet reported
    #[arg(long, env = "POSTERN_GATE_SPOOL")]
    pub spool: PathBuf,
    /// Close connections that do not come from this machine (for a demo)
    #[arg(long, env = "POSTERN_GATE_ONLY_LOOPBACK")]
    pub only_loopback: bool,
    /// A destination, as host:port, that is allowed although its address or port is not
    #[arg(long, env = "POSTERN_GATE_ALLOW", value_delimiter = ',')]
    pub allow: Vec<HostPort>,
    /// A port that no destination may have
    #[arg(long, env = "POSTERN_GATE_REFUSE_PORT", value_delimiter = ',', default_value = "25")]
    pub refuse_port: Vec<u16>,
    /// If given: the only ports that destinations may have
    #[arg(long, env = "POSTERN_GATE_ALLOW_PORT", value_delimiter = ',')]
    pub allow_port: Vec<u16>,
    /// A domain to which, and to whose subdomains, nobody may connect
    #[arg(long, env = "POSTERN_GATE_REFUSE_DOMAIN", value_delimiter = ',')]
    pub refuse_domain: Vec<String>,
    /// Behind NAT, a file with a line `public = private` for each address
    #[arg(long, env = "POSTERN_GATE_ADDRESSES")]
    pub addresses: Option<PathBuf>,
    /// For residential proxies without upstreams: an address of this machine by which traffic leaves; may be given several times
    #[arg(long, env = "POSTERN_GATE_EXIT", value_delimiter = ',')]
    pub exit: Vec<IpAddr>,
    /// For residential proxies: a file of upstreams through which traffic leaves
    #[arg(long, env = "POSTERN_GATE_UPSTREAMS", conflicts_with = "exit")]
    pub upstreams: Option<PathBuf>,
    /// For how long those whom the shop allowed go on while it does not answer
    #[arg(long, env = "POSTERN_GATE_GRACE_SECONDS", default_value_t = 600)]
    pub grace_seconds: u64,
    /// The maximum number of open connections of one client address
    #[arg(long, env = "POSTERN_GATE_CONNECTIONS_PER_CLIENT", default_value_t = 500)]
    pub connections_per_client: usize,
    /// For how long open connections may go on after SIGTERM
    #[arg(long, env = "POSTERN_GATE_DRAIN_SECONDS", default_value_t = 30)]
    pub drain_seconds: u64,
    /// An address and port for /health and /metrics
    #[arg(long, env = "POSTERN_GATE_METRICS")]
    pub metrics: Option<SocketAddr>,
}
