//! The endpoint type and its limits.
use serde::{Deserialize, Serialize};

pub const TTL_MIN_MINUTES: u32 = 1;
pub const TTL_MAX_MINUTES: u32 = 1_440;

/// The protocols of proxies, as URL schemes.
pub const SCHEMES: [&str; 4] = ["http", "https", "socks5", "socks5h"];

/// The connection details of one proxy. User name and password are empty if it identifies its customers by IP address.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Endpoint {
    /// One of `http`, `https`, `socks5` and `socks5h`.
    pub scheme: String,
    /// A domain name, an IPv4 address, or an IPv6 address without brackets.
    pub host: String,
    /// 1 to 65535.
    pub port: u16,
    pub user_name: String,
    pub password: String,
}
