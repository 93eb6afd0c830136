//! The seller's changes of prices, as entered: periods, steps and discounts of both catalogues.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::money::{Money, display_percent};
use crate::operator_forms::{MAX_AMOUNT, basis_points};
use crate::quote::MAX_QUANTITY;
use crate::reseller::MAX_DISCOUNT_BASIS_POINTS;
use crate::rule::Rule;
use crate::tier::Catalogue;
use crate::traffic::{MAX_GIGABYTES, TrafficCatalogue};

/// The longest period that can be sold: ten years.
pub const MAX_PERIOD_DAYS: u32 = 3_650;

/// A change, as entered.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PriceForm {
    /// The price per gigabyte for orders of at least this many gigabytes. Period 0 is traffic without expiry.
    SetTraffic {
        period: String,
        from_gb: String,
        price: String,
    },
    RemoveTraffic {
        period: String,
        from_gb: String,
    },
    /// Price per IP and 30 days.
    SetTier {
        ver_str: String,
        price: String,
    },
    SetPeriod {
        days: String,
        discount: String,
    },
    RemovePeriod {
        days: String,
    },
    /// The discount for orders of at least this many IPs.
    SetStep {
        min: String,
        discount: String,
    },
    RemoveStep {
        min: String,
    },
}

/// A validated change.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PriceChange {
    SetTraffic { period_days: u32, min_gigabytes: u32, price: Money },
    RemoveTraffic { period_days: u32, min_gigabytes: u32 },
    SetTier { ver_str: String, price: Money },
    SetPeriod { period_days: u32, discount_basis_points: u32 },
    RemovePeriod { period_days: u32 },
    SetStep { min_quantity: u32, discount_basis_points: u32 },
    RemoveStep { min_quantity: u32 },
}

/// The current prices, against which changes are validated.
pub struct Prices {
    pub catalogue: Catalogue,
    pub traffic: TrafficCatalogue,
}

/// Validates a change of the shop's prices. The last period and the last traffic price cannot be removed, because order forms need one.
pub fn validate_price(form: &PriceForm, shop: &Prices) -> Result<PriceChange, FieldErrors> {
    let mut checks = Checks::default();
    let change = match form {
        PriceForm::SetTraffic { period, from_gb, price } => PriceChange::SetTraffic {
            period_days: number("Period", period, 0, MAX_PERIOD_DAYS, &mut checks),
            min_gigabytes: number("FromGb", from_gb, 1, MAX_GIGABYTES, &mut checks),
            price: check_price(price, &mut checks),
        },
        PriceForm::RemoveTraffic { period, from_gb } => {
            let period_days = number("Period", period, 0, MAX_PERIOD_DAYS, &mut checks);
            let min_gigabytes = number("FromGb", from_gb, 1, MAX_GIGABYTES, &mut checks);
            let offer = shop.traffic.offer(period_days);
            let is_step = offer.is_some_and(|offer| offer.steps.iter().any(|step| step.min_gigabytes == min_gigabytes));
            if offer.is_none() {
                missing("Period", period, &mut checks);
            } else if !is_step {
                missing("FromGb", from_gb, &mut checks);
            } else if shop.traffic.offers.iter().map(|offer| offer.steps.len()).sum::<usize>() == 1 {
                checks.broken("FromGb", Rule::LastPrice, &[]);
            }
            PriceChange::RemoveTraffic { period_days, min_gigabytes }
        }
        PriceForm::SetTier { ver_str, price } => {
            if shop.catalogue.tier(ver_str).is_none() {
                missing("VerStr", ver_str, &mut checks);
            }
            PriceChange::SetTier { ver_str: ver_str.clone(), price: check_price(price, &mut checks) }
        }
        PriceForm::SetPeriod { days, discount } => PriceChange::SetPeriod {
            period_days: number("Days", days, 1, MAX_PERIOD_DAYS, &mut checks),
            discount_basis_points: check_discount(discount, &mut checks),
        },
        PriceForm::RemovePeriod { days } => {
            let period_days = number("Days", days, 1, MAX_PERIOD_DAYS, &mut checks);
            if shop.catalogue.period(period_days).is_none() {
                missing("Days", days, &mut checks);
            } else if shop.catalogue.periods.len() == 1 {
                checks.broken("Days", Rule::LastPrice, &[]);
            }
            PriceChange::RemovePeriod { period_days }
        }
        PriceForm::SetStep { min, discount } => PriceChange::SetStep {
            min_quantity: number("Min", min, 1, MAX_QUANTITY, &mut checks),
            discount_basis_points: check_discount(discount, &mut checks),
        },
        PriceForm::RemoveStep { min } => {
            let min_quantity = number("Min", min, 1, MAX_QUANTITY, &mut checks);
            if shop.catalogue.quantity_steps.iter().all(|step| step.min_quantity != min_quantity) {
                missing("Min", min, &mut checks);
            }
            PriceChange::RemoveStep { min_quantity }
        }
    };
    checks.finish(change)
}

/// The error for removing a period with which this many IPs renew automatically.
pub fn period_renews(count: u64) -> FieldErrors {
    FieldErrors::one("Days", Rule::PeriodRenews, &[("Count", count.to_string())])
}

/// Reports that no such price exists, unless the values are already invalid.
fn missing(field: &str, text: &str, checks: &mut Checks) {
    if checks.0.is_empty() {
        checks.broken(field, Rule::NoSuchPrice, &[("Value", text.trim().to_owned())]);
    }
}

fn number(field: &str, text: &str, min: u32, max: u32, checks: &mut Checks) -> u32 {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| text.parse().ok()).flatten().filter(|number| (min..=max).contains(number));
    if number.is_none() {
        let rule = if min == 0 { Rule::WholeNumberOrZero } else { Rule::WholeNumber };
        checks.broken(field, rule, &[("Max", max.to_string())]);
    }
    number.unwrap_or_default()
}

fn check_price(text: &str, checks: &mut Checks) -> Money {
    checks.amount("Price", text, Money::from_minor(1), MAX_AMOUNT).unwrap_or_default()
}

fn check_discount(text: &str, checks: &mut Checks) -> u32 {
    let discount = basis_points(text.trim()).filter(|points| *points <= MAX_DISCOUNT_BASIS_POINTS);
    if discount.is_none() {
        checks.broken("Discount", Rule::Discount, &[("Max", display_percent(MAX_DISCOUNT_BASIS_POINTS))]);
    }
    discount.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    fn shop() -> Prices {
        Prices { catalogue: Catalogue::default(), traffic: TrafficCatalogue::default() }
    }

    fn text(text: &str) -> String {
        text.to_owned()
    }

    fn traffic(period: &str, from_gb: &str, price: &str) -> PriceForm {
        PriceForm::SetTraffic { period: text(period), from_gb: text(from_gb), price: text(price) }
    }

    #[test]
    fn errors_of_a_price_are_reported_at_their_field() {
        let remove = |period, from_gb| PriceForm::RemoveTraffic { period: text(period), from_gb: text(from_gb) };
        let tier = |ver_str, price| PriceForm::SetTier { ver_str: text(ver_str), price: text(price) };
        let period = |days, discount| PriceForm::SetPeriod { days: text(days), discount: text(discount) };
        let step = |min, discount| PriceForm::SetStep { min: text(min), discount: text(discount) };
        for (form, broken) in [
            (
                traffic("3651", "0", "0"),
                vec!["FromGb:wholeNumber 100000", "Period:wholeNumberOrZero 3650", "Price:amountMin 0.01"],
            ),
            (
                traffic("-1", "1.5", "two"),
                vec!["FromGb:wholeNumber 100000", "Period:wholeNumberOrZero 3650", "Price:amount"],
            ),
            (traffic("30", "1", "1000000.01"), vec!["Price:amountMax 1000000.00"]),
            (remove("31", "1"), vec!["Period:noSuchPrice 31"]),
            (remove("30", "2"), vec!["FromGb:noSuchPrice 2"]),
            (remove("x", "1"), vec!["Period:wholeNumberOrZero 3650"]),
            (tier("gold", "5"), vec!["VerStr:noSuchPrice gold"]),
            (period("0", "5"), vec!["Days:wholeNumber 3650"]),
            (period("30", "90.01"), vec!["Discount:discount 90%"]),
            (period("30", ""), vec!["Discount:discount 90%"]),
            (step("5001", "5"), vec!["Min:wholeNumber 5000"]),
            (PriceForm::RemoveStep { min: text("21") }, vec!["Min:noSuchPrice 21"]),
            (PriceForm::RemovePeriod { days: text("31") }, vec!["Days:noSuchPrice 31"]),
        ] {
            assert_eq!(rules(validate_price(&form, &shop()).expect_err("errors")), broken, "{form:?}");
        }
    }

    #[test]
    fn a_price_is_parsed_as_entered() {
        for (form, change) in [
            (
                traffic(" 0 ", "2000", "2.1"),
                PriceChange::SetTraffic { period_days: 0, min_gigabytes: 2_000, price: Money::from_minor(210) },
            ),
            (
                PriceForm::SetTier { ver_str: text("shared ISP proxies plan"), price: text("5.50") },
                PriceChange::SetTier { ver_str: text("shared ISP proxies plan"), price: Money::from_minor(550) },
            ),
            (
                PriceForm::SetPeriod { days: text("7"), discount: text("0") },
                PriceChange::SetPeriod { period_days: 7, discount_basis_points: 0 },
            ),
            (
                PriceForm::SetStep { min: text("20"), discount: text("12.5") },
                PriceChange::SetStep { min_quantity: 20, discount_basis_points: 1_250 },
            ),
            (PriceForm::RemoveStep { min: text("20") }, PriceChange::RemoveStep { min_quantity: 20 }),
        ] {
            assert_eq!(validate_price(&form, &shop()), Ok(change));
        }
    }

    #[test]
    fn the_last_price_cannot_be_removed() {
        let mut shop = shop();
        shop.catalogue.periods.truncate(1);
        shop.traffic.offers.truncate(1);
        let first = PriceForm::RemoveTraffic { period: text("30"), from_gb: text("1") };
        assert!(validate_price(&first, &shop).is_ok(), "larger steps remain");
        shop.traffic.offers[0].steps.truncate(1);
        for (form, broken) in
            [(first, "FromGb:lastPrice"), (PriceForm::RemovePeriod { days: text("30") }, "Days:lastPrice")]
        {
            assert_eq!(rules(validate_price(&form, &shop).expect_err("errors")), [broken]);
        }
    }
}
