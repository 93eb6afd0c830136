//! Proxy servers, which carry the traffic. Operators register them, and each has its own secret.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::network::Network;
use crate::rule::Rule;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// What a proxy server serves: rotating residential or static residential proxies.
    ProxyServerKind { Residential = "residential", Static = "static" }
}

pub const SERVER_NAME_MAX_LENGTH: usize = 40;

/// Different wrong passwords that a client may try for one proxy user or node, within `WRONG_PASSWORDS_MINUTES` of the first.
pub const WRONG_PASSWORDS: usize = 10;
pub const WRONG_PASSWORDS_MINUTES: i64 = 15;

const HOST_MAX_LENGTH: usize = 253;

/// A server's nodes are counted up to this number.
pub const MAX_COUNTED_NODES: i64 = 10_000;

/// The maximum number of addresses and networks in one assignment of nodes.
pub const MAX_ASSIGNED: usize = 1_000;

/// A proxy server form, as entered.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct ProxyServerForm {
    /// Unique among the shop's proxy servers: customers select a server by name.
    pub name: String,
    /// `residential` or `static`.
    #[cfg_attr(feature = "openapi", schema(value_type = ProxyServerKind))]
    pub kind: String,
    /// Host name or IP address that customers connect to.
    pub host: String,
    /// 1 to 65535.
    pub http_port: String,
    /// 1 to 65535; empty for none.
    pub socks5_port: String,
}

/// A validated proxy server.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ProxyServer {
    pub name: String,
    pub kind: ProxyServerKind,
    /// Lower case.
    pub host: String,
    pub http_port: u16,
    pub socks5_port: Option<u16>,
}

/// Validates a proxy server. Only the server can check that the name is unique.
pub fn validate_proxy_server(form: &ProxyServerForm) -> Result<ProxyServer, FieldErrors> {
    let mut checks = Checks::default();
    let name = checks.required_line("Name", &form.name, SERVER_NAME_MAX_LENGTH);
    let kind = ProxyServerKind::from_wire(form.kind.trim());
    if kind.is_none() {
        checks.broken("Kind", Rule::UnknownKind, &[]);
    }
    let host = form.host.trim().to_ascii_lowercase();
    if host.is_empty() {
        checks.broken("Host", Rule::Required, &[]);
    } else if !is_host(&host) {
        checks.broken("Host", Rule::EndpointHost, &[("Value", host.chars().take(HOST_MAX_LENGTH).collect())]);
    }
    let http_port = port("HttpPort", &form.http_port, &mut checks);
    if form.http_port.trim().is_empty() {
        checks.broken("HttpPort", Rule::Required, &[]);
    }
    let socks5_port = port("Socks5Port", &form.socks5_port, &mut checks);
    checks.finish(ProxyServer {
        name,
        kind: kind.unwrap_or(ProxyServerKind::Residential),
        host,
        http_port: http_port.unwrap_or(1),
        socks5_port,
    })
}

/// Reads the addresses and networks of nodes to assign, separated by spaces, commas or lines. Errors are at `Addresses`.
pub fn read_assigned(text: &str) -> Result<Vec<Network>, FieldErrors> {
    let words = text.split(|letter: char| letter.is_whitespace() || ",;".contains(letter));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return Err(FieldErrors::one("Addresses", Rule::Required, &[]));
    }
    if words.len() > MAX_ASSIGNED {
        return Err(FieldErrors::one("Addresses", Rule::TooManyItems, &[("Max", MAX_ASSIGNED.to_string())]));
    }
    let network = |word: &str| {
        let shown = || word.chars().take(HOST_MAX_LENGTH).collect();
        Network::parse(word).map_err(|_| FieldErrors::one("Addresses", Rule::NoNetwork, &[("Value", shown())]))
    };
    words.into_iter().map(network).collect()
}

/// Whether this is a host name of letters, digits, `-` and dots, or an IP address (IPv6 without brackets).
fn is_host(host: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    host.parse::<std::net::IpAddr>().is_ok()
        || (host.len() <= HOST_MAX_LENGTH
            && host.split('.').all(is_label)
            // Digits and dots that are not an IPv4 address are a mistyped one.
            && !host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

fn port(field: &str, text: &str, checks: &mut Checks) -> Option<u16> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let port = text.parse::<u16>().ok().filter(|port| *port > 0 && text.bytes().all(|byte| byte.is_ascii_digit()));
    if port.is_none() {
        checks.broken(field, Rule::Port, &[]);
    }
    port
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    #[test]
    fn an_unreachable_proxy_server_is_rejected_at_its_field() {
        assert_eq!(
            rules(validate_proxy_server(&ProxyServerForm::default()).expect_err("errors")),
            ["Host:required", "HttpPort:required", "Kind:unknownKind", "Name:required"]
        );
        for host in ["http://a.example", "a..example", "-a.example", "a b", "1.2.3", "1.2.3.256", "a:80", "[::1]", "a/"]
        {
            let form = ProxyServerForm {
                name: "eu-1".into(),
                kind: "residential".into(),
                host: host.into(),
                http_port: "65536".into(),
                socks5_port: "+1".into(),
            };
            assert_eq!(
                rules(validate_proxy_server(&form).expect_err("errors")),
                [format!("Host:endpointHost {host}"), "HttpPort:port".into(), "Socks5Port:port".into()]
            );
        }
    }

    #[test]
    fn assigned_nodes_are_addresses_and_networks_in_any_list() {
        let read = |text: &str| read_assigned(text).map(|all| all.iter().map(Network::to_string).collect::<Vec<_>>());
        for (text, rule) in [
            ("", "Addresses:required"),
            (" ,\n", "Addresses:required"),
            ("203.0.113.7 203.0.113", "Addresses:noNetwork 203.0.113"),
            ("203.0.113.0/33", "Addresses:noNetwork 203.0.113.0/33"),
            ("gate.example", "Addresses:noNetwork gate.example"),
            (&"203.0.113.7 ".repeat(1_001), "Addresses:tooManyItems 1000"),
        ] {
            assert_eq!(rules(read(text).expect_err(text)), [rule]);
        }
        let expected = ["203.0.113.7", "198.51.100.0/24", "2001:db8::/48", "192.0.2.1"];
        let all = read("203.0.113.7, 198.51.100.9/24;2001:db8::1/48\r\n\n\t::ffff:192.0.2.1").expect("networks");
        assert_eq!(all, expected);
    }

    #[test]
    fn a_proxy_server_is_stored_with_host_and_ports() {
        for host in ["Gate.Example.com", "localhost", "203.0.113.7", "2001:db8::7", "eu-1.gate.example"] {
            let form = ProxyServerForm {
                name: " EU 1 ".into(),
                kind: "static".into(),
                host: host.into(),
                http_port: "8000".into(),
                socks5_port: String::new(),
            };
            let kept = validate_proxy_server(&form).expect("a proxy server");
            assert_eq!((kept.name.as_str(), kept.http_port, kept.socks5_port), ("EU 1", 8_000, None));
            assert_eq!((kept.kind, kept.host), (ProxyServerKind::Static, host.to_lowercase()));
        }
    }
}
