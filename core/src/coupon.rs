//! Coupons: their discounts, and when they may be used.
//!
//! One coupon per order, applied after all other discounts (period, quantity, reseller). It applies only to the lines of its products; its
//! minimum is compared with the total of those lines before the coupon, and its discount never exceeds that total.
use crate::field_errors::FieldErrors;
use crate::money::{Money, MoneyError};
use crate::order::OrderState;
use crate::rule::Rule;
use crate::time::to_wire;
use crate::wire_enum::wire_enum;
use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};

/// The error of an unusable coupon, at the field `Coupon`.
pub fn coupon_error_fields(error: CouponError) -> FieldErrors {
    match error {
        CouponError::NotAPercentage => FieldErrors::one("Coupon.Benefit.Percent", Rule::Percent, &[]),
        CouponError::NotAnAmount => FieldErrors::one("Coupon.Benefit.Amount", Rule::Amount, &[]),
        CouponError::Unknown => FieldErrors::one("Coupon", Rule::CouponUnknown, &[]),
        CouponError::NotYet { valid_from } => {
            FieldErrors::one("Coupon", Rule::CouponNotYet, &[("From", to_wire(valid_from))])
        }
        CouponError::Ended => FieldErrors::one("Coupon", Rule::CouponEnded, &[]),
        CouponError::UsedUp { limit } => {
            FieldErrors::one("Coupon", Rule::CouponUsedUp, &[("Limit", limit.to_string())])
        }
        CouponError::AllUsed => FieldErrors::one("Coupon", Rule::CouponAllUsed, &[]),
        CouponError::NotFirstOrder => FieldErrors::one("Coupon", Rule::CouponFirstOrder, &[]),
        CouponError::OtherProducts => FieldErrors::one("Coupon", Rule::CouponOtherProducts, &[]),
        CouponError::BelowMinimum { minimum } => {
            FieldErrors::one("Coupon", Rule::CouponMinimum, &[("Min", minimum.to_string())])
        }
    }
}

/// The discount of a coupon, on the wire `{"Percent": 1500}` (hundredths of a percent) or `{"Amount": "5.00"}`.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub enum Benefit {
    /// Hundredths of a percent of the lines' total, 1 to 10,000.
    Percent(u32),
    /// An amount in the shop's currency, above zero; limited to the lines' total.
    Amount(Money),
}

/// A coupon as stored.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Coupon {
    /// Upper case.
    pub code: String,
    /// `Percent` in hundredths of a percent, so that 1500 takes off 15 %, or `Amount` in the shop's currency.
    #[cfg_attr(feature = "tsify", tsify(type = "{ Percent: number } | { Amount: string }"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub benefit: Benefit,
    /// The minimum total of the coupon's lines, after the other discounts.
    pub minimum: Money,
    /// `VerStr` of the tiers it applies to, or `rotating residential proxies plan` for residential traffic; empty for all.
    #[serde(default)]
    pub products: Vec<String>,
    /// Maximum number of orders per account, counted together with accounts whose e-mail addresses are aliases of the same inbox; absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses_per_account: Option<u32>,
    /// Maximum number of orders of all accounts together; absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_uses: Option<u32>,
    /// Whether it is only for accounts that have paid no order yet, top-ups aside.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub first_order_only: bool,
    /// When it becomes valid, in UTC; absent for no start.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::time::wire_option")]
    #[cfg_attr(feature = "tsify", tsify(type = "string", optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub valid_from: Option<NaiveDateTime>,
    /// When it ceases to be valid, in UTC; absent for no end.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::time::wire_option")]
    #[cfg_attr(feature = "tsify", tsify(type = "string", optional))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub valid_until: Option<NaiveDateTime>,
}

wire_enum! {
    /// Whether a coupon can be used, by its times.
    CouponState { Planned = "planned", Usable = "usable", Ended = "ended" }
}

/// Whether an order in this state counts as a use of its coupon. Cancelled and expired orders do not.
pub fn counts_as_use(state: OrderState) -> bool {
    !matches!(state, OrderState::Cancelled | OrderState::Expired)
}

/// What decides whether an account may use a coupon once more. Unpaid orders count as uses.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct CouponUses {
    pub by_account: u32,
    /// By all accounts; needed only for coupons with `total_uses`.
    pub in_total: u32,
    /// Whether the account has paid an order that is no top-up; needed only for coupons with `first_order_only`.
    pub has_paid_order: bool,
}

/// Why a coupon does not apply to an order.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CouponError {
    /// There is no coupon with this code.
    Unknown,
    NotYet {
        valid_from: NaiveDateTime,
    },
    Ended,
    UsedUp {
        limit: u32,
    },
    /// All accounts together have used it as often as they may.
    AllUsed,
    /// The account has paid an order before.
    NotFirstOrder,
    /// The order has none of the coupon's products.
    OtherProducts,
    BelowMinimum {
        minimum: Money,
    },
    /// It takes off nothing, or more than 100 %.
    NotAPercentage,
    /// It takes off nothing, or less.
    NotAnAmount,
}

impl Coupon {
    /// Checks that it takes something off, and at most everything. Stored coupons do.
    pub fn check_benefit(&self) -> Result<(), CouponError> {
        match self.benefit {
            Benefit::Percent(basis_points) if !(1..=10_000).contains(&basis_points) => Err(CouponError::NotAPercentage),
            Benefit::Amount(amount) if amount.minor() <= 0 => Err(CouponError::NotAnAmount),
            _ => Ok(()),
        }
    }

    /// Checks whether an account that has used the coupon this often may use it now. The quote checks the order itself.
    pub fn check(&self, now: NaiveDateTime, used: CouponUses) -> Result<(), CouponError> {
        match (self.state(now), self.valid_from) {
            (CouponState::Planned, Some(valid_from)) => return Err(CouponError::NotYet { valid_from }),
            (CouponState::Ended, _) => return Err(CouponError::Ended),
            _ => {}
        }
        if let Some(limit) = self.uses_per_account.filter(|limit| used.by_account >= *limit) {
            return Err(CouponError::UsedUp { limit });
        }
        if self.total_uses.is_some_and(|limit| used.in_total >= limit) {
            return Err(CouponError::AllUsed);
        }
        if self.first_order_only && used.has_paid_order { Err(CouponError::NotFirstOrder) } else { Ok(()) }
    }

    pub fn state(&self, now: NaiveDateTime) -> CouponState {
        if self.valid_until.is_some_and(|until| now >= until) {
            CouponState::Ended
        } else if self.valid_from.is_some_and(|from| now < from) {
            CouponState::Planned
        } else {
            CouponState::Usable
        }
    }

    /// Whether it applies to lines of this tier.
    pub fn covers(&self, ver_str: &str) -> bool {
        self.products.is_empty() || self.products.iter().any(|product| product == ver_str)
    }

    /// Hundredths of a percent; 0 for an amount coupon.
    pub fn basis_points(&self) -> u32 {
        match self.benefit {
            Benefit::Percent(basis_points) => basis_points,
            Benefit::Amount(_) => 0,
        }
    }

    /// The discount on lines with this total: between zero and the total.
    pub fn discount(&self, cost: Money) -> Result<Money, MoneyError> {
        match self.benefit {
            Benefit::Percent(basis_points) => cost.share(basis_points.min(10_000)),
            Benefit::Amount(amount) => Ok(amount.max(Money::ZERO).min(cost)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::from_wire;

    fn coupon(benefit: Benefit) -> Coupon {
        Coupon {
            code: "AUTUMN".into(),
            benefit,
            minimum: Money::ZERO,
            products: Vec::new(),
            uses_per_account: Some(2),
            total_uses: Some(9),
            first_order_only: false,
            valid_from: from_wire("2026-10-01 00:00:00"),
            valid_until: from_wire("2026-11-01 00:00:00"),
        }
    }

    #[test]
    fn a_coupon_takes_something_off_and_at_most_everything() {
        for (benefit, error) in [
            (Benefit::Percent(0), Some(CouponError::NotAPercentage)),
            (Benefit::Percent(1), None),
            (Benefit::Percent(10_000), None),
            (Benefit::Percent(10_001), Some(CouponError::NotAPercentage)),
            (Benefit::Amount(Money::from_minor(1)), None),
            (Benefit::Amount(Money::ZERO), Some(CouponError::NotAnAmount)),
            (Benefit::Amount(Money::from_minor(-1)), Some(CouponError::NotAnAmount)),
        ] {
            assert_eq!(coupon(benefit).check_benefit().err(), error, "{benefit:?}");
        }
    }

    #[test]
    fn a_coupon_is_refused_outside_its_period_and_beyond_its_uses() {
        let coupon = coupon(Benefit::Percent(1_000));
        let check = |now: &str, by_account| {
            coupon.check(from_wire(now).expect("a time"), CouponUses { by_account, ..CouponUses::default() })
        };
        let valid_from = from_wire("2026-10-01 00:00:00").expect("a time");
        assert_eq!(check("2026-09-30 23:59:59", 0), Err(CouponError::NotYet { valid_from }));
        assert_eq!(check("2026-11-01 00:00:00", 0), Err(CouponError::Ended));
        assert_eq!(check("2026-10-15 12:00:00", 2), Err(CouponError::UsedUp { limit: 2 }));
        assert_eq!(check("2026-10-01 00:00:00", 0), Ok(()));
        assert_eq!(check("2026-10-31 23:59:59", 1), Ok(()));
    }

    #[test]
    fn a_coupon_is_used_up_by_all_accounts_and_may_be_for_first_orders() {
        let now = from_wire("2026-10-15 12:00:00").expect("a time");
        let coupon = Coupon { uses_per_account: None, first_order_only: true, ..coupon(Benefit::Percent(1_000)) };
        let used = CouponUses { by_account: 8, in_total: 8, has_paid_order: false };
        assert_eq!(coupon.check(now, used), Ok(()));
        assert_eq!(coupon.check(now, CouponUses { in_total: 9, ..used }), Err(CouponError::AllUsed));
        assert_eq!(coupon.check(now, CouponUses { has_paid_order: true, ..used }), Err(CouponError::NotFirstOrder));
    }

    #[test]
    fn cancelled_and_expired_orders_do_not_count_as_a_use() {
        let used: Vec<_> = OrderState::ALL.iter().copied().filter(|state| counts_as_use(*state)).collect();
        assert_eq!(used.len(), OrderState::ALL.len() - 2);
        assert!(used.contains(&OrderState::Unpaid) && used.contains(&OrderState::Refunded));
    }

    #[test]
    fn a_coupon_never_exceeds_the_total_of_its_lines() {
        let cost = Money::from_minor(1_001);
        for (benefit, discount) in [
            (Benefit::Percent(1_500), 150),
            (Benefit::Percent(10_000), 1_001),
            (Benefit::Percent(99_999), 1_001),
            (Benefit::Amount(Money::from_minor(500)), 500),
            (Benefit::Amount(Money::from_minor(5_000)), 1_001),
            (Benefit::Amount(Money::from_minor(-5)), 0),
        ] {
            assert_eq!(coupon(benefit).discount(cost), Ok(Money::from_minor(discount)), "{benefit:?}");
        }
    }

    #[test]
    fn a_coupon_round_trips_through_json() {
        let written = serde_json::to_string(&coupon(Benefit::Amount(Money::from_minor(500)))).expect("json");
        assert_eq!(
            written,
            r#"{"Code":"AUTUMN","Benefit":{"Amount":"5.00"},"Minimum":"0.00","Products":[],"UsesPerAccount":2,"TotalUses":9,"ValidFrom":"2026-10-01 00:00:00","ValidUntil":"2026-11-01 00:00:00"}"#
        );
        assert_eq!(
            serde_json::from_str::<Coupon>(&written).ok(),
            Some(coupon(Benefit::Amount(Money::from_minor(500))))
        );
        let bare = r#"{"Code":"A","Benefit":{"Percent":500},"Minimum":"10.00"}"#;
        assert_eq!(serde_json::from_str::<Coupon>(bare).ok().map(|coupon| coupon.minimum.minor()), Some(1_000));
    }
}
