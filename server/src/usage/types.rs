//! Requests and responses of the calls about usage.
use postern_core::proxy_server::ProxyServerKind;
use postern_core::usage::UsageDimension;
use postern_core::usage_chart::UsageStep;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A chart of usage.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct UsageRequest {
    pub kind: ProxyServerKind,
    /// What the traffic is split by; `all` for no split.
    pub dimension: UsageDimension,
    pub step: UsageStep,
    /// The start of the range in UTC, `YYYY-MM-DD HH:mm:ss`. An hour belongs to the range if it begins within it.
    pub start_time: String,
    /// The end of the range in UTC, exclusive.
    pub end_time: String,
    /// The time zone in which days and months begin: an IANA time zone.
    pub time_zone: String,
    /// Only this proxy user; allowed with the dimensions `all` and `user`.
    #[schema(required = false)]
    pub proxy_user_id: Option<i64>,
}

impl Default for UsageRequest {
    fn default() -> UsageRequest {
        UsageRequest {
            kind: ProxyServerKind::Residential,
            dimension: UsageDimension::All,
            step: UsageStep::Day,
            start_time: String::new(),
            end_time: String::new(),
            time_zone: "UTC".to_owned(),
            proxy_user_id: None,
        }
    }
}

/// Usage over a range of time.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Usage {
    /// One per hour, day or month, oldest first, including those without usage.
    pub points: Vec<UsagePoint>,
    pub total_bytes: i64,
    pub requests: i64,
    /// Bytes in the preceding range of the same length.
    pub previous_bytes: i64,
    /// The 50 largest parts, then the sum of all others under an empty name. Absent for `all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<Vec<UsagePart>>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UsagePoint {
    /// Its start, in UTC. An hour belongs to the day or month in which it begins.
    pub starts_at: String,
    pub upload_bytes: i64,
    pub download_bytes: i64,
    pub requests: i64,
}

#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UsagePart {
    /// The id of a proxy user or node, a country's code, or a target's host; empty for all others.
    pub name: String,
    /// The name of the proxy user or the address of the node, while it exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    pub bytes: i64,
    pub requests: i64,
    /// Bytes in the preceding range of the same length.
    pub previous_bytes: i64,
}
