//! Requests and responses of the security log.
use postern_core::security_log::SecurityKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An entry of the security log.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SecurityEntry {
    /// The id of the entry.
    pub entry_id: i64,
    /// When it happened, in UTC.
    pub at: String,
    /// The kind of entry.
    pub kind: SecurityKind,
    /// The IP address of the client.
    pub address: String,
    /// The location of that address, such as `Berlin, Germany`; empty if unknown.
    pub place: String,
    /// The program and operating system from the user agent, such as `Chrome on Windows`; empty if unknown.
    pub device: String,
    /// Details, such as the name of a key; empty for most kinds.
    pub detail: String,
}

/// Filters of the security log.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct SecurityLogFilter {
    pub kind: Option<SecurityKind>,
}
