//! Rules about hosts: which are examples, and which are this machine.
use std::net::IpAddr;

/// The domains that are reserved for examples and tests (RFC 2606), and those of one machine.
const EXAMPLES: [&str; 8] =
    ["example.com", "example.net", "example.org", "example", "invalid", "test", "localhost", "localdomain"];

/// Whether nobody can own this domain.
pub fn is_example(domain: &str) -> bool {
    let domain = domain.trim_end_matches('.').to_ascii_lowercase();
    EXAMPLES
        .iter()
        .any(|example| domain.strip_suffix(example).is_some_and(|before| before.is_empty() || before.ends_with('.')))
}

/// The host of a URL, without its port; empty if it has none.
pub fn host_of(url: &str) -> String {
    let parsed = reqwest::Url::parse(url).ok();
    parsed.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

/// Whether only this machine reaches the host.
pub fn is_loopback(host: &str) -> bool {
    let address: Result<IpAddr, _> = host.trim_start_matches('[').trim_end_matches(']').parse();
    host == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_known_by_their_domain() {
        for domain in ["example.com", "www.Example.com", "acme.example", "localhost", "mail.test", "shop.invalid."] {
            assert!(is_example(domain), "{domain}");
        }
        for domain in ["northlight.io", "myexample.com", "example.com.au", "contest", ""] {
            assert!(!is_example(domain), "{domain}");
        }
    }

    #[test]
    fn a_host_is_this_machine_or_another() {
        for (url, host, is_own) in [
            ("http://127.0.0.1:8080/a", "127.0.0.1", true),
            ("https://[::1]", "[::1]", true),
            ("http://localhost", "localhost", true),
            ("https://shop.northlight.io:8443", "shop.northlight.io", false),
            ("nonsense", "", false),
        ] {
            assert_eq!((host_of(url).as_str(), is_loopback(&host_of(url))), (host, is_own), "{url}");
        }
    }
}
