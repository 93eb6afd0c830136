//! Endpoint strings: how the connection details of a proxy are written for programs, and parsed from pasted text.
//!
//! `user` is the grammar of user names, `format` and `template` write lines, `list` and `node_list` write many at once, `parse` parses lines, and
//! `dialect` converts lines of the shops in `providers`.
mod dialect;
mod error;
mod format;
mod list;
mod node_list;
mod parse;
mod providers;
mod sessions;
mod settings;
mod template;
mod types;
mod user;
mod writer;

pub use crate::endpoint::dialect::{Conversion, ConvertInto, ConvertedLine, convert_endpoints, dialects};
pub use crate::endpoint::error::{EndpointError, Part};
pub use crate::endpoint::format::{EndpointFormat, check_endpoint, format_endpoint, format_endpoints};
pub use crate::endpoint::list::{
    LIST_MAX, LIST_VERSION, ListLines, ListRequest, SESSION_PREFIX_MAX_LENGTH, build_list,
};
pub use crate::endpoint::node_list::{ListNode, build_node_list, build_node_list_of_rows};
pub use crate::endpoint::parse::{ReadLine, read_endpoint, read_endpoint_as, read_endpoints};
pub use crate::endpoint::providers::Dialect;
pub use crate::endpoint::settings::{
    EndpointServer, EndpointSettings, EndpointUser, MAX_LIST_URLS, MAX_PRESETS, PRESET_NAME_MAX_LENGTH,
    check_preset_name, check_settings, list_request, test_endpoint,
};
pub use crate::endpoint::template::{LINE_MAX_BYTES, Placeholder, TEMPLATE_MAX_LENGTH, Template, format_by_template};
pub use crate::endpoint::types::{Endpoint, SCHEMES, TTL_MAX_MINUTES, TTL_MIN_MINUTES};
pub use crate::endpoint::user::{NAME_MAX_LENGTH, PLACE_MAX_LENGTH, SESSION_MAX_LENGTH, UserName, UserParts};
pub use crate::place::place_part;
use serde::{Deserialize, Serialize};

/// Maximum lengths of the parts of user names, and limits for form fields.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct EndpointLimits {
    pub name_max_length: u32,
    /// For a state and for a city.
    pub place_max_length: u32,
    pub session_max_length: u32,
    /// For the common prefix of a list's sessions.
    pub session_prefix_max_length: u32,
    pub ttl_min_minutes: u32,
    pub ttl_max_minutes: u32,
    pub template_max_length: u32,
    /// The maximum number of lines in a list.
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
