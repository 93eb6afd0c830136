//! Requests and responses of the calls about traffic.
use postern_core::money::Money;
use postern_core::reorder::ReorderFailure;
use postern_core::traffic::TrafficRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A purchase request with a coupon code.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct QuoteTraffic {
    #[serde(flatten)]
    pub request: TrafficRequest,
    #[serde(default)]
    #[schema(required = false)]
    pub coupon: Option<String>,
}

/// A purchase request with the total that the customer agreed to; if the price has changed, the call is refused with code 4004.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CreateTrafficOrder {
    #[serde(flatten)]
    pub request: TrafficRequest,
    /// A coupon code; its discount is part of the total.
    #[serde(default)]
    #[schema(required = false)]
    pub coupon: Option<String>,
    pub expected_total: Money,
    /// Pays from the wallet at once. If that fails, no order is created.
    #[serde(default)]
    #[schema(required = false)]
    pub pay_from_wallet: bool,
}

/// An account's traffic.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TrafficView {
    /// Bytes that can be used now.
    pub left_bytes: u64,
    /// Bytes bought in batches that have not ended, less refunds.
    pub bought_bytes: u64,
    /// Bytes used from batches that have not ended.
    pub used_bytes: u64,
    /// Bytes used after all batches were used up, until connections were refused. They are not charged.
    pub overdraft_bytes: u64,
    /// At most 50: first the batches that have not ended, in order of use, then the others, newest first.
    pub batches: Vec<BatchView>,
    /// The automatic reorder; absent until first set.
    pub reorder: Option<ReorderView>,
}

/// The traffic of one order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct BatchView {
    pub batch_id: i64,
    pub order_id: i64,
    pub order_number: String,
    /// Bytes bought, less refunds.
    pub bought_bytes: u64,
    pub used_bytes: u64,
    /// Unused bytes, including those of an expired batch.
    pub left_bytes: u64,
    pub begins_at: String,
    /// The expiry, exclusive; absent for traffic without expiry.
    pub ends_at: Option<String>,
    /// Whether it has expired or is used up.
    pub is_over: bool,
    /// Whether it expires within a week and has unused bytes.
    pub ends_soon: bool,
}

/// The automatic reorder: the latest settings, also while turned off, and the result of the latest reorder.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ReorderView {
    pub is_on: bool,
    /// As typed: `2` or `0.5`.
    pub threshold_gigabytes: String,
    pub gigabytes: u32,
    pub period_days: u32,
    pub monthly_limit: Money,
    /// The cost of reorders in this calendar month (UTC).
    pub spent_this_month: Money,
    /// Why the latest reorder failed; absent once one has succeeded.
    pub failure: Option<ReorderFailure>,
    pub failed_at: Option<String>,
}
