//! Manual wallet top-ups: validation of the amount.
use crate::field_errors::FieldErrors;
use crate::money::Money;
use crate::rule::Rule;

/// The default limits of top-ups, which the seller can change.
pub const MIN_TOP_UP: Money = Money::from_minor(500);

pub const MAX_TOP_UP: Money = Money::from_minor(1_000_000);

pub const TOP_UP_PRESETS: [Money; 5] = [
    Money::from_minor(2_000),
    Money::from_minor(5_000),
    Money::from_minor(10_000),
    Money::from_minor(20_000),
    Money::from_minor(50_000),
];

/// Validates a top-up's amount, as entered, against the shop's limits.
pub fn validate_top_up(amount: &str, min: Money, max: Money) -> Result<Money, FieldErrors> {
    let text = amount.trim();
    if text.is_empty() {
        return Err(FieldErrors::one("Amount", Rule::Required, &[]));
    }
    let amount = Money::read(text).map_err(|_| FieldErrors::one("Amount", Rule::Amount, &[]))?;
    if amount < min {
        return Err(FieldErrors::one("Amount", Rule::AmountMin, &[("Min", min.to_string())]));
    }
    if amount > max {
        return Err(FieldErrors::one("Amount", Rule::AmountMax, &[("Max", max.to_string())]));
    }
    Ok(amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rule_keys as rules;

    #[test]
    fn a_top_up_must_be_within_the_limits() {
        for (amount, rule) in [
            ("", "required"),
            ("ten", "amount"),
            ("1e2", "amount"),
            ("4.99", "amountMin"),
            ("10000.01", "amountMax"),
            ("-5", "amountMin"),
        ] {
            let errors = validate_top_up(amount, MIN_TOP_UP, MAX_TOP_UP).expect_err("errors");
            assert_eq!(rules(errors), [format!("Amount:{rule}")], "{amount}");
        }
        assert_eq!(validate_top_up(" 100 ", MIN_TOP_UP, MAX_TOP_UP), Ok(Money::from_minor(10_000)));
    }
}
