//! Parses web addresses into scheme, host and port. Names are not resolved here.
use crate::network::Network;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

pub const ADDRESS_MAX_LENGTH: usize = 2_000;

/// Domains that are never public (RFC 6761, RFC 8375, RFC 7686, and common private ones).
const PRIVATE_SUFFIXES: &[&str] = &[
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "private",
    "corp",
    "lan",
    "home",
    "home.arpa",
    "test",
    "invalid",
    "onion",
    "alt",
];

/// The host of an address.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Host {
    /// Lower case, without a trailing dot.
    Name(String),
    Address(IpAddr),
}

impl Host {
    /// Whether this could be a public host. A name must also be resolved for every request, and its addresses checked with
    /// `Network::is_public`.
    pub fn is_public(&self) -> bool {
        match self {
            Host::Address(address) => Network::of(*address).is_public(),
            Host::Name(name) => {
                let is_below = |suffix: &&str| {
                    name.strip_suffix(*suffix).is_some_and(|before| before.is_empty() || before.ends_with('.'))
                };
                name.as_bytes().contains(&b'.') && !PRIVATE_SUFFIXES.iter().any(is_below)
            }
        }
    }
}

/// Formats IPv6 addresses without brackets.
impl fmt::Display for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Name(name) => formatter.write_str(name),
            Host::Address(address) => write!(formatter, "{address}"),
        }
    }
}

/// A parsed absolute http or https address.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WebAddress {
    pub is_https: bool,
    pub host: Host,
    /// The explicit port, or the scheme's default.
    pub port: u16,
    /// Whether it contains a user name or a password.
    pub has_credentials: bool,
    pub has_fragment: bool,
}

/// Why a text is not a valid web address.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum WebAddressError {
    TooLong,
    /// Neither http nor https.
    Scheme,
    Malformed,
}

impl WebAddress {
    /// Parses strictly: printable ASCII without backslashes, valid labels, IPv4 only as four decimal parts, so that all parsers agree on
    /// the host.
    pub fn parse(text: &str) -> Result<WebAddress, WebAddressError> {
        if text.len() > ADDRESS_MAX_LENGTH {
            return Err(WebAddressError::TooLong);
        }
        let (scheme, rest) = text.split_once(':').ok_or(WebAddressError::Scheme)?;
        let rest = rest.strip_prefix("//").ok_or(WebAddressError::Scheme)?;
        let is_https = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return Err(WebAddressError::Scheme),
        };
        if !text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'"' | b'<' | b'>' | b'^' | b'`'))
        {
            return Err(WebAddressError::Malformed);
        }
        let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
        let (has_credentials, host_and_port) = match authority.rsplit_once('@') {
            Some((_, after)) => (true, after),
            None => (false, authority),
        };
        let (host, port) = split_port(host_and_port)?;
        let port = match port {
            None => {
                if is_https {
                    443
                } else {
                    80
                }
            }
            Some(digits) => read_port(digits)?,
        };
        Ok(WebAddress {
            is_https,
            host: read_host(host)?,
            port,
            has_credentials,
            has_fragment: rest.as_bytes().contains(&b'#'),
        })
    }
}

/// The host, with any brackets, and the part after the colon.
fn split_port(text: &str) -> Result<(&str, Option<&str>), WebAddressError> {
    if let Some(end) = text.find(']') {
        let (host, after) = text.split_at(end + 1);
        return match after.strip_prefix(':') {
            Some(port) => Ok((host, Some(port))),
            None if after.is_empty() => Ok((host, None)),
            None => Err(WebAddressError::Malformed),
        };
    }
    Ok(text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))))
}

fn read_port(digits: &str) -> Result<u16, WebAddressError> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let port = is_number.then(|| digits.parse().ok()).flatten();
    port.filter(|port| *port > 0).ok_or(WebAddressError::Malformed)
}

fn read_host(text: &str) -> Result<Host, WebAddressError> {
    if let Some(inside) = text.strip_prefix('[') {
        let address = inside.strip_suffix(']').and_then(|inside| inside.parse::<Ipv6Addr>().ok());
        return address.map(|address| Host::Address(address.into())).ok_or(WebAddressError::Malformed);
    }
    let name = text.to_ascii_lowercase();
    let name = name.strip_suffix('.').unwrap_or(&name);
    let label_is_fine = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if name.len() > 253 || !name.split('.').all(label_is_fine) {
        return Err(WebAddressError::Malformed);
    }
    // Browsers and libraries parse a host whose last label is numeric as IPv4, in one of its legacy notations.
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_hexadecimal =
        last.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if last.bytes().all(|byte| byte.is_ascii_digit()) || is_hexadecimal {
        let address = name.parse::<Ipv4Addr>().map_err(|_| WebAddressError::Malformed)?;
        return Ok(Host::Address(address.into()));
    }
    Ok(Host::Name(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_an_ambiguous_host_are_rejected() {
        for text in [
            "https://",
            "https:///path",
            "https://a b.example.com",
            "https://exa\\mple.com",
            "https://example.com\t",
            "https://-a.example.com",
            "https://a-.example.com",
            "https://a..example.com",
            "https://exa_mple.com",
            "https://пример.example",
            "https://example.com:",
            "https://example.com:0",
            "https://example.com:65536",
            "https://example.com:+80",
            "https://example.com:80:80",
            "https://[::1",
            "https://[::1]x",
            "https://[fe80::1%25eth0]",
            "https://::1/",
            "https://2130706433",
            "https://0x7f000001",
            "https://127.1",
            "https://0177.0.0.1",
            "https://1.2.3.4.5",
            "https://1.2.3.256",
            "https://example.0x10",
            "https://%31%32%37.0.0.1",
        ] {
            assert_eq!(WebAddress::parse(text), Err(WebAddressError::Malformed), "{text}");
        }
        for text in
            ["", "example.com", "ftp://example.com", "javascript:alert(1)", "//example.com", "https:/example.com"]
        {
            assert_eq!(WebAddress::parse(text), Err(WebAddressError::Scheme), "{text}");
        }
        let long = format!("https://example.com/{}", "a".repeat(1_981));
        assert_eq!(WebAddress::parse(&long), Err(WebAddressError::TooLong));
        assert!(WebAddress::parse(&long[..2_000]).is_ok());
    }

    #[test]
    fn an_address_is_parsed_into_its_parts() {
        let address = WebAddress::parse("HTTPS://ann:secret@Hooks.Example.COM.:8443/a?b=c@d#e").expect("an address");
        let host = Host::Name("hooks.example.com".into());
        assert_eq!(
            address,
            WebAddress { is_https: true, host, port: 8_443, has_credentials: true, has_fragment: true }
        );
        let address = WebAddress::parse("http://[2606:4700::1111]?x=@").expect("an address");
        assert_eq!((address.is_https, address.port, address.has_credentials), (false, 80, false));
        assert_eq!(address.host, Host::Address("2606:4700::1111".parse().expect("an address")));
    }

    #[test]
    fn only_hosts_on_the_public_internet_are_public() {
        for (host, is_public) in [
            ("example.com", true),
            ("localhost.example.com", true),
            ("mylocal.io", true),
            ("localhost", false),
            ("LOCALHOST.", false),
            ("db", false),
            ("a.localhost", false),
            ("printer.local", false),
            ("metadata.google.internal", false),
            ("router.home.arpa", false),
            ("8.8.8.8", true),
            ("100.63.255.255", true),
            ("172.32.0.1", true),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("100.64.0.1", false),
            ("100.100.100.200", false),
            ("127.0.0.1", false),
            ("168.63.129.16", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.0.0.1", false),
            ("192.0.2.1", false),
            ("192.88.99.1", false),
            ("192.168.1.1", false),
            ("198.18.0.1", false),
            ("198.51.100.7", false),
            ("203.0.113.7", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("[2606:4700::1111]", true),
            ("[2001:4860:4860::8888]", true),
            ("[::ffff:8.8.8.8]", true),
            ("[2002:808:808::1]", false),
            ("[::]", false),
            ("[::1]", false),
            ("[::7f00:1]", false),
            ("[::ffff:127.0.0.1]", false),
            ("[::ffff:10.0.0.1]", false),
            ("[64:ff9b::a00:1]", false),
            ("[64:ff9b:1::808:808]", false),
            ("[2002:a00:1::1]", false),
            ("[2001::1]", false),
            ("[2001:db8::1]", false),
            ("[3fff::1]", false),
            ("[fc00::1]", false),
            ("[fd00:ec2::254]", false),
            ("[fe80::1]", false),
            ("[fec0::1]", false),
            ("[ff02::1]", false),
            ("[100::1]", false),
        ] {
            let address = WebAddress::parse(&format!("https://{host}/")).expect("an address");
            assert_eq!(address.host.is_public(), is_public, "{host}");
        }
    }
}
