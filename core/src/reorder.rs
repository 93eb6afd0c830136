//! Automatic reorders of traffic, paid from the wallet when the remaining traffic falls below a threshold.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::money::Money;
use crate::operator_forms::MAX_AMOUNT;
use crate::proxy_user::parse_gigabytes;
use crate::quote::Terms;
use crate::rule::Rule;
use crate::traffic::{TrafficCatalogue, TrafficQuote, TrafficRequest, bytes_of, quote_traffic, traffic_error_fields};
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};

/// The interval between retries of a failed reorder, while too little traffic is left.
pub const RETRY_MINUTES: i64 = 10;

wire_enum! {
    /// Why an automatic reorder failed.
    ReorderFailure {
        /// The wallet's balance is too low.
        BalanceTooLow = "balance_too_low",
        /// The shop no longer offers this period or amount.
        OfferGone = "offer_gone",
    }
}

/// The form of automatic reorders, as entered.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct ReorderForm {
    pub is_on: bool,
    /// In gigabytes of 10^9 bytes, with up to three decimal places: reorder when less is left. At most the amount of one reorder, so that a
    /// single one is enough.
    pub threshold_gigabytes: String,
    /// The amount of one reorder.
    pub gigabytes: u32,
    /// The period of an offer in the catalogue; 0 for no expiry.
    pub period_days: u32,
    /// The maximum amount charged per calendar month (UTC); at least the price of one reorder.
    pub monthly_limit: String,
}

/// The settings of automatic reorders, as stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Reorder {
    pub threshold_bytes: u64,
    pub request: TrafficRequest,
    pub monthly_limit: Money,
}

/// Validates the form of automatic reorders. `None` if they are turned off; then the other fields are ignored.
pub fn validate_reorder(
    form: &ReorderForm,
    catalogue: &TrafficCatalogue,
    terms: &Terms,
) -> Result<Option<Reorder>, FieldErrors> {
    if !form.is_on {
        return Ok(None);
    }
    let mut checks = Checks::default();
    let request = TrafficRequest { gigabytes: form.gigabytes, period_days: form.period_days };
    let price = match quote_traffic(&request, catalogue, terms) {
        Ok(quote) => Some(quote.total),
        Err(error) => {
            checks.0.0.extend(traffic_error_fields(error).0);
            None
        }
    };
    let threshold_bytes = check_threshold(&form.threshold_gigabytes, price.map(|_| form.gigabytes), &mut checks);
    let least = price.unwrap_or_default().max(Money::from_minor(1));
    let monthly_limit = checks.amount("MonthlyLimit", &form.monthly_limit, least, MAX_AMOUNT);
    let (threshold_bytes, monthly_limit) = (threshold_bytes.unwrap_or_default(), monthly_limit.unwrap_or_default());
    checks.finish(Some(Reorder { threshold_bytes, request, monthly_limit }))
}

/// The threshold in bytes; `max` is the amount of one reorder in gigabytes, if it can be ordered.
fn check_threshold(text: &str, max: Option<u32>, checks: &mut Checks) -> Option<u64> {
    let text = text.trim();
    if text.is_empty() {
        checks.broken("ThresholdGigabytes", Rule::Required, &[]);
        return None;
    }
    let bytes = parse_gigabytes(text).filter(|bytes| *bytes > 0);
    match (bytes, max) {
        (None, _) => checks.broken("ThresholdGigabytes", Rule::Gigabytes, &[]),
        (Some(bytes), Some(max)) if bytes > bytes_of(max) => {
            checks.broken("ThresholdGigabytes", Rule::GigabytesMax, &[("Max", max.to_string())]);
        }
        (Some(_), _) => {}
    }
    bytes
}

/// The decision about an account's traffic.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ReorderDecision {
    /// Enough traffic is left.
    Nothing,
    Buy(TrafficQuote),
    /// A reorder would exceed the month's limit: wait for the next month, or until the limit is raised.
    LimitReached,
    Fail(ReorderFailure),
}

/// Decides whether to reorder, given the remaining traffic, the amount charged by reorders this month, and the balance of the wallet.
pub fn decide_reorder(
    settings: &Reorder,
    left_bytes: u64,
    catalogue: &TrafficCatalogue,
    terms: &Terms,
    spent_this_month: Money,
    balance: Money,
) -> ReorderDecision {
    if left_bytes >= settings.threshold_bytes {
        return ReorderDecision::Nothing;
    }
    let Ok(quote) = quote_traffic(&settings.request, catalogue, terms) else {
        return ReorderDecision::Fail(ReorderFailure::OfferGone);
    };
    if !spent_this_month.checked_add(quote.total).is_ok_and(|sum| sum <= settings.monthly_limit) {
        return ReorderDecision::LimitReached;
    }
    if quote.total > balance {
        return ReorderDecision::Fail(ReorderFailure::BalanceTooLow);
    }
    ReorderDecision::Buy(quote)
}

/// When to retry a failed reorder.
pub fn next_retry(failed_at: NaiveDateTime) -> NaiveDateTime {
    failed_at + TimeDelta::minutes(RETRY_MINUTES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;
    use crate::proxy_user::GIGABYTE;

    fn form(threshold: &str, gigabytes: u32, period_days: u32, monthly_limit: &str) -> ReorderForm {
        let (threshold_gigabytes, monthly_limit) = (threshold.to_owned(), monthly_limit.to_owned());
        ReorderForm { is_on: true, threshold_gigabytes, gigabytes, period_days, monthly_limit }
    }

    fn validated(form: &ReorderForm) -> Result<Option<Reorder>, FieldErrors> {
        validate_reorder(form, &TrafficCatalogue::default(), &Terms::default())
    }

    #[test]
    fn errors_of_a_reorder_are_reported_at_their_field() {
        for (form, broken) in [
            (
                form("", 0, 31, ""),
                vec!["MonthlyLimit:required", "PeriodDays:unknownPeriod", "ThresholdGigabytes:required"],
            ),
            (form("1", 0, 30, "50"), vec!["Gigabytes:gigabytesMin 1"]),
            (form("1", 100_001, 30, "50"), vec!["Gigabytes:gigabytesMax 100000"]),
            (form("0", 10, 30, "35"), vec!["ThresholdGigabytes:gigabytes"]),
            (form("much", 10, 30, "35"), vec!["ThresholdGigabytes:gigabytes"]),
            (form("0.0001", 10, 30, "35"), vec!["ThresholdGigabytes:gigabytes"]),
            (form("10.001", 10, 30, "35"), vec!["ThresholdGigabytes:gigabytesMax 10"]),
            (form("10", 10, 30, "34.99"), vec!["MonthlyLimit:amountMin 35.00"]),
            (form("10", 10, 30, "1000000.01"), vec!["MonthlyLimit:amountMax 1000000.00"]),
        ] {
            assert_eq!(rules(validated(&form).expect_err("errors")), broken, "{form:?}");
        }
        let off = ReorderForm { is_on: false, ..form("nonsense", 0, 99, "") };
        assert_eq!(validated(&off), Ok(None));
    }

    #[test]
    fn a_resellers_limit_is_compared_with_the_discounted_price() {
        let terms = Terms { reseller_basis_points: 2_000, coupon: None };
        let settings = validate_reorder(&form("1.5", 10, 30, "28"), &TrafficCatalogue::default(), &terms);
        let request = TrafficRequest { gigabytes: 10, period_days: 30 };
        let expected = Reorder { threshold_bytes: 1_500_000_000, request, monthly_limit: Money::from_minor(2_800) };
        assert_eq!(settings, Ok(Some(expected)));
    }

    #[test]
    fn it_reorders_below_the_threshold_within_monthly_limit_and_balance() {
        let settings = validated(&form("2", 10, 30, "70")).expect("settings").expect("turned on");
        let decide = |left, spent, balance, catalogue: &TrafficCatalogue| {
            let (spent, balance) = (Money::from_minor(spent), Money::from_minor(balance));
            decide_reorder(&settings, left, catalogue, &Terms::default(), spent, balance)
        };
        let shop = TrafficCatalogue::default();
        let (below, limit) = (2 * GIGABYTE - 1, ReorderDecision::LimitReached);
        assert_eq!(decide(2 * GIGABYTE, 0, 10_000, &shop), ReorderDecision::Nothing);
        let ReorderDecision::Buy(quote) = decide(below, 3_500, 3_500, &shop) else { panic!("no reorder") };
        assert_eq!((quote.gigabytes, quote.period_days, quote.total.minor()), (10, 30, 3_500));
        assert_eq!(decide(below, 3_501, 10_000, &shop), limit);
        assert_eq!(decide(below, i64::MAX, 10_000, &shop), limit);
        let failed = ReorderDecision::Fail;
        assert_eq!(decide(0, 0, 3_499, &shop), failed(ReorderFailure::BalanceTooLow));
        let mut changed = shop.clone();
        changed.offers.retain(|offer| offer.period_days != 30);
        assert_eq!(decide(0, 0, 10_000, &changed), failed(ReorderFailure::OfferGone));
    }
}
