//! The client address of a request.
use crate::config::Config;
use crate::error::AppError;
use crate::state::App;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Once;

/// The client's address: the connection's, or the one that a trusted proxy forwards.
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// `None` for a request without a connection.
    pub fn of(request: &HttpRequest, config: &Config) -> Option<ClientAddress> {
        let peer = request.peer_addr()?.ip().to_canonical();
        let forwarded = request.headers().get_all("X-Forwarded-For").filter_map(|value| value.to_str().ok());
        let forwarded: Vec<&str> = forwarded.flat_map(|value| value.split(',')).map(str::trim).collect();
        if !forwarded.is_empty() && !is_trusted(peer, &config.trusted_proxies) {
            warn_about_ignored(peer);
        }
        Some(ClientAddress(first_untrusted(peer, &forwarded, &config.trusted_proxies)))
    }
}

impl FromRequest for ClientAddress {
    type Error = AppError;
    type Future = std::future::Ready<Result<ClientAddress, AppError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let app = request.app_data::<web::Data<App>>();
        let address = app.and_then(|app| ClientAddress::of(request, &app.config));
        std::future::ready(address.ok_or_else(|| AppError::internal("a request without an address")))
    }
}

/// Whether a request comes from a reverse proxy of the seller.
pub fn is_from_proxy(app: &App, request: &HttpRequest) -> bool {
    let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
    peer.is_some_and(|peer| is_trusted(peer, &app.config.trusted_proxies))
}

fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    trusted.iter().any(|network| network.contains(&address))
}

/// Says once that the header is not believed: behind a reverse proxy that is not in the settings, all customers are one sender.
fn warn_about_ignored(peer: IpAddr) {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        tracing::warn!(
            %peer,
            "X-Forwarded-For was ignored, because its sender is not in POSTERN_TRUSTED_PROXIES: if this is your reverse proxy, add it, \
             or all customers count as one sender"
        );
    });
}

/// Walks the hops from the connection towards the client as long as each is a trusted proxy.
fn first_untrusted(peer: IpAddr, forwarded: &[&str], trusted: &[IpNet]) -> IpAddr {
    let mut address = peer;
    for hop in forwarded.iter().rev() {
        if !is_trusted(address, trusted) {
            break;
        }
        let Some(next) = parse_hop(hop) else { break };
        address = next.to_canonical();
    }
    address
}

/// An address of the header: bare, in brackets, or with a port, as some proxies write it.
fn parse_hop(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let trusted: Vec<IpNet> = vec!["10.0.0.0/8".parse().expect("a network")];
        for (peer, forwarded, expected) in [
            ("203.0.113.9", vec!["198.51.100.1"], "203.0.113.9"),
            ("10.0.0.1", vec!["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["192.0.2.66", "198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["198.51.100.1", "10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", vec!["nonsense"], "10.0.0.1"),
            ("10.0.0.1", vec!["203.0.113.9:51234"], "203.0.113.9"),
            ("10.0.0.1", vec!["203.0.113.9:51234", "10.0.0.2:443"], "203.0.113.9"),
            ("10.0.0.1", vec!["[2001:db8::1]:443"], "2001:db8::1"),
            ("10.0.0.1", vec!["[2001:db8::1]"], "2001:db8::1"),
            ("10.0.0.1", vec!["2001:db8::1"], "2001:db8::1"),
            ("10.0.0.1", vec!["[::ffff:198.51.100.1]:80"], "198.51.100.1"),
            ("10.0.0.1", vec!["198.51.100.1", "203.0.113.9:port"], "10.0.0.1"),
            ("10.0.0.1", vec!["198.51.100.1", "[203.0.113.9"], "10.0.0.1"),
            ("10.0.0.1", vec![], "10.0.0.1"),
        ] {
            let address = first_untrusted(peer.parse().expect("an address"), &forwarded, &trusted);
            assert_eq!(address.to_string(), expected, "{peer} {forwarded:?}");
        }
    }
}
