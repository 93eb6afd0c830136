//! Names of CSV columns and JSON fields.

pub(super) const HOST_NAMES: &[&str] = &["host", "ip", "proxy_address", "address", "server", "hostname", "proxy"];
pub(super) const PORT_NAMES: &[&str] = &["port", "http_port", "proxy_port"];
pub(super) const USER_NAMES: &[&str] = &["username", "user", "user_name", "login"];
pub(super) const PASSWORD_NAMES: &[&str] = &["password", "pass"];
pub(super) const SCHEME_NAMES: &[&str] = &["scheme", "protocol", "type"];

/// Whether the word is one of these names, ignoring case and `_`.
pub(super) fn is_one_of(word: &str, names: &[&str]) -> bool {
    let plain = |text: &str| text.trim().replace(['_', ' '], "").to_ascii_lowercase();
    names.iter().any(|name| plain(name) == plain(word))
}
