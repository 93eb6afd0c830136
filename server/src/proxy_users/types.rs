//! Requests and responses of the calls about proxy users.
use postern_core::proxy_user::{LimitCycle, ProxyUserState};
use postern_core::proxy_user_form::ProxyUserForm;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct ProxyUserFilter {
    #[schema(required = false)]
    pub state: Option<ProxyUserState>,
    /// Only proxy users that may use exits in this country.
    #[schema(required = false)]
    pub country: Option<String>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ProxyUserView {
    pub proxy_user_id: i64,
    pub name: String,
    pub note: String,
    pub state: ProxyUserState,
    /// The limit in bytes; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_bytes: Option<i64>,
    pub limit_cycle: LimitCycle,
    /// Bytes used in the current cycle.
    pub used_bytes: i64,
    /// Bytes used since the proxy user was created.
    pub total_bytes: i64,
    /// Bytes left until the limit; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_bytes: Option<i64>,
    pub cycle_starts_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle_ends_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Two-letter codes of the allowed countries; empty for all.
    pub countries: Vec<String>,
    /// The number of connections that may be open at once through each proxy server; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_connections: Option<i32>,
    /// The bandwidth through each proxy server, in megabits (10^6 bits) per second; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_megabits: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<String>,
    pub created_at: String,
    /// When the previous password stops working.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_password_until: Option<String>,
    /// The bytes of each of the last 14 days in UTC, oldest first; the last one is today.
    pub daily_bytes: Vec<i64>,
}

#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ProxyUserWithPassword {
    pub proxy_user: ProxyUserView,
    pub password: String,
}

/// The new settings of a proxy user. The password stays unchanged.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct EditProxyUser {
    pub proxy_user_id: i64,
    #[serde(flatten)]
    pub form: ProxyUserForm,
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct ChangeProxyUserPassword {
    pub proxy_user_id: i64,
    /// If empty, a password is generated.
    #[schema(required = false)]
    pub password: String,
    /// How long the old password keeps working, in minutes: 0 to 1440.
    #[schema(required = false)]
    pub old_valid_minutes: u32,
}

#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct ProxyUserRef {
    pub proxy_user_id: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ProxyUserPassword {
    pub password: String,
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct ProxyUserSelection {
    /// The ids of proxy users: at most 500.
    pub proxy_user_ids: Vec<i64>,
}

/// The result of a call on several proxy users.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ProxyUsersChanged {
    pub changed: usize,
    /// Proxy users that were skipped because their state does not allow the change.
    pub skipped: Vec<SkippedProxyUser>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SkippedProxyUser {
    pub proxy_user_id: i64,
    pub state: ProxyUserState,
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct ImportProxyUsers {
    /// The text of a CSV file with a header.
    pub csv: String,
    #[schema(required = false)]
    pub dry_run: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ProxyUsersImported {
    /// The number of proxy users created or, in a dry run, that would be.
    pub created: usize,
    /// The imported proxy users with their passwords; empty after a dry run.
    pub rows: Vec<ImportedProxyUser>,
}

#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ImportedProxyUser {
    /// The line of the file, from 1.
    pub line: usize,
    pub name: String,
    pub password: String,
}

/// An address whose connections need no password.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ProxyUserAddress {
    pub address_id: i64,
    pub proxy_user_id: i64,
    /// The proxy user that traffic from this address is counted for.
    pub proxy_user_name: String,
    pub address: String,
    pub label: String,
    pub created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<String>,
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct AddProxyUserAddress {
    pub proxy_user_id: i64,
    /// A public IPv4 or IPv6 address, or a network such as `203.0.113.0/24`.
    pub address: String,
    #[schema(required = false)]
    pub label: String,
}

#[derive(Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct ProxyUserAddressRef {
    pub address_id: i64,
}
