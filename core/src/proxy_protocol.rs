//! The requests and responses of `/proxy-server/*`: what a proxy server asks the shop, and what it reports.
use crate::proxy_server::ProxyServerKind;
use crate::usage::{Refused, UsageRejection};
use serde::{Deserialize, Deserializer, Serialize};

/// The maximum number of connections in one question.
pub const MAX_CONNECTIONS: usize = 1_000;

/// A connection that a client wants to open, as the proxy server sees it.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct Connection {
    /// The user name, with its parameters; empty if the client sent none.
    pub user_name: String,
    pub password: String,
    /// The address that the client connects from.
    pub client_address: String,
    /// On static proxies: the address of the node that the client connected to.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub ip: String,
}

/// Several connections in one question: at most `MAX_CONNECTIONS`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Connections {
    pub connections: Vec<Connection>,
}

/// Whether a connection may be opened, and for whom its traffic counts.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct Authorization {
    /// Whether the connection may be opened.
    pub allowed: bool,
    /// Why not; a proxy server takes a word that it does not know, such as a newer shop's, for none.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "known_reason")]
    pub reason: Option<Refused>,
    /// For how many seconds this answer may be used for further connections with the same credentials, client and node.
    pub valid_for_seconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_id: Option<i64>,
    /// For whom residential traffic counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy_user_id: Option<i64>,
    /// For which node static traffic counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_id: Option<i64>,
    /// The proxy user's name without parameters, or the node's user name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_name: Option<String>,
    /// The two-letter code of the requested country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// If no country was requested and not all are allowed: the allowed ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub countries: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub city: Option<String>,
    /// The requested sticky session: connections with the same one leave by the same exit for `ttl_minutes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// For how many minutes the session keeps its exit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_minutes: Option<u32>,
    /// The number of connections that the proxy user, or the IP, may have open at once on this server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_connections: Option<u32>,
    /// The bandwidth of the proxy user, or the IP, on this server: of all its connections and both directions together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes_per_second: Option<u64>,
}

/// One unknown word must not make the answers to a thousand connections unreadable.
fn known_reason<'de, D: Deserializer<'de>>(reason: D) -> Result<Option<Refused>, D::Error> {
    let word: Option<String> = Option::deserialize(reason)?;
    Ok(word.and_then(|word| Refused::from_wire(&word)))
}

impl Authorization {
    pub fn refused(reason: Refused, valid_for_seconds: u64) -> Authorization {
        Authorization { reason: Some(reason), valid_for_seconds, ..Authorization::default() }
    }
}

/// The answers to `Connections`, in their order.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Authorizations {
    pub answers: Vec<Authorization>,
}

/// What a proxy server is registered as.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Registration {
    pub name: String,
    pub kind: ProxyServerKind,
}

/// What a proxy server says about itself, every `HEARTBEAT_SECONDS`. Counts are those since the previous one.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct Heartbeat {
    /// The software and its version, such as `postern-gate 1.0.0`: at most `VERSION_MAX_LENGTH` characters.
    pub version: String,
    /// The number of clients' connections that are open.
    pub open_connections: u32,
    /// The number of connections to destinations that were tried.
    pub attempts: u32,
    /// The number of these that failed.
    pub failures: u32,
    /// The mean time in which the others were opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connect_milliseconds: Option<u32>,
    /// The number of usage reports that the shop has not accepted yet.
    pub waiting_reports: u32,
    /// Upstreams that are not usable at present: at most `MAX_NAMED_UPSTREAMS` names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub upstreams_down: Vec<String>,
    /// Whether connections can be carried at all; not if no upstream is usable.
    pub can_carry: bool,
}

impl Default for Heartbeat {
    fn default() -> Heartbeat {
        Heartbeat {
            version: String::new(),
            open_connections: 0,
            attempts: 0,
            failures: 0,
            connect_milliseconds: None,
            waiting_reports: 0,
            upstreams_down: Vec::new(),
            can_carry: true,
        }
    }
}

/// The maximum number of nodes on a page of `ServedNodes`.
pub const MAX_SERVED_NODES: usize = 10_000;

/// A page of the nodes that a server carries.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct ServedNodesRequest {
    /// `Next` of the page before; 0 for the first one.
    pub after: i64,
}

/// An address of a static proxy server that customers connect to, and by which their connections leave.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ServedNode {
    pub ip: String,
    pub http_port: u16,
    /// None for a node with HTTP alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socks5_port: Option<u16>,
}

/// The nodes of a server of kind `static` in the order of their ids, for the configuration of other software than the gate; none of a residential one.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ServedNodes {
    pub nodes: Vec<ServedNode>,
    /// `After` of the next page; none on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}

/// What became of the records of a report.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ReportOutcome {
    /// Records that were counted now.
    pub counted: usize,
    /// Records that had already been counted.
    pub repeated: usize,
    pub rejected: Vec<RejectedRecord>,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RejectedRecord {
    /// The record's position in the report, from 0.
    pub index: usize,
    pub reason: UsageRejection,
}
