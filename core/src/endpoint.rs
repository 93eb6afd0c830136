//! Endpoint strings: how a proxy is written down for the program that uses it.
use crate::order::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// The forms of one line of a proxy list.
    EndpointFormat {
        HostPortUserPass = "host_port_user_pass",
        UserPassAtHostPort = "user_pass_at_host_port",
        Url = "url",
        UserPassHostPort = "user_pass_host_port",
        Curl = "curl",
    }
}

/// One proxy, ready to be written down. `scheme` is `http` or `socks5`.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Endpoint {
    pub scheme: String,
    pub host: String,
    pub port: u16,
    pub user_name: String,
    pub password: String,
}

/// Writes one line. Only URLs percent-encode the name and the password; the other forms carry them as they are.
pub fn format_endpoint(endpoint: &Endpoint, format: EndpointFormat) -> String {
    let Endpoint { scheme, host, port, user_name, password } = endpoint;
    // An IPv6 address has colons of its own, so it is bracketed before a port.
    let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
    match format {
        EndpointFormat::HostPortUserPass => format!("{host}:{port}:{user_name}:{password}"),
        EndpointFormat::UserPassHostPort => format!("{user_name}:{password}:{host}:{port}"),
        EndpointFormat::UserPassAtHostPort => format!("{user_name}:{password}@{host}:{port}"),
        EndpointFormat::Url => {
            format!("{scheme}://{}:{}@{host}:{port}", percent_encode(user_name), percent_encode(password))
        }
        EndpointFormat::Curl => {
            let url = format_endpoint(endpoint, EndpointFormat::Url);
            format!("curl -x '{}' https://example.com", url.replace('\'', "%27"))
        }
    }
}

/// All lines, one below the other.
pub fn format_endpoints(endpoints: &[Endpoint], format: EndpointFormat) -> String {
    let lines: Vec<_> = endpoints.iter().map(|endpoint| format_endpoint(endpoint, format)).collect();
    lines.join("\n")
}

fn percent_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_urls_are_percent_encoded() {
        let endpoint = Endpoint {
            scheme: "socks5".into(),
            host: "198.18.0.7".into(),
            port: 1080,
            user_name: "ann".into(),
            password: "p@s:s'密".into(),
        };
        let written = |format| format_endpoint(&endpoint, format);
        assert_eq!(written(EndpointFormat::HostPortUserPass), "198.18.0.7:1080:ann:p@s:s'密");
        assert_eq!(written(EndpointFormat::UserPassAtHostPort), "ann:p@s:s'密@198.18.0.7:1080");
        assert_eq!(written(EndpointFormat::UserPassHostPort), "ann:p@s:s'密:198.18.0.7:1080");
        assert_eq!(written(EndpointFormat::Url), "socks5://ann:p%40s%3As%27%E5%AF%86@198.18.0.7:1080");
        assert_eq!(
            written(EndpointFormat::Curl),
            "curl -x 'socks5://ann:p%40s%3As%27%E5%AF%86@198.18.0.7:1080' https://example.com"
        );
    }

    #[test]
    fn an_ipv6_address_is_bracketed() {
        let endpoint = Endpoint { scheme: "http".into(), host: "2001:db8::1".into(), port: 80, ..Endpoint::default() };
        assert_eq!(format_endpoint(&endpoint, EndpointFormat::Url), "http://:@[2001:db8::1]:80");
    }
}
