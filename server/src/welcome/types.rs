//! Request and response of the call about the welcome screens.
use postern_core::welcome::FirstStep;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the overview is asked for.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct OverviewRequest {
    /// By whose calendar days begin: an IANA time zone.
    pub time_zone: String,
}

impl Default for OverviewRequest {
    fn default() -> OverviewRequest {
        OverviewRequest { time_zone: "UTC".to_owned() }
    }
}

/// What an account owns of static proxies, what of it ends soon, and its first steps.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Overview {
    /// Proxies that work.
    pub active_count: i64,
    /// Proxies that have ended and can still be renewed.
    pub grace_count: i64,
    /// Active ones that end within 7 days.
    pub ending_soon_count: i64,
    /// Those of them that renew automatically.
    pub ending_soon_renewing: i64,
    /// By tier, as far as something of it is owned.
    pub tiers: Vec<OwnedTier>,
    /// By country, those with the most proxies first.
    pub countries: Vec<OwnedCountry>,
    /// What ends on each of the coming 30 days of the zone's calendar, today first.
    pub days: Vec<EndingDayView>,
    /// The first steps of a new customer, in their order.
    pub steps: Vec<StepView>,
}

/// What is owned of a tier.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OwnedTier {
    /// The tier.
    pub ver_str: String,
    /// Its kind: 2 for Regular and Premium, 1 for Dedicated.
    pub node_type: i16,
    /// Proxies that work.
    pub active_count: i64,
    /// Proxies that have ended and can still be renewed.
    pub grace_count: i64,
    /// Active ones that end within 7 days.
    pub ending_soon_count: i64,
    /// Active ones that renew automatically.
    pub auto_renew_count: i64,
    /// When the first of the active ones ends, in UTC.
    pub next_expires_at: Option<String>,
}

/// What is owned in a country.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OwnedCountry {
    /// The two-letter code.
    pub country: String,
    /// Proxies in it.
    pub count: i64,
}

/// A day, and what ends on it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct EndingDayView {
    /// The first instant of the day, in UTC.
    pub starts_at: String,
    /// Proxies that end on it.
    pub count: u32,
    /// Those that renew automatically.
    pub renewing: u32,
}

/// A first step.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct StepView {
    /// The step.
    pub step: FirstStep,
    /// Whether the account has taken it.
    pub is_done: bool,
}
