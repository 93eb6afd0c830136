//! A host with a port.
use crate::refusal::Refusal;
use postern_core::web_address::Host;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

const HOST_MAX_LENGTH: usize = 253;

/// A host and a port, as a client or a setting names them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HostPort {
    pub host: Host,
    pub port: u16,
}

impl HostPort {
    /// Reads a host: a name of letters, digits, `-`, `_` and dots, or an address, IPv6 with or without brackets.
    pub fn new(host: &str, port: u16) -> Result<HostPort, Refusal> {
        if port == 0 {
            return Err(Refusal::Malformed);
        }
        let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
        if let Ok(address) = bare.parse::<IpAddr>() {
            return Ok(HostPort { host: Host::Address(address.to_canonical()), port });
        }
        let name = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
        // `127.0.0.1.` is an address, too.
        if let Ok(address) = name.parse::<Ipv4Addr>() {
            return Ok(HostPort { host: Host::Address(address.into()), port });
        }
        let is_name = (1..=HOST_MAX_LENGTH).contains(&name.len())
            && name.split('.').all(|label| (1..=63).contains(&label.len()))
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
        if is_name { Ok(HostPort { host: Host::Name(name), port }) } else { Err(Refusal::Malformed) }
    }

    /// Reads `host:port`, or `host` if there is a port by default.
    pub fn parse(text: &str, default_port: Option<u16>) -> Result<HostPort, Refusal> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (text, None),
        };
        if host.contains(':') && !host.starts_with('[') {
            return Err(Refusal::Malformed);
        }
        let port = match port {
            None => default_port,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok(),
            Some(_) => None,
        };
        HostPort::new(host, port.ok_or(Refusal::Malformed)?)
    }
}

impl FromStr for HostPort {
    type Err = String;

    fn from_str(text: &str) -> Result<HostPort, String> {
        HostPort::parse(text, None).map_err(|_| format!("not host:port: {text}"))
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host {
            Host::Address(IpAddr::V6(address)) => write!(formatter, "[{address}]:{}", self.port),
            _ => write!(formatter, "{}:{}", self.host, self.port),
        }
    }
}
