//! The client address of a request.
use crate::config::Config;
use crate::error::AppError;
use crate::state::App;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use std::net::IpAddr;

/// The client's address: the connection's, or the one that a trusted proxy forwards.
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// `None` for a request without a connection.
    pub fn of(request: &HttpRequest, config: &Config) -> Option<ClientAddress> {
        let peer = request.peer_addr()?.ip().to_canonical();
        let forwarded = request.headers().get_all("X-Forwarded-For").filter_map(|value| value.to_str().ok());
        let forwarded: Vec<&str> = forwarded.flat_map(|value| value.split(',')).map(str::trim).collect();
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

/// Walks the hops from the connection towards the client as long as each is a trusted proxy.
fn first_untrusted(peer: IpAddr, forwarded: &[&str], trusted: &[ipnet::IpNet]) -> IpAddr {
    let mut address = peer;
    for hop in forwarded.iter().rev() {
        if !trusted.iter().any(|network| network.contains(&address)) {
            break;
        }
        let Ok(next) = hop.parse::<IpAddr>() else { break };
        address = next.to_canonical();
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let trusted: Vec<ipnet::IpNet> = vec!["10.0.0.0/8".parse().expect("a network")];
        for (peer, forwarded, expected) in [
            ("203.0.113.9", vec!["198.51.100.1"], "203.0.113.9"),
            ("10.0.0.1", vec!["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["192.0.2.66", "198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["198.51.100.1", "10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", vec!["nonsense"], "10.0.0.1"),
            ("10.0.0.1", vec![], "10.0.0.1"),
        ] {
            let address = first_untrusted(peer.parse().expect("an address"), &forwarded, &trusted);
            assert_eq!(address.to_string(), expected, "{peer} {forwarded:?}");
        }
    }
}
