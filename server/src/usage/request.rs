//! Validates usage requests.
use crate::error::AppError;
use crate::usage::types::UsageRequest;
use chrono::TimeDelta;
use chrono_tz::Tz;
use postern_core::field_errors::FieldErrors;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::rule::Rule;
use postern_core::time::{from_wire, time_zone};
use postern_core::usage::UsageDimension;
use postern_core::usage_chart::{Parts, Span, UsageStep};

/// A validated request.
pub struct ChartRequest {
    pub kind: ProxyServerKind,
    pub dimension: UsageDimension,
    pub step: UsageStep,
    pub range: Span,
    pub zone: Tz,
    /// The name of one proxy user in the sums.
    pub user: Option<String>,
}

/// Validates a request.
pub fn validate(request: &UsageRequest) -> Result<ChartRequest, AppError> {
    let mut errors = FieldErrors::default();
    let mut time = |field: &str, text: &str| {
        let time = from_wire(text.trim());
        if time.is_none() {
            errors.add(field, Rule::Time, &[]);
        }
        time.unwrap_or_default()
    };
    let (from, to) = (time("StartTime", &request.start_time), time("EndTime", &request.end_time));
    let zone = time_zone(&request.time_zone);
    if zone.is_none() {
        errors.add("TimeZone", Rule::TimeZone, &[]);
    }
    if errors.is_empty() && to <= from {
        errors.add("EndTime", Rule::EndsBeforeItBegins, &[]);
    }
    let days = request.step.max_range_days();
    if errors.is_empty() && to - from > TimeDelta::days(days) + TimeDelta::hours(2) {
        errors.add("EndTime", Rule::TooLongRange, &[("Max", days.to_string())]);
    }
    let is_of_user = matches!(request.dimension, UsageDimension::All | UsageDimension::User);
    if request.proxy_user_id.is_some() && !is_of_user {
        let detail = "of one proxy user there are `all` and `user` only".to_owned();
        errors.add("Dimension", Rule::Malformed, &[("Detail", detail)]);
    }
    Ok(errors.into_result(ChartRequest {
        kind: request.kind,
        dimension: request.dimension,
        step: request.step,
        range: Span { from, to },
        zone: zone.unwrap_or(Tz::UTC),
        user: request.proxy_user_id.map(|id| id.to_string()),
    })?)
}

impl ChartRequest {
    /// The hours, days and months that make up a range.
    pub fn parts_of(&self, hours: Span) -> Parts {
        let parts = Parts::covering(hours);
        // The partial index for one proxy user covers hours and days, not months.
        if self.user.is_some() { parts.without_months() } else { parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_or_too_long_range_is_refused() {
        for (start, end, step, is_kept) in [
            ("2026-01-01 00:00:00", "2027-01-01 00:00:00", UsageStep::Day, true),
            ("2026-01-01 00:00:00", "2027-01-01 00:00:00", UsageStep::Month, true),
            ("2025-01-01 00:00:00", "2027-01-01 00:00:00", UsageStep::Day, false),
            ("2025-01-01 00:00:00", "2027-01-01 00:00:00", UsageStep::Month, false),
            ("2026-01-01 00:00:00", "2026-02-01 00:00:00", UsageStep::Hour, true),
            ("2026-01-01 00:00:00", "2026-02-03 00:00:00", UsageStep::Hour, false),
            ("2026-01-01 00:00:00", "2026-01-01 00:00:00", UsageStep::Day, false),
            ("", "2026-01-01 00:00:00", UsageStep::Day, false),
        ] {
            let request = |zone: &str| UsageRequest {
                start_time: start.to_owned(),
                end_time: end.to_owned(),
                time_zone: zone.to_owned(),
                step,
                ..UsageRequest::default()
            };
            assert_eq!(validate(&request("UTC")).is_ok(), is_kept, "{start} {end}");
            assert!(validate(&request("Mars/Base")).is_err());
        }
    }
}
