//! Request and response of the call about the welcome screens.
use postern_core::product_summary::ProductSummary;
use postern_core::welcome::FirstStep;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A request for the overview.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct OverviewRequest {
    /// The time zone in which days begin: an IANA time zone.
    pub time_zone: String,
}

impl Default for OverviewRequest {
    fn default() -> OverviewRequest {
        OverviewRequest { time_zone: "UTC".to_owned() }
    }
}

/// An account's static proxies, those that expire soon, and its first steps.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Overview {
    /// The number of active proxies.
    pub active_count: i64,
    /// The number of expired proxies that can still be renewed.
    pub grace_count: i64,
    /// The number of active proxies that expire within 7 days.
    pub ending_soon_count: i64,
    /// The number of these that renew automatically.
    pub ending_soon_renewing: i64,
    /// The tiers of which the account owns proxies.
    pub tiers: Vec<OwnedTier>,
    /// By country, largest number of proxies first.
    pub countries: Vec<OwnedCountry>,
    /// The proxies that expire on each of the next 30 days in the time zone, today first.
    pub days: Vec<EndingDayView>,
    /// The first steps of a new customer, in order.
    pub steps: Vec<StepView>,
}

/// The account's proxies of one tier.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OwnedTier {
    /// The tier.
    pub ver_str: String,
    /// Its kind: 2 for Regular and Premium, 1 for Dedicated.
    pub node_type: i16,
    #[serde(flatten)]
    pub summary: ProductSummary,
}

/// The account's proxies in one country.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OwnedCountry {
    /// The two-letter code.
    pub country: String,
    /// The number of proxies in it.
    pub count: i64,
}

/// A day and the proxies that expire on it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct EndingDayView {
    /// The first instant of the day, in UTC.
    pub starts_at: String,
    /// The number of proxies that expire on it.
    pub count: u32,
    /// The number of these that renew automatically.
    pub renewing: u32,
}

/// A first step.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct StepView {
    /// The step.
    pub step: FirstStep,
    /// Whether the account has done it.
    pub is_done: bool,
}
