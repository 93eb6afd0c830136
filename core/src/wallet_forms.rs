//! Wallet forms: automatic top-ups, low-balance alert, coupon and invite codes.
use crate::auto_top_up::AutoTopUp;
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::money::Money;
use crate::rule::Rule;
use serde::{Deserialize, Serialize};

pub const INVITE_CODE_MAX_LENGTH: usize = 16;

/// The maximum threshold of automatic top-ups and of the low-balance alert.
pub const MAX_THRESHOLD: Money = Money::from_minor(1_000_000);

/// The maximum monthly limit of automatic top-ups.
pub const MAX_MONTHLY_LIMIT: Money = Money::from_minor(10_000_000);

pub const COUPON_CODE_LENGTH: std::ops::RangeInclusive<usize> = 3..=32;

/// Automatic top-ups, as entered: when the balance falls below `Threshold`, `Amount` is charged, up to `MonthlyLimit` per month.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct AutoTopUpForm {
    pub is_on: bool,
    pub threshold: String,
    pub amount: String,
    pub monthly_limit: String,
}

/// Validates automatic top-ups against the limits of a top-up. `None` if they are turned off; then the other fields are ignored.
pub fn validate_auto_top_up(form: &AutoTopUpForm, min: Money, max: Money) -> Result<Option<AutoTopUp>, FieldErrors> {
    if !form.is_on {
        return Ok(None);
    }
    let mut checks = Checks::default();
    let threshold = checks.amount("Threshold", &form.threshold, Money::from_minor(1), MAX_THRESHOLD);
    let amount = checks.amount("Amount", &form.amount, min, max);
    // A limit below the amount would never permit a charge.
    let least = amount.unwrap_or(min);
    let monthly_limit = checks.amount("MonthlyLimit", &form.monthly_limit, least, MAX_MONTHLY_LIMIT);
    let settings = match (threshold, amount, monthly_limit) {
        (Some(threshold), Some(amount), Some(monthly_limit)) => Some(AutoTopUp { threshold, amount, monthly_limit }),
        _ => None,
    };
    checks.finish(settings)
}

/// The threshold of the low-balance alert; empty to turn it off.
pub fn validate_low_balance_alert(threshold: &str) -> Result<Option<Money>, FieldErrors> {
    if threshold.trim().is_empty() {
        return Ok(None);
    }
    let mut checks = Checks::default();
    let threshold = checks.amount("Threshold", threshold, Money::from_minor(1), MAX_THRESHOLD);
    checks.finish(threshold)
}

/// Whether the balance is below the threshold.
pub fn is_low_balance(threshold: Option<Money>, balance: Money) -> bool {
    threshold.is_some_and(|threshold| balance < threshold)
}

/// Validates a coupon code; returns it in upper case, as stored.
pub fn validate_coupon_code(code: &str) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let code = code.trim().to_ascii_uppercase();
    let is_code = COUPON_CODE_LENGTH.contains(&code.len())
        && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if code.is_empty() {
        checks.broken("Coupon", Rule::Required, &[]);
    } else if !is_code {
        let (min, max) = COUPON_CODE_LENGTH.into_inner();
        checks.broken("Coupon", Rule::CouponCode, &[("Min", min.to_string()), ("Max", max.to_string())]);
    }
    checks.finish(code)
}

/// Validates an invite code, entered or from the query string; returns it in upper case, as stored. May be empty, because referrals are
/// optional.
pub fn validate_invite_code(code: &str) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    let code = check_invite_code(code, &mut checks.0);
    checks.finish(code)
}

pub(crate) fn check_invite_code(code: &str, errors: &mut FieldErrors) -> String {
    let code = code.trim();
    if !code.bytes().all(|byte| byte.is_ascii_alphanumeric()) || code.len() > INVITE_CODE_MAX_LENGTH {
        errors.add("InviteCode", Rule::InviteCode, &[]);
    }
    code.to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auto_top_up::auto_top_up_due;
    use crate::checks::rules;
    use crate::top_up::{MAX_TOP_UP, MIN_TOP_UP};

    fn check(threshold: &str, amount: &str, monthly_limit: &str) -> Result<Option<AutoTopUp>, Vec<String>> {
        let form = AutoTopUpForm {
            is_on: true,
            threshold: threshold.into(),
            amount: amount.into(),
            monthly_limit: monthly_limit.into(),
        };
        validate_auto_top_up(&form, MIN_TOP_UP, MAX_TOP_UP).map_err(rules)
    }

    #[test]
    fn automatic_top_ups_must_be_within_the_limits() {
        for (threshold, amount, monthly_limit, broken) in [
            ("", "", "", vec!["Amount:required", "MonthlyLimit:required", "Threshold:required"]),
            ("0", "20", "100", vec!["Threshold:amountMin 0.01"]),
            ("10000.01", "20", "100", vec!["Threshold:amountMax 10000.00"]),
            ("10", "4.99", "100", vec!["Amount:amountMin 5.00"]),
            ("10", "10000.01", "100000", vec!["Amount:amountMax 10000.00"]),
            ("10", "20", "19.99", vec!["MonthlyLimit:amountMin 20.00"]),
            ("10", "20", "100000.01", vec!["MonthlyLimit:amountMax 100000.00"]),
            ("10", "twenty", "4", vec!["Amount:amount", "MonthlyLimit:amountMin 5.00"]),
        ] {
            let broken: Vec<String> = broken.into_iter().map(str::to_owned).collect();
            assert_eq!(check(threshold, amount, monthly_limit), Err(broken), "{threshold} {amount} {monthly_limit}");
        }
        let form = AutoTopUpForm { threshold: "nonsense".into(), ..AutoTopUpForm::default() };
        assert_eq!(validate_auto_top_up(&form, MIN_TOP_UP, MAX_TOP_UP), Ok(None));
    }

    #[test]
    fn a_top_up_is_due_below_the_threshold_and_within_the_monthly_limit() {
        let settings = check("10", "20", "50").expect("settings").expect("turned on");
        let money = Money::from_minor;
        for (balance, charged, due) in
            [(999, 0, Some(2_000)), (1_000, 0, None), (0, 3_000, Some(2_000)), (0, 3_001, None), (0, i64::MAX, None)]
        {
            assert_eq!(
                auto_top_up_due(&settings, money(balance), money(charged)),
                due.map(money),
                "{balance} {charged}"
            );
        }
    }

    #[test]
    fn an_alert_has_a_threshold_or_is_off() {
        assert_eq!(validate_low_balance_alert(" "), Ok(None));
        assert_eq!(validate_low_balance_alert("12.5"), Ok(Some(Money::from_minor(1_250))));
        assert_eq!(validate_low_balance_alert("0").map_err(rules), Err(vec!["Threshold:amountMin 0.01".into()]));
    }

    #[test]
    fn a_balance_is_low_below_the_threshold_and_never_without_one() {
        let money = Money::from_minor;
        for (threshold, balance, is_low) in
            [(Some(1_000), 999, true), (Some(1_000), 1_000, false), (Some(1), 0, true), (None, 0, false)]
        {
            assert_eq!(is_low_balance(threshold.map(money), money(balance)), is_low, "{threshold:?} {balance}");
        }
    }

    #[test]
    fn codes_are_stored_in_upper_case() {
        assert_eq!(validate_coupon_code(" autumn-26 "), Ok("AUTUMN-26".into()));
        assert_eq!(validate_coupon_code("").map_err(rules), Err(vec!["Coupon:required".into()]));
        for code in ["ab", "a b c", "é-coupon", &"A".repeat(33)] {
            assert_eq!(validate_coupon_code(code).map_err(rules), Err(vec!["Coupon:couponCode 32 3".into()]), "{code}");
        }
        assert_eq!(validate_invite_code(" ab12cd "), Ok("AB12CD".into()));
        assert_eq!(validate_invite_code(""), Ok(String::new()));
        for code in ["a b", "a-b", &"A".repeat(17)] {
            assert_eq!(validate_invite_code(code).map_err(rules), Err(vec!["InviteCode:inviteCode".into()]), "{code}");
        }
    }
}
