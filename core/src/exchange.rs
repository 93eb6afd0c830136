//! Exchange rates: what a payment costs at a gateway that charges another currency than the wallet's.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::money::{Currency, Money, MoneyError, display_percent, scaled, with_point};
use crate::operator_forms::basis_points;
use crate::rule::Rule;
use crate::webhook::{Reach, check_url};
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A rate of a feed is used for this long; then payments in its currency are not offered until the feed answers again.
pub const FEED_HOURS: i64 = 24;

/// How often feeds are asked.
pub const FEED_MINUTES: i64 = 60;

/// By how much a feed's rate may differ from the one before, in hundredths of a percent. A larger step is likely a fault of the feed.
pub const MAX_STEP_BASIS_POINTS: i64 = 2_000;

/// The maximum of a margin, in hundredths of a percent.
pub const MAX_MARGIN_BASIS_POINTS: u32 = 5_000;

pub const FEED_PATH_MAX_LENGTH: usize = 200;

const PLACES: usize = 6;
const ONE: i64 = 1_000_000;
const MAX_RATE: i64 = 1_000_000 * ONE;

/// How many units of another currency one unit of the wallet's costs, in millionths.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Rate(i64);

impl Rate {
    /// A rate in millionths; `None` unless it is above zero and at most a million.
    pub fn from_micro(micro: i64) -> Option<Rate> {
        (1..=MAX_RATE).contains(&micro).then_some(Rate(micro))
    }

    pub fn micro(self) -> i64 {
        self.0
    }

    /// Parses a decimal number with at most six places, such as `7.125`.
    pub fn parse(text: &str) -> Option<Rate> {
        Rate::from_micro(scaled(text, PLACES, 1).ok()?)
    }

    /// Reads a rate as a person types it, such as `7.125` or `7,1`.
    pub fn read(text: &str) -> Option<Rate> {
        Rate::parse(&with_point(text)?)
    }

    /// Parses a rate as a feed has it: places beyond the sixth are cut.
    pub fn of_feed(text: &str) -> Option<Rate> {
        let places = text.find('.').map_or(text.len(), |point| point + 1 + PLACES);
        Rate::parse(text.get(..places).unwrap_or(text))
    }

    /// This rate and a margin of the seller, in hundredths of a percent, rounded up.
    pub fn with_margin(self, basis_points: u32) -> Option<Rate> {
        let product = i128::from(self.0) * i128::from(10_000 + basis_points);
        Rate::from_micro(i64::try_from(ceiling(product, 10_000)).ok()?)
    }

    /// What an amount costs in the other currency, rounded up to a cent: who pays bears the rounding.
    pub fn charge(self, amount: Money) -> Result<Money, MoneyError> {
        let product = i128::from(amount.minor()) * i128::from(self.0);
        Ok(Money::from_minor(i64::try_from(ceiling(product, ONE.into())).map_err(|_| MoneyError::Overflow)?))
    }

    /// Whether another rate is so far from this one that a feed must be wrong.
    pub fn is_far_from(self, other: Rate) -> bool {
        let step = (i128::from(self.0) - i128::from(other.0)).abs() * 10_000;
        step > i128::from(other.0) * i128::from(MAX_STEP_BASIS_POINTS)
    }
}

/// With at least two decimal places: `7.10`, `7.125`.
impl fmt::Display for Rate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:06}", self.0 / ONE, self.0 % ONE);
        let point = text.len() - PLACES;
        let end = text.trim_end_matches('0').len().max(point + 2);
        formatter.write_str(&text[..end])
    }
}

/// Rounded up; for nothing below zero.
fn ceiling(numerator: i128, denominator: i128) -> i128 {
    (numerator + denominator - 1) / denominator
}

/// What `arrived` is worth in the wallet's currency, for a payment of `amount` that is charged as `charged`: exactly `amount` if all of it arrived,
/// otherwise its share, rounded down to a cent.
pub fn credit(arrived: Money, charged: Money, amount: Money) -> Result<Money, MoneyError> {
    if arrived == charged {
        return Ok(amount);
    }
    if charged.minor() <= 0 {
        return Err(MoneyError::Overflow);
    }
    let product = i128::from(arrived.minor()) * i128::from(amount.minor());
    let share = product.div_euclid(i128::from(charged.minor()));
    i64::try_from(share).map(Money::from_minor).map_err(|_| MoneyError::Overflow)
}

/// A quantity times a price, both decimal numbers such as `0.00012345` and `64392.23`, rounded down to a cent. `None` if one is not a number that is
/// zero or above, or the product is too large.
pub fn worth(quantity: &str, price: &str) -> Option<Money> {
    let ((quantity, first), (price, second)) = (decimal(quantity)?, decimal(price)?);
    let product = quantity.checked_mul(price)?;
    let scale = first + second;
    let minor = if scale >= 2 {
        product / 10_i128.checked_pow(u32::try_from(scale - 2).ok()?)?
    } else {
        product.checked_mul(10_i128.pow(u32::try_from(2 - scale).ok()?))?
    };
    i64::try_from(minor).ok().map(Money::from_minor)
}

/// The digits of a decimal number and how many of them are places.
fn decimal(text: &str) -> Option<(i128, usize)> {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    let places = places.trim_end_matches('0');
    let is_number = !whole.is_empty() && whole.bytes().chain(places.bytes()).all(|byte| byte.is_ascii_digit());
    let mantissa = is_number.then(|| format!("{whole}{places}").parse().ok())??;
    Some((mantissa, places.len()))
}

wire_enum! {
    /// Why the rate of a feed could not be used.
    FeedProblem {
        /// It did not answer, or with an error.
        NoAnswer = "no_answer",
        /// There is no rate at the path.
        NoRate = "no_rate",
        /// The rate differs from the one before by more than a fifth.
        TooFar = "too_far",
    }
}

/// How an exchange rate is set, as entered: a rate, or a feed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ExchangeRateForm {
    /// The other currency.
    pub currency: Currency,
    /// Units of it for one unit of the shop's currency, such as `7.125`; ignored with a feed.
    #[serde(default)]
    pub rate: String,
    /// The `https://` address of a JSON document that has the rate; empty for the rate above.
    #[serde(default)]
    pub feed_url: String,
    /// Where the rate is in it, as a JSON pointer such as `/rates/CNY`.
    #[serde(default)]
    pub feed_path: String,
    /// What is added to the feed's rate, in percent with up to two decimal places; empty for nothing.
    #[serde(default)]
    pub margin: String,
}

/// Where a rate comes from.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum RateSource {
    /// The rate, in millionths.
    Fixed(i64),
    Feed {
        url: String,
        path: String,
        margin_basis_points: u32,
    },
}

/// Validates an exchange rate. Whether the feed answers is for the server to see.
pub fn validate_exchange_rate(form: &ExchangeRateForm, reach: Reach) -> Result<RateSource, FieldErrors> {
    let mut checks = Checks::default();
    let url = form.feed_url.trim();
    if url.is_empty() {
        let rate = Rate::read(form.rate.trim());
        if rate.is_none() {
            match form.rate.trim() {
                "" => checks.broken("Rate", Rule::Required, &[]),
                _ => checks.broken("Rate", Rule::ExchangeRate, &[("Places", PLACES.to_string())]),
            }
        }
        return checks.finish(RateSource::Fixed(rate.map_or(0, Rate::micro)));
    }
    check_url("FeedUrl", url, reach, &mut checks);
    let path = form.feed_path.trim();
    if path.is_empty() {
        checks.broken("FeedPath", Rule::Required, &[]);
    } else if !path.starts_with('/') || path.len() > FEED_PATH_MAX_LENGTH || path.chars().any(char::is_control) {
        checks.broken("FeedPath", Rule::FeedPath, &[]);
    }
    let margin = match form.margin.trim() {
        "" => Some(0),
        text => basis_points(text).filter(|margin| *margin <= MAX_MARGIN_BASIS_POINTS),
    };
    if margin.is_none() {
        checks.broken("Margin", Rule::Margin, &[("Max", display_percent(MAX_MARGIN_BASIS_POINTS))]);
    }
    let margin_basis_points = margin.unwrap_or_default();
    checks.finish(RateSource::Feed { url: url.to_owned(), path: path.to_owned(), margin_basis_points })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    fn rate(text: &str) -> Rate {
        Rate::read(text).expect("a rate")
    }

    #[test]
    fn a_rate_is_read_and_shown_with_six_places() {
        for (text, micro, shown) in [
            ("7.125", 7_125_000, "7.125"),
            ("7,1", 7_100_000, "7.10"),
            (" 7 ", 7_000_000, "7.00"),
            ("0.000001", 1, "0.000001"),
            ("0.123456", 123_456, "0.123456"),
            ("1000000", MAX_RATE, "1000000.00"),
        ] {
            assert_eq!((rate(text).micro(), rate(text).to_string().as_str()), (micro, shown), "{text}");
        }
        assert_eq!(Rate::of_feed("0.1234567890123"), Some(rate("0.123456")));
        assert_eq!((Rate::of_feed("7"), Rate::of_feed("7.1")), (Some(rate("7")), Some(rate("7.1"))));
        for text in ["", "0", "0.0000001", "7.", "-1", "1000000.1", "7.1.2", "1e3", "NaN", "٧", &"9".repeat(60)] {
            assert_eq!(Rate::read(text), None, "{text}");
        }
    }

    #[test]
    fn who_pays_bears_the_rounding_of_less_than_a_cent() {
        let charge = |text: &str, minor: i64| rate(text).charge(Money::from_minor(minor)).map(Money::minor);
        assert_eq!(charge("7.125", 1_000), Ok(7_125));
        assert_eq!(charge("7.125", 1), Ok(8), "0.07125 is charged as 0.08");
        assert_eq!(charge("0.92", 1_001), Ok(921), "9.2092");
        assert_eq!(charge("1000000", i64::MAX), Err(MoneyError::Overflow));
        assert_eq!(rate("7").with_margin(150).map(Rate::micro), Some(7_105_000));
        assert_eq!(rate("1000000").with_margin(1), None);
    }

    #[test]
    fn what_arrives_is_credited_in_full_or_by_its_share() {
        let credit = |arrived: i64, charged: i64, amount: i64| {
            credit(Money::from_minor(arrived), Money::from_minor(charged), Money::from_minor(amount)).map(Money::minor)
        };
        assert_eq!(credit(7_125, 7_125, 1_000), Ok(1_000));
        assert_eq!(credit(8, 8, 1), Ok(1));
        assert_eq!(credit(7_124, 7_125, 1_000), Ok(999), "never more than arrived");
        assert_eq!(credit(14_250, 7_125, 1_000), Ok(2_000));
        assert_eq!(credit(5, 0, 1_000), Err(MoneyError::Overflow));
    }

    #[test]
    fn a_quantity_has_a_price() {
        for (quantity, price, minor) in [
            ("0.00015530", "64392.23", Some(1_000)),
            ("0.000155", "64392.23", Some(998)),
            ("10", "1", Some(1_000)),
            ("10.009999999999999999", "1.0", Some(1_000)),
            ("0", "5", Some(0)),
            ("-1", "5", None),
            ("1e5", "5", None),
            ("", "5", None),
            ("99999999999999999999", "99999999999999999999", None),
        ] {
            assert_eq!(worth(quantity, price).map(Money::minor), minor, "{quantity} x {price}");
        }
    }

    #[test]
    fn a_step_of_more_than_a_fifth_is_too_far() {
        assert!(!rate("8.4").is_far_from(rate("7")) && rate("8.41").is_far_from(rate("7")));
        assert!(!rate("5.6").is_far_from(rate("7")) && rate("5.59").is_far_from(rate("7")));
    }

    #[test]
    fn a_rate_is_a_number_or_a_feed() {
        let form = |rate: &str, feed_url: &str, feed_path: &str, margin: &str| ExchangeRateForm {
            currency: Currency::Cny,
            rate: rate.into(),
            feed_url: feed_url.into(),
            feed_path: feed_path.into(),
            margin: margin.into(),
        };
        let check = |form: ExchangeRateForm| validate_exchange_rate(&form, Reach::Internet).map_err(rules);
        assert_eq!(check(form(" 7.125 ", "", "x", "x")), Ok(RateSource::Fixed(7_125_000)));
        let feed = RateSource::Feed {
            url: "https://rates.example/".into(),
            path: "/rates/CNY".into(),
            margin_basis_points: 150,
        };
        assert_eq!(check(form("x", "https://rates.example/", "/rates/CNY", "1.5")), Ok(feed));
        for (form, rule) in [
            (form("", "", "", ""), "Rate:required"),
            (form("0", "", "", ""), "Rate:exchangeRate 6"),
            (form("", "http://rates.example/", "/a", ""), "FeedUrl:webhookHttps"),
            (form("", "https://10.0.0.1/", "/a", ""), "FeedUrl:webhookPrivate"),
            (form("", "https://rates.example/", "", ""), "FeedPath:required"),
            (form("", "https://rates.example/", "rates", ""), "FeedPath:feedPath"),
            (form("", "https://rates.example/", "/a", "50.01"), "Margin:margin 50%"),
            (form("", "https://rates.example/", "/a", "-1"), "Margin:margin 50%"),
        ] {
            assert_eq!(check(form), Err(vec![rule.to_owned()]));
        }
    }
}
