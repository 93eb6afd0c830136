//! Operator forms: coupons, refunds, credits, and accounts' terms.
use crate::account::AccountState;
use crate::checks::Checks;
use crate::coupon::{Benefit, Coupon};
use crate::field_errors::FieldErrors;
use crate::money::{Money, display_percent};
use crate::permission::Level;
use crate::refund::{RefundError, refund_amount};
use crate::reseller::{AccountTerms, MAX_DISCOUNT_BASIS_POINTS};
use crate::rule::Rule;
use crate::staff::StaffRole;
use crate::tier::Catalogue;
use crate::time::from_wire;
use crate::traffic::TRAFFIC_PRODUCT;
use crate::wallet_forms::validate_coupon_code;
use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};

pub const REASON_MAX_LENGTH: usize = 200;

/// The maximum amount that an operator can enter: a million.
pub const MAX_AMOUNT: Money = Money::from_minor(100_000_000);

pub const MAX_COUPON_USES: u32 = 1_000_000;

/// A coupon form, as entered.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct CouponForm {
    /// What customers enter: letters, digits and hyphens.
    pub code: String,
    /// Percent with up to two decimal places, `15` or `12.5`; empty for an amount coupon.
    pub percent: String,
    /// An amount; empty for a percentage coupon.
    pub amount: String,
    /// Empty for none.
    pub minimum: String,
    /// `VerStr` of tiers, or `rotating residential proxies plan` for residential traffic; empty for all.
    pub products: Vec<String>,
    /// Orders per account, a whole number; empty for no limit.
    pub uses_per_account: String,
    /// Orders of all accounts together, a whole number; empty for no limit.
    pub total_uses: String,
    /// Whether it is only for accounts that have paid no order yet.
    pub first_order_only: bool,
    /// `YYYY-MM-DD HH:mm:ss` in UTC; empty for no start.
    pub valid_from: String,
    /// `YYYY-MM-DD HH:mm:ss` in UTC, exclusive; empty for no end.
    pub valid_until: String,
}

/// Validates a coupon and returns it as stored. `products` are deduplicated.
pub fn validate_coupon(form: &CouponForm, catalogue: &Catalogue) -> Result<Coupon, FieldErrors> {
    let mut checks = Checks::default();
    let code = match validate_coupon_code(&form.code) {
        Ok(code) => code,
        Err(errors) => {
            for broken in errors.0.into_values().flatten() {
                checks.0.0.entry("Code".to_owned()).or_default().push(broken);
            }
            String::new()
        }
    };
    let benefit = check_benefit(form, &mut checks);
    let minimum = match form.minimum.trim() {
        "" => Some(Money::ZERO),
        text => checks.amount("Minimum", text, Money::ZERO, MAX_AMOUNT),
    };
    let mut products: Vec<String> = Vec::new();
    for product in &form.products {
        if catalogue.tier(product).is_none() && product != TRAFFIC_PRODUCT {
            checks.broken("Products", Rule::UnknownTier, &[]);
            break;
        }
        if !products.contains(product) {
            products.push(product.clone());
        }
    }
    let uses_per_account = check_uses("UsesPerAccount", &form.uses_per_account, &mut checks);
    let total_uses = check_uses("TotalUses", &form.total_uses, &mut checks);
    let first_order_only = form.first_order_only;
    let valid_from = check_time("ValidFrom", &form.valid_from, &mut checks);
    let valid_until = check_time("ValidUntil", &form.valid_until, &mut checks);
    if let (Some(from), Some(until)) = (valid_from, valid_until)
        && until <= from
    {
        checks.broken("ValidUntil", Rule::EndsBeforeItBegins, &[]);
    }
    let (benefit, minimum) = match (benefit, minimum) {
        (Some(benefit), Some(minimum)) => (benefit, minimum),
        _ => return Err(checks.0),
    };
    checks.finish(Coupon {
        code,
        benefit,
        minimum,
        products,
        uses_per_account,
        total_uses,
        first_order_only,
        valid_from,
        valid_until,
    })
}

fn check_benefit(form: &CouponForm, checks: &mut Checks) -> Option<Benefit> {
    match (form.percent.trim(), form.amount.trim()) {
        ("", "") => {
            checks.broken("Percent", Rule::PercentOrAmount, &[]);
            None
        }
        ("", amount) => checks.amount("Amount", amount, Money::from_minor(1), MAX_AMOUNT).map(Benefit::Amount),
        (percent, "") => {
            let basis_points = basis_points(percent);
            let benefit = basis_points.filter(|points| (1..=10_000).contains(points)).map(Benefit::Percent);
            if benefit.is_none() {
                checks.broken("Percent", Rule::Percent, &[]);
            }
            benefit
        }
        _ => {
            checks.broken("Amount", Rule::PercentOrAmount, &[]);
            None
        }
    }
}

/// A percentage as entered, in hundredths of a percent. Parsed like an amount, because both have at most two decimal places.
pub(crate) fn basis_points(percent: &str) -> Option<u32> {
    Money::read(percent).ok().and_then(|percent| u32::try_from(percent.minor()).ok())
}

/// A number of orders; empty for no limit.
fn check_uses(field: &str, text: &str, checks: &mut Checks) -> Option<u32> {
    if text.trim().is_empty() { None } else { checks.count(field, text, MAX_COUPON_USES) }
}

fn check_time(field: &str, text: &str, checks: &mut Checks) -> Option<NaiveDateTime> {
    let text = text.trim();
    let time = from_wire(text);
    if !text.is_empty() && time.is_none() {
        checks.broken(field, Rule::Time, &[]);
    }
    time
}

/// An operator's credit, or refund of a fixed amount.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct ReasonedAmountForm {
    pub amount: String,
    /// The reason shown to the customer and in the audit log.
    pub reason: String,
}

/// The maximum length of the operators' note about an account.
pub const NOTE_MAX_LENGTH: usize = 2_000;

/// Validates the operators' note about an account, which may be empty.
pub fn validate_account_note(note: &str) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let note = checks.lines("Note", note, NOTE_MAX_LENGTH);
    checks.finish(note)
}

/// Validates an amount that has arrived.
pub fn validate_received(amount: &str) -> Result<Money, FieldErrors> {
    let mut checks = Checks::default();
    let amount = checks.amount("Amount", amount, Money::from_minor(1), MAX_AMOUNT);
    checks.finish(amount.unwrap_or_default())
}

/// Validates a change of a wallet; returns its amount and its reason, which the customer sees.
pub fn validate_credit(form: &ReasonedAmountForm) -> Result<(Money, String), FieldErrors> {
    let mut checks = Checks::default();
    let amount = checks.amount("Amount", &form.amount, Money::from_minor(1), MAX_AMOUNT);
    let reason = checks.required_line("Reason", &form.reason, REASON_MAX_LENGTH);
    checks.finish((amount.unwrap_or_default(), reason))
}

/// Validates the reason for suspending or resuming an account; returns it as stored. Only a suspension needs one.
pub fn validate_state_reason(state: AccountState, reason: &str) -> Result<String, FieldErrors> {
    if state == AccountState::Suspended {
        return validate_reason(reason);
    }
    let mut checks = Checks::default();
    let reason = checks.line("Reason", reason, REASON_MAX_LENGTH);
    checks.finish(reason)
}

/// Validates the reason that an operator gives, which the customer sees; returns it as stored.
pub fn validate_reason(reason: &str) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let reason = checks.required_line("Reason", reason, REASON_MAX_LENGTH);
    checks.finish(reason)
}

/// Validates a refund of an order with total `paid`, of which `refunded` was refunded before; returns the amount and the reason.
pub fn validate_refund(
    form: &ReasonedAmountForm,
    paid: Money,
    refunded: Money,
) -> Result<(Money, String), FieldErrors> {
    let (amount, reason) = validate_credit(form)?;
    match refund_amount(paid, refunded, amount) {
        Ok(_) => Ok((amount, reason)),
        Err(RefundError::MoreThanLeft { left }) => {
            Err(FieldErrors::one("Amount", Rule::AmountMax, &[("Max", left.to_string())]))
        }
        Err(_) => Err(FieldErrors::one("Amount", Rule::Amount, &[])),
    }
}

/// The terms of an account, as entered.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct AccountTermsForm {
    /// 0 customer, 1 reseller, 2 operator.
    #[cfg_attr(feature = "openapi", schema(value_type = Level))]
    pub level: u8,
    /// A reseller's discount in percent with up to two decimal places, `15` or `12.5`; empty for all others.
    pub discount: String,
    /// What an operator's account (level 2) may do; null for everything.
    pub role: Option<StaffRole>,
}

/// Validates the terms of an account. Whether they may be granted is decided by `reseller::operator_can_grant`.
pub fn validate_account_terms(form: &AccountTermsForm) -> Result<AccountTerms, FieldErrors> {
    let mut checks = Checks::default();
    let level = Level::from_number(form.level);
    if level.is_none() {
        checks.broken("Level", Rule::UnknownLevel, &[]);
    }
    let reseller_basis_points = match (level, form.discount.trim()) {
        (Some(Level::Reseller), "") => {
            checks.broken("Discount", Rule::Required, &[]);
            0
        }
        (Some(Level::Reseller), discount) => {
            let basis_points = basis_points(discount).filter(|points| *points <= MAX_DISCOUNT_BASIS_POINTS);
            if basis_points.is_none() {
                checks.broken("Discount", Rule::Discount, &[("Max", display_percent(MAX_DISCOUNT_BASIS_POINTS))]);
            }
            basis_points.unwrap_or_default()
        }
        (_, "") => 0,
        _ => {
            checks.broken("Discount", Rule::DiscountOfResellers, &[]);
            0
        }
    };
    match level {
        Some(level) => {
            let role = form.role.filter(|_| level == Level::Operator).unwrap_or(StaffRole::Operator);
            checks.finish(AccountTerms { level, reseller_basis_points, role })
        }
        None => Err(checks.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    fn form() -> CouponForm {
        CouponForm { code: "autumn".into(), percent: "12.5".into(), ..CouponForm::default() }
    }

    #[test]
    fn invalid_coupons_are_rejected() {
        for (form, broken) in [
            (CouponForm { code: "a b".into(), ..form() }, "Code:couponCode 32 3"),
            (CouponForm { code: String::new(), ..form() }, "Code:required"),
            (CouponForm { percent: String::new(), ..form() }, "Percent:percentOrAmount"),
            (CouponForm { amount: "5".into(), ..form() }, "Amount:percentOrAmount"),
            (CouponForm { percent: "0".into(), ..form() }, "Percent:percent"),
            (CouponForm { percent: "100.01".into(), ..form() }, "Percent:percent"),
            (CouponForm { percent: "-5".into(), ..form() }, "Percent:percent"),
            (CouponForm { percent: "12.555".into(), ..form() }, "Percent:percent"),
            (CouponForm { percent: String::new(), amount: "0".into(), ..form() }, "Amount:amountMin 0.01"),
            (CouponForm { minimum: "-1".into(), ..form() }, "Minimum:amountMin 0.00"),
            (CouponForm { products: vec!["mobile plan".into()], ..form() }, "Products:unknownTier"),
            (CouponForm { uses_per_account: "0".into(), ..form() }, "UsesPerAccount:wholeNumber 1000000"),
            (CouponForm { uses_per_account: "+1".into(), ..form() }, "UsesPerAccount:wholeNumber 1000000"),
            (CouponForm { total_uses: "1000001".into(), ..form() }, "TotalUses:wholeNumber 1000000"),
            (CouponForm { valid_from: "tomorrow".into(), ..form() }, "ValidFrom:time"),
            (
                CouponForm {
                    valid_from: "2026-10-01 00:00:00".into(),
                    valid_until: "2026-10-01 00:00:00".into(),
                    ..form()
                },
                "ValidUntil:endsBeforeItBegins",
            ),
        ] {
            assert_eq!(rules(validate_coupon(&form, &Catalogue::default()).expect_err("errors")), [broken], "{form:?}");
        }
    }

    #[test]
    fn a_coupon_is_stored_in_upper_case_and_hundredths_of_a_percent() {
        let regular = "shared ISP proxies plan".to_owned();
        let form = CouponForm {
            minimum: "20".into(),
            products: vec![regular.clone(), regular.clone()],
            uses_per_account: " 3 ".into(),
            valid_until: "2026-12-01 00:00:00".into(),
            ..form()
        };
        let coupon = validate_coupon(&form, &Catalogue::default()).expect("a coupon");
        assert_eq!((coupon.code.as_str(), coupon.benefit), ("AUTUMN", Benefit::Percent(1_250)));
        assert_eq!((coupon.minimum.minor(), coupon.products, coupon.uses_per_account), (2_000, vec![regular], Some(3)));
        assert_eq!((coupon.valid_from, coupon.valid_until), (None, from_wire("2026-12-01 00:00:00")));
        let form = CouponForm { code: "five".into(), amount: "5".into(), ..CouponForm::default() };
        let coupon = validate_coupon(&form, &Catalogue::default()).expect("a coupon");
        assert_eq!(coupon.benefit, Benefit::Amount(Money::from_minor(500)));
    }

    #[test]
    fn credits_and_refunds_have_a_reason_and_a_limit() {
        let money = Money::from_minor;
        let form = |amount: &str, reason: &str| ReasonedAmountForm { amount: amount.into(), reason: reason.into() };
        assert_eq!(
            validate_credit(&form("0", " ")).map_err(rules),
            Err(vec!["Amount:amountMin 0.01".into(), "Reason:required".into()])
        );
        assert_eq!(validate_credit(&form("12.5", " late ")), Ok((money(1_250), "late".into())));
        let refund = |amount: &str| validate_refund(&form(amount, "slow"), money(1_500), money(500)).map_err(rules);
        assert_eq!(refund("10.01"), Err(vec!["Amount:amountMax 10.00".into()]));
        assert_eq!(refund("10"), Ok((money(1_000), "slow".into())));
        assert_eq!(
            validate_refund(&form("1", "slow"), money(1), money(2)).map_err(rules),
            Err(vec!["Amount:amount".into()])
        );
    }

    #[test]
    fn suspending_an_account_needs_a_reason() {
        let check = |state, reason: &str| validate_state_reason(state, reason).map_err(rules);
        assert_eq!(check(AccountState::Suspended, " "), Err(vec!["Reason:required".to_owned()]));
        assert_eq!(check(AccountState::Suspended, &"r".repeat(201)), Err(vec!["Reason:maxLength 200".to_owned()]));
        assert_eq!(check(AccountState::Suspended, " chargebacks "), Ok("chargebacks".to_owned()));
        assert_eq!(check(AccountState::Active, ""), Ok(String::new()));
    }

    #[test]
    fn only_resellers_have_a_discount() {
        let check = |level: u8, discount: &str| {
            validate_account_terms(&AccountTermsForm { level, discount: discount.into(), role: None })
                .map(|terms| terms.reseller_basis_points)
                .map_err(rules)
        };
        for (level, discount, broken) in [
            (1, " ", "Discount:required"),
            (1, "90.01", "Discount:discount 90%"),
            (1, "-1", "Discount:discount 90%"),
            (1, "12.555", "Discount:discount 90%"),
            (1, "15 %", "Discount:discount 90%"),
            (0, "15", "Discount:discountOfResellers"),
            (2, "15", "Discount:discountOfResellers"),
        ] {
            assert_eq!(check(level, discount), Err(vec![broken.to_owned()]), "{level} {discount}");
        }
        assert_eq!(check(3, ""), Err(vec!["Level:unknownLevel".to_owned()]));
        assert_eq!((check(1, " 12.5 "), check(1, "90"), check(1, "0")), (Ok(1_250), Ok(9_000), Ok(0)));
        assert_eq!((check(0, ""), check(2, " ")), (Ok(0), Ok(0)));
    }
}
