//! The seller's changes of prices, as entered: periods, steps and discounts of both catalogues.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::money::{Money, display_percent};
use crate::operator_forms::{MAX_AMOUNT, basis_points};
use crate::proxy_user_form::{check_connections, check_megabits};
use crate::quote::MAX_QUANTITY;
use crate::reseller::MAX_DISCOUNT_BASIS_POINTS;
use crate::rule::Rule;
use crate::tier::{Catalogue, Period, QuantityStep};
use crate::time::from_wire;
use crate::traffic::{MAX_GIGABYTES, TrafficCatalogue, TrafficStep};
use crate::wire_enum::wire_enum;
use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};

/// The longest period that can be sold: ten years.
pub const MAX_PERIOD_DAYS: u32 = 3_650;

/// The maximum number of changes that are planned for later.
pub const MAX_PLANNED_PRICES: usize = 200;

wire_enum! {
    /// A change of a price or a discount.
    PriceAction {
        /// The price per gigabyte for orders of at least `FromGb` gigabytes.
        SetTraffic = "set_traffic",
        RemoveTraffic = "remove_traffic",
        /// The price per IP of a tier and 30 days.
        SetTier = "set_tier",
        /// Sell a tier at its price.
        SellTier = "sell_tier",
        /// Stop selling a tier. What customers have of it is renewed as before.
        PauseTier = "pause_tier",
        /// What one IP of a tier may carry. It counts for IPs that are sold already, too.
        LimitTier = "limit_tier",
        /// The discount of a period.
        SetPeriod = "set_period",
        RemovePeriod = "remove_period",
        /// The discount for orders of at least `Min` IPs.
        SetStep = "set_step",
        RemoveStep = "remove_step",
    }
}

/// A change, as entered. Each action has its own fields; the others stay empty.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct PriceForm {
    pub action: PriceAction,
    /// The tier of `set_tier`, `sell_tier`, `pause_tier` and `limit_tier`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub ver_str: String,
    /// Days until traffic expires, `0` for never: of `set_traffic` and `remove_traffic`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub period: String,
    /// The smallest order in gigabytes: of `set_traffic` and `remove_traffic`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub from_gb: String,
    /// An amount such as `3.50`: of `set_traffic` and `set_tier`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub price: String,
    /// The period of `set_period` and `remove_period`, in days.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub days: String,
    /// A percentage with up to two decimal places: of `set_period` and `set_step`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub discount: String,
    /// The smallest order in IPs: of `set_step` and `remove_step`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub min: String,
    /// Connections that one IP may have open at the same time, empty for no limit: of `limit_tier`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub max_connections: String,
    /// Megabits per second of one IP, empty for no limit: of `limit_tier`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub max_megabits: String,
}

impl PriceForm {
    pub fn new(action: PriceAction) -> PriceForm {
        let empty = String::new;
        PriceForm {
            action,
            ver_str: empty(),
            period: empty(),
            from_gb: empty(),
            price: empty(),
            days: empty(),
            discount: empty(),
            min: empty(),
            max_connections: empty(),
            max_megabits: empty(),
        }
    }
}

/// A validated change.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PriceChange {
    SetTraffic { period_days: u32, min_gigabytes: u32, price: Money },
    RemoveTraffic { period_days: u32, min_gigabytes: u32 },
    SetTier { ver_str: String, price: Money },
    SellTier { ver_str: String },
    PauseTier { ver_str: String },
    LimitTier { ver_str: String, max_connections: Option<u32>, max_megabits: Option<u32> },
    SetPeriod { period_days: u32, discount_basis_points: u32 },
    RemovePeriod { period_days: u32 },
    SetStep { min_quantity: u32, discount_basis_points: u32 },
    RemoveStep { min_quantity: u32 },
}

/// The prices of a shop, against which changes are validated.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Prices {
    pub catalogue: Catalogue,
    pub traffic: TrafficCatalogue,
}

/// Validates a change of the shop's prices. The last period cannot be removed, because every tier needs one.
pub fn validate_price(form: &PriceForm, shop: &Prices) -> Result<PriceChange, FieldErrors> {
    let mut checks = Checks::default();
    let PriceForm { ver_str, period, from_gb, price, days, discount, min, max_connections, max_megabits, .. } = form;
    let change = match form.action {
        PriceAction::SetTraffic => PriceChange::SetTraffic {
            period_days: number("Period", period, 0, MAX_PERIOD_DAYS, &mut checks),
            min_gigabytes: number("FromGb", from_gb, 1, MAX_GIGABYTES, &mut checks),
            price: check_price(price, &mut checks),
        },
        PriceAction::RemoveTraffic => {
            let period_days = number("Period", period, 0, MAX_PERIOD_DAYS, &mut checks);
            let min_gigabytes = number("FromGb", from_gb, 1, MAX_GIGABYTES, &mut checks);
            let offer = shop.traffic.offer(period_days);
            let is_step = offer.is_some_and(|offer| offer.steps.iter().any(|step| step.min_gigabytes == min_gigabytes));
            if offer.is_none() {
                missing("Period", period, &mut checks);
            } else if !is_step {
                missing("FromGb", from_gb, &mut checks);
            }
            PriceChange::RemoveTraffic { period_days, min_gigabytes }
        }
        PriceAction::SetTier | PriceAction::SellTier | PriceAction::PauseTier | PriceAction::LimitTier => {
            if shop.catalogue.tier(ver_str).is_none() {
                missing("VerStr", ver_str, &mut checks);
            }
            let ver_str = ver_str.clone();
            match form.action {
                PriceAction::SellTier => PriceChange::SellTier { ver_str },
                PriceAction::PauseTier => PriceChange::PauseTier { ver_str },
                PriceAction::LimitTier => PriceChange::LimitTier {
                    ver_str,
                    max_connections: check_connections(max_connections, &mut checks),
                    max_megabits: check_megabits(max_megabits, &mut checks),
                },
                _ => PriceChange::SetTier { ver_str, price: check_price(price, &mut checks) },
            }
        }
        PriceAction::SetPeriod => PriceChange::SetPeriod {
            period_days: number("Days", days, 1, MAX_PERIOD_DAYS, &mut checks),
            discount_basis_points: check_discount(discount, &mut checks),
        },
        PriceAction::RemovePeriod => {
            let period_days = number("Days", days, 1, MAX_PERIOD_DAYS, &mut checks);
            if shop.catalogue.period(period_days).is_none() {
                missing("Days", days, &mut checks);
            } else if shop.catalogue.periods.len() == 1 {
                checks.broken("Days", Rule::LastPrice, &[]);
            }
            PriceChange::RemovePeriod { period_days }
        }
        PriceAction::SetStep => PriceChange::SetStep {
            min_quantity: number("Min", min, 1, MAX_QUANTITY, &mut checks),
            discount_basis_points: check_discount(discount, &mut checks),
        },
        PriceAction::RemoveStep => {
            let min_quantity = number("Min", min, 1, MAX_QUANTITY, &mut checks);
            if shop.catalogue.quantity_steps.iter().all(|step| step.min_quantity != min_quantity) {
                missing("Min", min, &mut checks);
            }
            PriceChange::RemoveStep { min_quantity }
        }
    };
    checks.finish(change)
}

/// Validates the time from which a change counts: empty for now, otherwise a time in the future. `None` for now.
pub fn validate_price_time(text: &str, now: NaiveDateTime) -> Result<Option<NaiveDateTime>, FieldErrors> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    match from_wire(text) {
        None => Err(FieldErrors::one("ValidFrom", Rule::Time, &[])),
        Some(at) if at <= now => Err(FieldErrors::one("ValidFrom", Rule::TimeInFuture, &[])),
        at => Ok(at),
    }
}

impl Prices {
    /// The prices after a change, which must be valid.
    pub fn after(mut self, change: &PriceChange) -> Prices {
        let Prices { catalogue, traffic } = &mut self;
        match change {
            PriceChange::SetTraffic { period_days, min_gigabytes, price } => {
                traffic.set(*period_days, TrafficStep { min_gigabytes: *min_gigabytes, price: *price });
            }
            PriceChange::RemoveTraffic { period_days, min_gigabytes } => traffic.remove(*period_days, *min_gigabytes),
            PriceChange::SetTier { ver_str, price } => {
                catalogue.tier_mut(ver_str).into_iter().for_each(|tier| tier.price = *price);
            }
            PriceChange::SellTier { ver_str } => {
                catalogue.tier_mut(ver_str).into_iter().for_each(|tier| tier.is_sold = true);
            }
            PriceChange::PauseTier { ver_str } => {
                catalogue.tier_mut(ver_str).into_iter().for_each(|tier| tier.is_sold = false);
            }
            PriceChange::LimitTier { ver_str, max_connections, max_megabits } => {
                if let Some(tier) = catalogue.tier_mut(ver_str) {
                    (tier.max_connections, tier.max_megabits) = (*max_connections, *max_megabits);
                }
            }
            PriceChange::SetPeriod { period_days, discount_basis_points } => {
                catalogue.periods.retain(|period| period.period_days != *period_days);
                let period = Period { period_days: *period_days, discount_basis_points: *discount_basis_points };
                catalogue.periods.push(period);
                catalogue.periods.sort_by_key(|period| period.period_days);
            }
            PriceChange::RemovePeriod { period_days } => {
                catalogue.periods.retain(|period| period.period_days != *period_days);
            }
            PriceChange::SetStep { min_quantity, discount_basis_points } => {
                catalogue.quantity_steps.retain(|step| step.min_quantity != *min_quantity);
                let step = QuantityStep { min_quantity: *min_quantity, discount_basis_points: *discount_basis_points };
                catalogue.quantity_steps.push(step);
                catalogue.quantity_steps.sort_by_key(|step| step.min_quantity);
            }
            PriceChange::RemoveStep { min_quantity } => {
                catalogue.quantity_steps.retain(|step| step.min_quantity != *min_quantity);
            }
        }
        self
    }
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
        PriceForm {
            period: text(period),
            from_gb: text(from_gb),
            price: text(price),
            ..PriceForm::new(PriceAction::SetTraffic)
        }
    }

    fn without_traffic(period: &str, from_gb: &str) -> PriceForm {
        PriceForm { action: PriceAction::RemoveTraffic, ..traffic(period, from_gb, "") }
    }

    fn tier(ver_str: &str, price: &str) -> PriceForm {
        PriceForm { ver_str: text(ver_str), price: text(price), ..PriceForm::new(PriceAction::SetTier) }
    }

    fn selling(action: PriceAction, ver_str: &str) -> PriceForm {
        PriceForm { ver_str: text(ver_str), ..PriceForm::new(action) }
    }

    fn limits(ver_str: &str, max_connections: &str, max_megabits: &str) -> PriceForm {
        PriceForm {
            ver_str: text(ver_str),
            max_connections: text(max_connections),
            max_megabits: text(max_megabits),
            ..PriceForm::new(PriceAction::LimitTier)
        }
    }

    fn period(days: &str, discount: &str) -> PriceForm {
        PriceForm { days: text(days), discount: text(discount), ..PriceForm::new(PriceAction::SetPeriod) }
    }

    fn without_period(days: &str) -> PriceForm {
        PriceForm { action: PriceAction::RemovePeriod, ..period(days, "") }
    }

    fn step(min: &str, discount: &str) -> PriceForm {
        PriceForm { min: text(min), discount: text(discount), ..PriceForm::new(PriceAction::SetStep) }
    }

    fn without_step(min: &str) -> PriceForm {
        PriceForm { action: PriceAction::RemoveStep, ..step(min, "") }
    }

    #[test]
    fn errors_of_a_price_are_reported_at_their_field() {
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
            (without_traffic("31", "1"), vec!["Period:noSuchPrice 31"]),
            (without_traffic("30", "2"), vec!["FromGb:noSuchPrice 2"]),
            (without_traffic("x", "1"), vec!["Period:wholeNumberOrZero 3650"]),
            (tier("gold", "5"), vec!["VerStr:noSuchPrice gold"]),
            (selling(PriceAction::SellTier, "gold"), vec!["VerStr:noSuchPrice gold"]),
            (selling(PriceAction::PauseTier, ""), vec!["VerStr:noSuchPrice"]),
            (limits("gold", "1", "1"), vec!["VerStr:noSuchPrice gold"]),
            (
                limits("shared ISP proxies plan", "0", "1.5"),
                vec!["MaxConnections:wholeNumber 100000", "MaxMegabits:wholeNumber 10000"],
            ),
            (period("0", "5"), vec!["Days:wholeNumber 3650"]),
            (period("30", "90.01"), vec!["Discount:discount 90%"]),
            (period("30", ""), vec!["Discount:discount 90%"]),
            (step("5001", "5"), vec!["Min:wholeNumber 5000"]),
            (without_step("21"), vec!["Min:noSuchPrice 21"]),
            (without_period("31"), vec!["Days:noSuchPrice 31"]),
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
                tier("shared ISP proxies plan", "5.50"),
                PriceChange::SetTier { ver_str: text("shared ISP proxies plan"), price: Money::from_minor(550) },
            ),
            (period("7", "0"), PriceChange::SetPeriod { period_days: 7, discount_basis_points: 0 }),
            (step("20", "12.5"), PriceChange::SetStep { min_quantity: 20, discount_basis_points: 1_250 }),
            (without_step("20"), PriceChange::RemoveStep { min_quantity: 20 }),
        ] {
            assert_eq!(validate_price(&form, &shop()), Ok(change));
        }
    }

    #[test]
    fn the_last_period_cannot_be_removed_and_the_last_price_of_traffic_ends_its_sale() {
        let mut shop = shop();
        shop.catalogue.periods.truncate(1);
        shop.traffic.offers.truncate(1);
        shop.traffic.offers[0].steps.truncate(1);
        assert_eq!(rules(validate_price(&without_period("30"), &shop).expect_err("errors")), ["Days:lastPrice"]);
        let change = validate_price(&without_traffic("30", "1"), &shop).expect("a change");
        assert_eq!(shop.after(&change).traffic.offers, []);
    }

    #[test]
    fn a_tier_is_sold_from_one_change_to_another() {
        let shop = Prices { catalogue: Catalogue::of_new_shop(), ..shop() };
        assert_eq!(shop.catalogue.tiers_sold(), 0);
        let regular = "shared ISP proxies plan";
        let change = |action| validate_price(&selling(action, regular), &shop).expect("a change");
        let sold = shop.clone().after(&change(PriceAction::SellTier));
        assert_eq!(sold.catalogue.tiers.iter().map(|tier| tier.is_sold).collect::<Vec<_>>(), [true, false, false]);
        assert_eq!(sold.after(&change(PriceAction::PauseTier)), shop);
    }

    #[test]
    fn one_ip_of_a_tier_has_limits_until_they_are_lifted() {
        let regular = "shared ISP proxies plan";
        let after = |shop: Prices, form: &PriceForm| {
            let change = validate_price(form, &shop).expect("a change");
            shop.after(&change)
        };
        let limited = after(shop(), &limits(regular, " 100 ", ""));
        let tier = limited.catalogue.tier(regular).expect("a tier");
        assert_eq!((tier.max_connections, tier.max_megabits), (Some(100), None));
        assert_eq!(limited.catalogue.tiers[1..], shop().catalogue.tiers[1..], "others have none");
        assert_eq!(after(limited, &limits(regular, "", "")), shop());
    }

    #[test]
    fn each_change_is_seen_in_the_prices_after_it() {
        let after = |form: &PriceForm, shop: Prices| {
            let change = validate_price(form, &shop).expect("a change");
            shop.after(&change)
        };
        let changed = [traffic("7", "5", "2"), tier("shared ISP proxies plan", "6"), period("7", "1"), step("7", "2")];
        let shop = changed.iter().fold(shop(), |shop, form| after(form, shop));
        let offer = shop.traffic.offer(7).expect("an offer");
        assert_eq!((offer.steps.len(), offer.steps[0].price), (1, Money::from_minor(200)));
        assert_eq!(shop.traffic.offers.last().map(|offer| offer.period_days), Some(0), "without expiry comes last");
        assert_eq!(shop.catalogue.tier("shared ISP proxies plan").map(|tier| tier.price), Some(Money::from_minor(600)));
        assert_eq!(shop.catalogue.periods[0], Period { period_days: 7, discount_basis_points: 100 });
        assert_eq!(shop.catalogue.quantity_discount(7), 200);
        let shop = [without_traffic("7", "5"), without_period("7"), without_step("7")]
            .iter()
            .fold(shop, |shop, form| after(form, shop));
        assert!(shop.traffic.offer(7).is_none() && shop.catalogue.period(7).is_none());
        assert_eq!(shop.catalogue.quantity_discount(7), 0);
        let again = after(&tier("shared ISP proxies plan", "5"), shop);
        assert_eq!(again, super::tests::shop(), "back at the beginning");
    }

    #[test]
    fn a_change_counts_from_now_or_from_a_time_in_the_future() {
        let now = from_wire("2026-11-27 12:00:00").expect("a time");
        let read = |text: &str| validate_price_time(text, now).map_err(rules);
        assert_eq!(read(" "), Ok(None));
        assert_eq!(read("2026-12-01 00:00:00"), Ok(from_wire("2026-12-01 00:00:00")));
        assert_eq!(read("2026-11-27 12:00:00"), Err(vec!["ValidFrom:timeInFuture".to_owned()]));
        assert_eq!(read("tomorrow"), Err(vec!["ValidFrom:time".to_owned()]));
    }
}
