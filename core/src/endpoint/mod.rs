//! Endpoint strings: how a proxy is written down for the program that uses it, and read back from what somebody pastes.
//!
//! `user` has the grammar of user names, `format` and `template` write lines, `list` writes many at once, `parse` reads
//! lines, and `dialect` converts lines of the shops in `providers`.
mod dialect;
mod error;
mod format;
mod list;
mod parse;
mod providers;
mod template;
mod user;

pub use dialect::{Conversion, ConvertInto, ConvertedLine, convert_endpoints, dialects};
pub use error::{EndpointError, Part};
pub use format::{EndpointFormat, check_endpoint, format_endpoint, format_endpoints, push_cell};
pub use list::{
    LIST_MAX, ListNode, ListRequest, SESSION_PREFIX_MAX_LENGTH, build_list, build_node_list, build_node_list_of_rows,
};
pub use parse::{ReadLine, read_endpoint, read_endpoint_as, read_endpoints};
pub use providers::Dialect;
pub use template::{Placeholder, TEMPLATE_MAX_LENGTH, Template, format_by_template};
pub use user::{
    NAME_MAX_LENGTH, PLACE_MAX_LENGTH, SESSION_MAX_LENGTH, TTL_MAX_MINUTES, TTL_MIN_MINUTES, UserName, UserParts,
    place_part,
};

use serde::{Deserialize, Serialize};

#[cfg(test)]
pub(crate) use error::tests::assert_has_texts;

/// What a proxy speaks, as the schemes of its URL.
pub const SCHEMES: [&str; 4] = ["http", "https", "socks5", "socks5h"];

/// One proxy, ready to be written down. Without a user name and a password it is one that knows its customers by their
/// addresses.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Endpoint {
    /// One of `http`, `https`, `socks5` and `socks5h`.
    pub scheme: String,
    /// A name, an IPv4 address, or an IPv6 address without brackets.
    pub host: String,
    /// 1 to 65535.
    pub port: u16,
    pub user_name: String,
    pub password: String,
}

/// How long the parts of user names may be, and the bounds of what forms ask for.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct EndpointLimits {
    pub name_max_length: u32,
    /// Of a state and of a city.
    pub place_max_length: u32,
    pub session_max_length: u32,
    /// Of a session that all sessions of a list begin with.
    pub session_prefix_max_length: u32,
    pub ttl_min_minutes: u32,
    pub ttl_max_minutes: u32,
    pub template_max_length: u32,
    /// Lines of one list.
    pub list_max: u32,
}

impl Default for EndpointLimits {
    fn default() -> EndpointLimits {
        EndpointLimits {
            name_max_length: NAME_MAX_LENGTH as u32,
            place_max_length: PLACE_MAX_LENGTH as u32,
            session_max_length: SESSION_MAX_LENGTH as u32,
            session_prefix_max_length: SESSION_PREFIX_MAX_LENGTH as u32,
            ttl_min_minutes: TTL_MIN_MINUTES,
            ttl_max_minutes: TTL_MAX_MINUTES,
            template_max_length: TEMPLATE_MAX_LENGTH as u32,
            list_max: LIST_MAX,
        }
    }
}
