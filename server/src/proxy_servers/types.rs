//! Requests and responses of the operator's calls about proxy servers.
use postern_core::proxy_protocol::Heartbeat;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::server_health::{OutageCause, ServerState, StatusDay};
use postern_core::usage::UsageRejection;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A registered proxy server.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ProxyServerView {
    pub server_id: i64,
    pub name: String,
    pub kind: ProxyServerKind,
    /// The host name or address that customers connect to.
    pub host: String,
    pub http_port: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub socks5_port: Option<i32>,
    pub created_at: String,
    /// When it last sent a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_seen_at: Option<String>,
    /// The number of its usage records that were rejected.
    pub rejected_records: i64,
    /// The number of nodes that this server alone carries, up to 10,000.
    pub nodes: i64,
    pub state: ServerState,
    /// Why it is down, and since when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outage: Option<OutageView>,
    /// What it last said about itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heartbeat: Option<Heartbeat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heartbeat_at: Option<String>,
}

/// An outage that lasts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OutageView {
    pub cause: OutageCause,
    pub began_at: String,
}

/// How a proxy server is, for customers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ServerStatusView {
    pub name: String,
    pub kind: ProxyServerKind,
    pub state: ServerState,
    /// The beginning of the outage that lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub down_since: Option<String>,
    /// The last 30 days in UTC, oldest first; the last one is today.
    pub days: Vec<StatusDay>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ProxyServerWithSecret {
    pub server: ProxyServerView,
    /// Shown once: only its hash is stored.
    pub secret: String,
}

#[derive(Clone, Copy, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct ProxyServerRef {
    pub server_id: i64,
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct AssignNodes {
    /// A server for static proxies. Without it, any of these may carry the nodes.
    #[schema(required = false)]
    pub server_id: Option<i64>,
    /// Addresses and networks in CIDR notation, separated by spaces, commas or lines: at most 1,000.
    pub addresses: String,
}

#[derive(Debug, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NodesAssigned {
    /// The number of nodes.
    pub assigned: usize,
    /// Addresses and networks in which there are no nodes.
    pub not_found: Vec<String>,
}

/// A rejected usage record.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RejectedUsage {
    pub rejected_id: i64,
    pub server_id: i64,
    pub server_name: String,
    /// The start of the record as received; empty for the row that counts records beyond the number kept.
    pub record: String,
    /// Why it was rejected.
    pub reason: UsageRejection,
    /// The number of times it was received.
    pub times: i64,
    pub received_at: String,
}

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct RejectedUsageFilter {
    #[schema(required = false)]
    pub server_id: Option<i64>,
    #[schema(required = false)]
    pub reason: Option<UsageRejection>,
}
