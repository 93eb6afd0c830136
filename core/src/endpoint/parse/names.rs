//! Names of CSV columns and JSON fields.

pub(super) const HOST_NAMES: &[&str] = &[
    "host",
    "hostname",
    "ip",
    "ip_address",
    "proxy_address",
    "address",
    "proxy_host",
    "proxy_ip",
    "server",
    "proxy",
    "主机",
    "地址",
    "ip地址",
    "服务器",
    "代理",
];
pub(super) const PORT_NAMES: &[&str] = &["port", "http_port", "proxy_port", "端口"];
pub(super) const USER_NAMES: &[&str] =
    &["username", "user", "user_name", "login", "proxy_username", "proxy_user", "用户名", "账号"];
pub(super) const PASSWORD_NAMES: &[&str] = &["password", "pass", "proxy_password", "proxy_pass", "密码"];
pub(super) const SCHEME_NAMES: &[&str] = &["scheme", "protocol", "protocols", "proxy_type", "type", "协议", "类型"];

/// Names of the field that holds a list.
pub(super) const LIST_NAMES: &[&str] = &["proxies", "proxy_list", "list", "data", "results"];

/// Whether the word is one of these names, ignoring case and `_`.
pub(super) fn is_one_of(word: &str, names: &[&str]) -> bool {
    let plain = |text: &str| text.trim().replace(['_', ' '], "").to_ascii_lowercase();
    names.iter().any(|name| plain(name) == plain(word))
}
