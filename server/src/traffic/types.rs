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
    #[schema(value_type = String)]
    pub expected_total: Money,
    /// Pays from the wallet at once: either the traffic is bought, or nothing happens.
    #[serde(default)]
    #[schema(required = false)]
    pub pay_from_wallet: bool,
}

/// An account's traffic.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TrafficView {
    /// What can be used now.
    pub left_bytes: u64,
    /// What was bought with the batches that are not over, less what was refunded.
    pub bought_bytes: u64,
    /// What was used of the batches that are not over.
    pub used_bytes: u64,
    /// What was used after the last byte was, until connections were refused. It is not charged.
    pub overdraft_bytes: u64,
    /// At most 50: those that are not over, in the order in which they are used, then the others, newest first.
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
    /// What was bought, less what was refunded.
    pub bought_bytes: u64,
    pub used_bytes: u64,
    /// What is not used yet; of an expired batch, what was never used.
    pub left_bytes: u64,
    pub begins_at: String,
    /// The expiry, exclusive; absent for traffic without expiry.
    pub ends_at: Option<String>,
    /// Whether it has expired or is used up.
    pub is_over: bool,
    /// Whether it expires within a week with something left.
    pub ends_soon: bool,
}

/// The automatic reorder: the latest settings, also while turned off, and how the latest one went.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ReorderView {
    pub is_on: bool,
    /// As typed: `2` or `0.5`.
    pub threshold_gigabytes: String,
    pub gigabytes: u32,
    pub period_days: u32,
    #[schema(value_type = String)]
    pub monthly_limit: Money,
    /// What reorders have cost in this calendar month (UTC).
    #[schema(value_type = String)]
    pub spent_this_month: Money,
    /// Why the latest reorder did not happen; absent once one has worked.
    pub failure: Option<ReorderFailure>,
    pub failed_at: Option<String>,
}
