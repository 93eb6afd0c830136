//! Limits on what an account may have open unpaid: IPs in unpaid orders, unpaid orders, top-ups, and card requests; on what support may refund; and on changes in views. The seller sets the
//! values; a migration creates the defaults.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::money::{Money, MoneyError};
use crate::operator_forms::MAX_AMOUNT;
use crate::rule::Rule;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// A limit that the seller sets: most of them on what one account may have open.
    Limit {
        /// Unpaid orders, without top-ups.
        UnpaidOrders = "unpaid_orders",
        /// Top-ups that can still be paid.
        OpenTopUps = "open_top_ups",
        /// Card requests whose card has not been entered.
        OpenCardRequests = "open_card_requests",
        /// What support may refund of one order, in whole units of the shop's currency.
        SupportRefund = "support_refund",
        /// Changes that an operator may make in one view of the shop as a customer; 0 for views that only read.
        ViewChanges = "view_changes",
    }
}

impl Limit {
    /// The key in `locales/{language}/errors.json` of the message for who is at the limit.
    pub fn refusal(self) -> &'static str {
        match self {
            Limit::UnpaidOrders => "tooManyUnpaidOrders",
            Limit::OpenTopUps => "tooManyTopUps",
            Limit::OpenCardRequests => "tooManyCardRequests",
            Limit::SupportRefund => "supportRefundLimit",
            Limit::ViewChanges => "viewChangesUsed",
        }
    }
}

/// A limit's new value, as entered.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct LimitForm {
    /// Which limit.
    pub limit: Limit,
    /// A whole number.
    pub most: String,
}

/// A step of the limit on held IPs, as entered.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct HoldStepForm {
    /// An amount such as `50.00`; `0` for all accounts.
    pub from: String,
    /// A whole number; empty removes the step.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub ips: String,
}

/// The highest value of a limit.
pub const MAX_LIMIT: u32 = 10_000;

/// The highest number of IPs that may be held.
pub const MAX_HELD: u32 = 1_000_000;

/// Validates a limit's new value. Only changes in views may be forbidden by zero.
pub fn validate_limit(form: &LimitForm) -> Result<u32, FieldErrors> {
    if form.limit == Limit::ViewChanges && form.most.trim() == "0" {
        return Ok(0);
    }
    let mut checks = Checks::default();
    let most = checks.count("Most", &form.most, MAX_LIMIT);
    checks.finish(most.unwrap_or_default())
}

/// Validates a step: the amount from which it counts, and the IPs, or `None` to remove it. The step from 0 can only be changed.
pub fn validate_hold_step(form: &HoldStepForm) -> Result<(Money, Option<u32>), FieldErrors> {
    let mut checks = Checks::default();
    let from = checks.amount("From", &form.from, Money::ZERO, MAX_AMOUNT);
    let removes = form.ips.trim().is_empty();
    let ips = if removes { None } else { checks.count("Ips", &form.ips, MAX_HELD) };
    if removes && from.is_some_and(Money::is_zero) {
        checks.broken("Ips", Rule::Required, &[]);
    }
    checks.finish((from.unwrap_or_default(), ips))
}

/// A step: with at least this standing (wallet balance plus payments), an account may hold this many IPs in unpaid orders.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct HoldStep {
    pub min_standing: Money,
    pub max_ips: u32,
}

/// How many IPs an account may hold in unpaid orders, and what raises the limit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct HoldLimit {
    pub max_ips: u32,
    pub next: Option<NextHold>,
}

/// The additional balance or payments that raise the limit, and the number of IPs at the next step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NextHold {
    pub missing: Money,
    pub max_ips: u32,
}

/// How many IPs an account may hold unpaid, by the seller's steps: `balance` is its wallet balance, `paid` its payments so far less
/// refunds. An account with neither is at the lowest step; without any steps it may hold none.
pub fn unpaid_hold_limit(steps: &[HoldStep], balance: Money, paid: Money) -> Result<HoldLimit, MoneyError> {
    let standing = balance.checked_add(paid)?.max(Money::ZERO);
    let reached = steps.iter().filter(|step| step.min_standing <= standing);
    let max_ips = reached.map(|step| step.max_ips).max().unwrap_or(0);
    let higher = steps.iter().filter(|step| step.min_standing > standing && step.max_ips > max_ips);
    let next = match higher.min_by_key(|step| step.min_standing) {
        Some(step) => Some(NextHold { missing: step.min_standing.checked_sub(standing)?, max_ips: step.max_ips }),
        None => None,
    };
    Ok(HoldLimit { max_ips, next })
}

impl HoldLimit {
    /// Checks that an account holding this many IPs may order this many more unpaid. Otherwise the error at `Lines` contains the limit and
    /// what raises it.
    pub fn check(&self, held: u32, wanted: u32) -> Result<(), FieldErrors> {
        if held.saturating_add(wanted) <= self.max_ips {
            return Ok(());
        }
        let mut params = vec![("Max", self.max_ips.to_string()), ("Held", held.to_string())];
        let rule = match self.next {
            Some(next) => {
                params.push(("Missing", next.missing.to_string()));
                params.push(("NextMax", next.max_ips.to_string()));
                Rule::TooManyHeld
            }
            None => Rule::TooManyHeldAtMost,
        };
        Err(FieldErrors::one("Lines", rule, &params))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_in_views_alone_may_be_none() {
        for limit in Limit::ALL {
            let form = |most: &str| LimitForm { limit: *limit, most: most.into() };
            assert_eq!(validate_limit(&form(" 0 ")).is_ok(), *limit == Limit::ViewChanges, "{limit:?}");
            assert_eq!(validate_limit(&form("20")), Ok(20));
            assert!(validate_limit(&form("00.5")).is_err() && validate_limit(&form("")).is_err());
        }
    }

    const STEPS: [HoldStep; 3] = [
        HoldStep { min_standing: Money::ZERO, max_ips: 20 },
        HoldStep { min_standing: Money::from_minor(5_000), max_ips: 100 },
        HoldStep { min_standing: Money::from_minor(50_000), max_ips: 1_000 },
    ];

    fn limit(balance: i64, paid: i64) -> (u32, Option<(i64, u32)>) {
        let limit = unpaid_hold_limit(&STEPS, Money::from_minor(balance), Money::from_minor(paid)).expect("a limit");
        (limit.max_ips, limit.next.map(|next| (next.missing.minor(), next.max_ips)))
    }

    #[test]
    fn balance_and_payments_together_raise_the_limit() {
        for (balance, paid, expected) in [
            (0, 0, (20, Some((5_000, 100)))),
            (4_999, 0, (20, Some((1, 100)))),
            (5_000, 0, (100, Some((45_000, 1_000)))),
            (0, 5_000, (100, Some((45_000, 1_000)))),
            (2_500, 2_500, (100, Some((45_000, 1_000)))),
            (0, 49_999, (100, Some((1, 1_000)))),
            (50_000, 0, (1_000, None)),
            (i64::MAX, 0, (1_000, None)),
            // More was refunded than the known payments.
            (0, -700, (20, Some((5_000, 100)))),
        ] {
            assert_eq!(limit(balance, paid), expected, "{balance} {paid}");
        }
        assert!(unpaid_hold_limit(&STEPS, Money::from_minor(i64::MAX), Money::from_minor(1)).is_err());
    }

    #[test]
    fn steps_may_be_in_any_order_and_without_steps_nothing_may_be_held() {
        let mut steps = STEPS;
        steps.reverse();
        let found = unpaid_hold_limit(&steps, Money::from_minor(5_000), Money::ZERO);
        assert_eq!(found, unpaid_hold_limit(&STEPS, Money::from_minor(5_000), Money::ZERO));
        let none = unpaid_hold_limit(&[], Money::from_minor(5_000), Money::ZERO);
        assert_eq!(none, Ok(HoldLimit { max_ips: 0, next: None }));
        // A higher step with fewer IPs does not raise the limit.
        let steps = [STEPS[1], HoldStep { min_standing: Money::from_minor(6_000), max_ips: 50 }];
        let found = unpaid_hold_limit(&steps, Money::from_minor(5_500), Money::ZERO);
        assert_eq!(found, Ok(HoldLimit { max_ips: 100, next: None }));
    }

    #[test]
    fn held_and_requested_ips_count_together() {
        let limit = unpaid_hold_limit(&STEPS, Money::ZERO, Money::ZERO).expect("a limit");
        assert_eq!((limit.check(0, 20), limit.check(19, 1), limit.check(20, 0)), (Ok(()), Ok(()), Ok(())));
        for (held, wanted) in [(0, 21), (19, 2), (20, 1), (u32::MAX, 1), (1, u32::MAX)] {
            let errors = limit.check(held, wanted).expect_err("an error");
            let broken = &errors.0["Lines"][0];
            assert_eq!((broken.rule, broken.params["Max"].as_str()), (Rule::TooManyHeld, "20"));
            assert_eq!((broken.params["Missing"].as_str(), broken.params["NextMax"].as_str()), ("50.00", "100"));
        }
        let top = HoldLimit { max_ips: 5, next: None };
        assert_eq!(top.check(0, 6).expect_err("an error").0["Lines"][0].rule, Rule::TooManyHeldAtMost);
    }

    #[test]
    fn a_limit_is_a_number_and_only_higher_steps_can_be_removed() {
        use crate::checks::rules;
        let limit =
            |most: &str| validate_limit(&LimitForm { limit: Limit::OpenTopUps, most: most.to_owned() }).map_err(rules);
        assert_eq!(limit(" 7 "), Ok(7));
        for most in ["", "0", "10001", "x", "-1"] {
            assert_eq!(limit(most), Err(vec!["Most:wholeNumber 10000".to_owned()]), "{most}");
        }
        let step = |from: &str, ips: &str| {
            validate_hold_step(&HoldStepForm { from: from.to_owned(), ips: ips.to_owned() }).map_err(rules)
        };
        assert_eq!(step("50", "70"), Ok((Money::from_minor(5_000), Some(70))));
        assert_eq!(step("50", " "), Ok((Money::from_minor(5_000), None)));
        assert_eq!(step("0", "5"), Ok((Money::ZERO, Some(5))));
        assert_eq!(step("0", ""), Err(vec!["Ips:required".to_owned()]));
        assert_eq!(step("x", "0"), Err(vec!["From:amount".to_owned(), "Ips:wholeNumber 1000000".to_owned()]));
    }
}
