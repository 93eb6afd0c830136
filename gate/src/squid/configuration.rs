//! The text of Squid's configuration.
use crate::host_port::HostPort;
use crate::squid::destinations::{CLOSED_IPV4, CLOSED_IPV6};
use crate::squid::{log_line, question};
use chrono::{DateTime, Utc};
use postern_core::web_address::Host;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Formatter, Result};
use std::net::{IpAddr, SocketAddr};

/// How many addresses stand in one line.
const ADDRESSES_IN_LINE: usize = 20;

/// Where clients connect to.
pub enum Listening {
    /// Residential proxies.
    At(Vec<SocketAddr>),
    /// Static ones: each address of the machine is a node, and the exit of those who connect to it.
    Nodes { ports: BTreeSet<u16>, public_by_private: BTreeMap<IpAddr, IpAddr>, with_socks5: usize },
}

pub struct Configuration {
    /// The server's name in the shop.
    pub server: String,
    pub listening: Listening,
    /// The command that answers questions.
    pub helper: String,
    pub log: String,
    pub allow: Vec<HostPort>,
    pub refuse_port: Vec<u16>,
    pub printed_at: DateTime<Utc>,
}

impl fmt::Display for Configuration {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        self.introduction(out)?;
        self.listening(out)?;
        self.access(out)?;
        self.destinations(out)?;
        out.write_str(PRIVACY)?;
        self.counting(out)?;
        out.write_str(BOUNDS)
    }
}

impl Configuration {
    fn introduction(&self, out: &mut Formatter<'_>) -> Result {
        // The name is the operator's text.
        let name: String = self.server.chars().filter(|character| !character.is_control()).collect();
        let at = self.printed_at.format("%Y-%m-%d %H:%M UTC");
        writeln!(out, "# Squid for the proxy server \"{name}\", printed by postern-gate squid-config on {at}.")?;
        out.write_str(INTRODUCTION)?;
        if let Listening::Nodes { public_by_private, with_socks5, .. } = &self.listening {
            writeln!(
                out,
                "#\n# Nodes: {}. Print this again after an import, then: squid -k reconfigure",
                public_by_private.len()
            )?;
            if *with_socks5 > 0 {
                writeln!(out, "# {with_socks5} of them are sold with a SOCKS5 port, on which Squid answers nothing.")?;
            }
        }
        Ok(())
    }

    fn listening(&self, out: &mut Formatter<'_>) -> Result {
        writeln!(out)?;
        match &self.listening {
            Listening::At(addresses) => addresses.iter().try_for_each(|address| writeln!(out, "http_port {address}")),
            Listening::Nodes { ports, public_by_private, .. } => {
                writeln!(out, "# Ports for all addresses: Squid has room for 128 lines http_port.")?;
                ports.iter().try_for_each(|port| writeln!(out, "http_port {port}"))?;
                writeln!(out, "\n# The address that a client dialled is its node, and its exit.")?;
                let local: Vec<&IpAddr> = public_by_private.keys().collect();
                addresses(out, "acl nodes localip", &local)?;
                for (index, address) in local.iter().enumerate() {
                    writeln!(out, "acl n{index} localip {address}\ntcp_outgoing_address {address} n{index}")?;
                }
                // Otherwise traffic of an IPv4 node to an IPv6 destination would leave by an address that is nobody's node.
                writeln!(out, "# No other address of this machine is an exit: from these, nothing is reached.")?;
                writeln!(out, "tcp_outgoing_address 127.0.0.1\ntcp_outgoing_address ::1")
            }
        }
    }

    fn access(&self, out: &mut Formatter<'_>) -> Result {
        let (status, error) = (question::STATUS, question::ERROR);
        writeln!(out, "\n# Who may connect: the shop says it. The command keeps its answers for as long as it may.")?;
        writeln!(
            out,
            "external_acl_type postern ttl=1 negative_ttl=1 grace=0 cache=65536 concurrency=10000 queue-size=10000 \
             children-max=1 children-startup=1 children-idle=1 {} {}",
            question::FORMAT,
            self.helper
        )?;
        writeln!(out, "acl admitted external postern")?;
        writeln!(
            out,
            "acl wants_credentials note {status} 407\nacl shop_away note {status} 503\nacl is_refused note {error}"
        )?;
        out.write_str(RESPONSES)?;
        writeln!(out, "reply_header_add X-Proxy-Error \"%note{{{error}}}\" is_refused")
    }

    fn destinations(&self, out: &mut Formatter<'_>) -> Result {
        writeln!(out, "\n# Where to: tunnels and plain HTTP, to public addresses.\nacl plain_http proto HTTP")?;
        let mut rules = String::from(RULES);
        if let Listening::Nodes { public_by_private, .. } = &self.listening {
            let both: BTreeSet<&IpAddr> =
                public_by_private.iter().flat_map(|(private, public)| [private, public]).collect();
            addresses(out, "acl own_addresses dst", &both.into_iter().collect::<Vec<_>>())?;
            rules = format!("http_access deny !nodes\n{rules}");
        }
        for list in [CLOSED_IPV4, CLOSED_IPV6] {
            writeln!(out, "acl closed dst {list}")?;
        }
        for (index, HostPort { host, port }) in self.allow.iter().enumerate() {
            match host {
                Host::Address(address) => writeln!(out, "acl allowed{index} dst {address}")?,
                Host::Name(name) => writeln!(out, "acl allowed{index} dstdomain {name}")?,
            }
            writeln!(out, "acl allowed{index}_port port {port}")?;
            rules += &format!("http_access allow allowed{index} allowed{index}_port\n");
        }
        for port in &self.refuse_port {
            writeln!(out, "acl closed_ports port {port}")?;
        }
        if !self.refuse_port.is_empty() {
            rules += "http_access deny closed_ports\n";
        }
        if matches!(self.listening, Listening::Nodes { .. }) {
            rules += "http_access deny own_addresses\n";
        }
        writeln!(out, "\n{rules}http_access deny closed\nhttp_access allow all")
    }

    fn counting(&self, out: &mut Formatter<'_>) -> Result {
        writeln!(out, "\n# What postern-gate squid-usage reports.")?;
        writeln!(out, "logformat postern {} {}", log_line::NAME, log_line::FORMAT)?;
        writeln!(out, "access_log stdio:{} logformat=postern", self.log)?;
        writeln!(out, "# logrotate renames the log.\nlogfile_rotate 0")
    }
}

/// Lines that begin with the same words and name all these addresses.
fn addresses(out: &mut Formatter<'_>, begin: &str, all: &[&IpAddr]) -> Result {
    all.chunks(ADDRESSES_IN_LINE).try_for_each(|some| {
        let texts: Vec<String> = some.iter().map(ToString::to_string).collect();
        writeln!(out, "{begin} {}", texts.join(" "))
    })
}

const INTRODUCTION: &str = "\
#
# What Squid cannot do, and postern-gate can:
# - SOCKS5.
# - End a tunnel at expiry, at an exhausted limit or after a pause: while it is used, only its ends or a restart of Squid end it.
# - Count a tunnel before it closes: until then, its bytes are neither charted nor part of any limit.
# - Choose an exit by country or session, or use upstreams.
";

const RESPONSES: &str = "\
deny_info 407:ERR_CACHE_ACCESS_DENIED wants_credentials
deny_info 503:ERR_CANNOT_FORWARD shop_away
reply_header_add Proxy-Authenticate \"Basic realm=\\\"proxy\\\"\" wants_credentials
";

const RULES: &str = "\
http_access deny manager
http_access deny !CONNECT !plain_http
http_access deny !admitted wants_credentials
http_access deny !admitted shop_away
http_access deny !admitted
";

const PRIVACY: &str = "
# Nothing tells destinations that there is a proxy, and nothing is stored.
via off
forwarded_for delete
acl names_cache_control req_header Cache-Control .
request_header_access Cache-Control deny !names_cache_control
request_header_access Proxy-Authorization deny all
reply_header_access X-Cache deny all
reply_header_access X-Cache-Lookup deny all
reply_header_access X-Squid-Error deny all
httpd_suppress_version_string on
visible_hostname proxy
cache deny all
cache_mem 8 MB
digest_generation off
server_persistent_connections off
";

const BOUNDS: &str = "
request_header_max_size 32 KB
request_timeout 10 seconds
client_idle_pconn_timeout 10 seconds
connect_timeout 10 seconds
forward_timeout 20 seconds
read_timeout 5 minutes
dns_timeout 5 seconds
client_ip_max_connections 500
quick_abort_min 0 KB
quick_abort_max 0 KB
eui_lookup off
pinger_enable off
max_filedescriptors 65536
# For plain HTTP, and for tunnels until their first bytes: those of a tunnel put its end off.
client_lifetime 60 minutes
# A restart ends all tunnels, and logs them.
shutdown_lifetime 2 seconds
";
