//! Money: an integer number of minor units and a currency, with checked arithmetic only.
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

wire_enum! {
    /// A currency for the shop's books, by its ISO 4217 code. All have two decimal places.
    Currency { Usd = "USD", Eur = "EUR", Cny = "CNY" }
}

impl Currency {
    fn symbol(self) -> &'static str {
        match self {
            Currency::Usd => "$",
            Currency::Eur => "€",
            Currency::Cny => "¥",
        }
    }
}

/// Why an amount is invalid.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MoneyError {
    /// Not a decimal number with at most two places, such as `5`, `5.0` or `-12.50`.
    Malformed,
    /// Beyond 64 bits of minor units.
    Overflow,
}

/// An amount in minor units (cents). It carries no currency: a ledger, an order and a wallet each have one,
/// and hold only amounts in it. On the wire it is a decimal string with two places, `"5.00"`.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Money(i64);

impl Money {
    pub const ZERO: Money = Money(0);

    pub const fn from_minor(minor: i64) -> Money {
        Money(minor)
    }

    pub const fn minor(self) -> i64 {
        self.0
    }

    /// Parses a decimal string: an optional minus, digits, and at most two decimal places, without floats.
    pub fn parse(text: &str) -> Result<Money, MoneyError> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        scaled(digits, 2, if negative { -1 } else { 1 }).map(Money)
    }

    /// Reads an amount as a person types it: as `parse` does, and with a decimal comma and spaces around it. See `with_point`.
    pub fn read(typed: &str) -> Result<Money, MoneyError> {
        Money::parse(&with_point(typed).ok_or(MoneyError::Malformed)?)
    }

    pub fn checked_add(self, other: Money) -> Result<Money, MoneyError> {
        self.0.checked_add(other.0).map(Money).ok_or(MoneyError::Overflow)
    }

    pub fn checked_sub(self, other: Money) -> Result<Money, MoneyError> {
        self.0.checked_sub(other.0).map(Money).ok_or(MoneyError::Overflow)
    }

    pub fn negated(self) -> Result<Money, MoneyError> {
        self.0.checked_neg().map(Money).ok_or(MoneyError::Overflow)
    }

    pub fn times(self, factor: u32) -> Result<Money, MoneyError> {
        self.0.checked_mul(i64::from(factor)).map(Money).ok_or(MoneyError::Overflow)
    }

    /// `basis_points` hundredths of a percent of this amount, rounded half away from zero to a cent.
    pub fn share(self, basis_points: u32) -> Result<Money, MoneyError> {
        self.proportion(i64::from(basis_points), 10_000)
    }

    /// This amount times `part / whole`, rounded half away from zero to a cent. `whole` must be above zero.
    pub fn proportion(self, part: i64, whole: i64) -> Result<Money, MoneyError> {
        if whole <= 0 {
            return Err(MoneyError::Overflow);
        }
        let product = i128::from(self.0) * i128::from(part);
        let whole = i128::from(whole);
        let half = if product < 0 { -(whole / 2) } else { whole / 2 };
        i64::try_from((product + half) / whole).map(Money).map_err(|_| MoneyError::Overflow)
    }

    /// Splits this amount by weights, to the cent: the parts add up to the amount. Each part is rounded down first, and the
    /// remaining cents go to the largest remainders, earlier parts first among equals. Parts of zero weight get nothing.
    /// Fails for a negative weight, and if there is an amount to split but no weight.
    pub fn allocate(self, weights: &[i64]) -> Result<Vec<Money>, MoneyError> {
        let whole: i128 = weights.iter().map(|weight| i128::from(*weight)).sum();
        if whole == 0 && self.is_zero() && weights.iter().all(|weight| *weight == 0) {
            return Ok(vec![Money::ZERO; weights.len()]);
        }
        let amount = i128::from(self.0.unsigned_abs());
        let numerators: Vec<_> = weights.iter().map(|weight| amount * i128::from(*weight)).collect();
        let sign = if self.0 < 0 { -1 } else { 1 };
        round_parts(0, &numerators, whole)?.into_iter().map(|part| from_wide(sign * part)).collect()
    }

    /// Splits this amount evenly: parts differ by at most a cent, and earlier parts get it.
    pub fn split(self, parts: u32) -> Result<Vec<Money>, MoneyError> {
        self.allocate(&vec![1; parts as usize])
    }

    pub fn sum(amounts: impl IntoIterator<Item = Money>) -> Result<Money, MoneyError> {
        amounts.into_iter().try_fold(Money::ZERO, Money::checked_add)
    }

    pub fn is_negative(self) -> bool {
        self.0 < 0
    }

    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// For display: currency sign and thousands separators, `$1,234.50` or `-$0.05`.
    pub fn display(self, currency: Currency) -> String {
        let text = self.to_string();
        let text = text.trim_start_matches('-');
        let (whole, places) = text.split_once('.').unwrap_or((text, "00"));
        let mut grouped = String::with_capacity(text.len() + text.len() / 3 + 4);
        if self.0 < 0 {
            grouped.push('-');
        }
        grouped.push_str(currency.symbol());
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped.push('.');
        grouped.push_str(places);
        grouped
    }
}

impl fmt::Display for Money {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let minor = self.0.unsigned_abs();
        write!(formatter, "{sign}{}.{:02}", minor / 100, minor % 100)
    }
}

/// Digits with at most `scale` decimal places as a number of the last place's units, with this sign, without floats.
pub(crate) fn scaled(digits: &str, scale: usize, sign: i64) -> Result<i64, MoneyError> {
    let (whole, places) = digits.split_once('.').unwrap_or((digits, ""));
    let has_point = digits.as_bytes().contains(&b'.');
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty()
        || !all_digits(whole)
        || !all_digits(places)
        || places.len() > scale
        || (has_point && places.is_empty())
    {
        return Err(MoneyError::Malformed);
    }
    let mut units: i64 = 0;
    let padded = places.bytes().chain(std::iter::repeat(b'0')).take(scale);
    for byte in whole.bytes().chain(padded) {
        let digit = sign * i64::from(byte - b'0');
        units = units.checked_mul(10).and_then(|value| value.checked_add(digit)).ok_or(MoneyError::Overflow)?;
    }
    Ok(units)
}

/// Rounds exact amounts to the cent so that the parts add up. Each amount is a non-negative numerator over the common denominator, in minor
/// units. By the largest-remainder method, every part is rounded down, and the remaining cents go to the largest remainders, earlier parts
/// first among equals. No part differs from its exact amount by a cent or more.
///
/// `before` is the sum of the numerators rounded in earlier calls: the parts add up to the rounded sum of all numerators minus the rounded
/// sum of `before`, so that many small steps give the same total as one large step. Sums are rounded half up. Fails with `Overflow` for a
/// negative numerator or a denominator that is not positive.
pub fn round_cumulatively(before: i128, numerators: &[i128], denominator: i128) -> Result<Vec<Money>, MoneyError> {
    round_parts(before, numerators, denominator)?.into_iter().map(from_wide).collect()
}

fn from_wide(minor: i128) -> Result<Money, MoneyError> {
    i64::try_from(minor).map(Money).map_err(|_| MoneyError::Overflow)
}

fn round_parts(before: i128, numerators: &[i128], denominator: i128) -> Result<Vec<i128>, MoneyError> {
    if denominator <= 0 || before < 0 || numerators.iter().any(|numerator| *numerator < 0) {
        return Err(MoneyError::Overflow);
    }
    let rounded = |sum: i128| Some(sum.checked_add(denominator / 2)? / denominator);
    let sum = numerators.iter().try_fold(before, |sum, part| sum.checked_add(*part));
    let total = sum.and_then(rounded).zip(rounded(before)).map(|(all, before)| all - before);
    let total = total.ok_or(MoneyError::Overflow)?;
    let floors: Vec<i128> = numerators.iter().map(|numerator| numerator / denominator).collect();
    let missing = total - floors.iter().sum::<i128>();
    let remainders = numerators.iter().map(|numerator| numerator % denominator);
    let mut by_remainder: BinaryHeap<_> = remainders.zip((0..).map(Reverse)).collect();
    let mut parts = floors;
    for _ in 0..missing {
        if let Some((_, Reverse(index))) = by_remainder.pop() {
            parts[index] += 1;
        }
    }
    Ok(parts)
}

/// The minimum amount of a gateway payment.
const MIN_CHARGE: Money = Money::from_minor(50);

/// The shortfall of a balance for an amount; zero if it suffices.
pub fn shortfall(balance: Money, needed: Money) -> Result<Money, MoneyError> {
    needed.checked_sub(balance).map(|missing| missing.max(Money::ZERO))
}

/// The top-up needed to pay an amount: the shortfall, but at least the smallest top-up.
pub fn top_up_for(balance: Money, needed: Money, least: Money) -> Result<Money, MoneyError> {
    shortfall(balance, needed).map(|missing| missing.max(least))
}

/// The amount to charge through a gateway when the wallet pays as much of an order as it can: the shortfall, but at least the minimum of
/// gateways, 0.50, or the whole total if that is less. Zero if the balance suffices.
pub fn gateway_part(balance: Money, total: Money) -> Result<Money, MoneyError> {
    let missing = shortfall(balance, total)?;
    Ok(if missing.is_zero() { missing } else { missing.max(MIN_CHARGE).min(total) })
}

/// Hundredths of a percent for display: `3%`, `2.5%`, `0.25%`.
pub fn display_percent(basis_points: u32) -> String {
    format!("{}%", plain_percent(basis_points))
}

/// Hundredths of a percent for form fields, without the percent sign: `3`, `2.5`, `0.25`.
pub fn plain_percent(basis_points: u32) -> String {
    let text = format!("{}.{:02}", basis_points / 100, basis_points % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A decimal number as a person types it, with a point and without the spaces around it: `12,50` is `12.50`. Whether `1,000` is one or a thousand
/// is not guessed, and separated thousands are not read: `None`, as for every other comma.
pub fn with_point(typed: &str) -> Option<String> {
    let typed = typed.trim();
    match typed.split_once(',') {
        None => Some(typed.to_owned()),
        Some((whole, places)) if matches!(places.len(), 1 | 2) => Some(format!("{whole}.{places}")),
        Some(_) => None,
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Money, D::Error> {
        let text = String::deserialize(deserializer)?;
        Money::parse(&text)
            .map_err(|_| serde::de::Error::custom("not an amount of money with at most two decimal places"))
    }
}

#[cfg(feature = "tsify")]
#[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
const TYPE: &str = "/** An amount: a decimal string with two places, `\"5.00\"`. */\nexport type Money = string;";

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Money {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        String::schema()
    }
}

/// The document says it at each place, as for other texts.
#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Money {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_amount_may_have_a_decimal_comma_and_thousands_are_not_guessed_at() {
        for (typed, minor) in [
            ("12,50", 1_250),
            ("12,5", 1_250),
            ("0,05", 5),
            ("-3,20", -320),
            (" 12.50 ", 1_250),
            ("12,50 ", 1_250),
            ("1000", 100_000),
            ("1000,00", 100_000),
        ] {
            assert_eq!(Money::read(typed).map(Money::minor), Ok(minor), "{typed}");
        }
        let refused = [
            "1,000", "1.000", "1,000.00", "1.000,00", "1 000", "1'000", "12,", ",5", ",", "1,2,3", "1,-5", "1,5.", "",
            "１２",
        ];
        for typed in refused {
            assert_eq!(Money::read(typed), Err(MoneyError::Malformed), "{typed}");
        }
        assert_eq!(Money::parse("12,50"), Err(MoneyError::Malformed), "nothing but people writes a comma");
    }

    #[test]
    fn invalid_amounts_are_rejected() {
        for text in ["", "-", ".", "5.", ".5", "5.001", "1e3", "+5", " 5", "5 ", "٥", "0x5", "5,00", "--5", "NaN"] {
            assert_eq!(Money::parse(text), Err(MoneyError::Malformed), "{text}");
        }
        assert_eq!(Money::parse("92233720368547758.08"), Err(MoneyError::Overflow));
        assert_eq!(Money::parse("-92233720368547758.09"), Err(MoneyError::Overflow));
    }

    #[test]
    fn a_gateway_is_charged_the_shortfall() {
        let money = Money::from_minor;
        for (balance, total, part) in
            [(0, 1500, 1500), (1000, 1500, 500), (1480, 1500, 50), (1500, 1500, 0), (9, 40, 40)]
        {
            assert_eq!(gateway_part(money(balance), money(total)), Ok(money(part)), "{balance} of {total}");
        }
    }

    #[test]
    fn a_top_up_covers_the_shortfall_and_the_minimum() {
        let money = Money::from_minor;
        for (balance, needed, missing, top_up) in
            [(1_000, 2_500, 1_500, 1_500), (2_400, 2_500, 100, 500), (2_500, 2_500, 0, 500), (9_000, 2_500, 0, 500)]
        {
            assert_eq!(shortfall(money(balance), money(needed)), Ok(money(missing)));
            assert_eq!(top_up_for(money(balance), money(needed), money(500)), Ok(money(top_up)));
        }
        assert_eq!(shortfall(money(i64::MIN), money(1)), Err(MoneyError::Overflow));
    }

    #[test]
    fn percentages_have_no_trailing_zeros() {
        for (basis_points, text) in
            [(0, "0%"), (25, "0.25%"), (250, "2.5%"), (300, "3%"), (1_000, "10%"), (10_000, "100%")]
        {
            assert_eq!(display_percent(basis_points), text);
        }
    }

    #[test]
    fn amounts_round_trip() {
        for (text, minor) in [
            ("5.00", 500),
            ("5", 500),
            ("5.5", 550),
            ("-0.05", -5),
            ("0", 0),
            ("92233720368547758.07", i64::MAX),
            ("-92233720368547758.08", i64::MIN),
        ] {
            assert_eq!(Money::parse(text).map(Money::minor), Ok(minor), "{text}");
            assert_eq!(Money::parse(&Money::from_minor(minor).to_string()), Ok(Money::from_minor(minor)));
        }
    }

    #[test]
    fn overflow_is_an_error() {
        let most = Money::from_minor(i64::MAX);
        assert_eq!(most.checked_add(Money::from_minor(1)), Err(MoneyError::Overflow));
        assert_eq!(most.times(2), Err(MoneyError::Overflow));
        assert_eq!(most.share(10_001), Err(MoneyError::Overflow));
        assert_eq!(Money::from_minor(i64::MIN).negated(), Err(MoneyError::Overflow));
    }

    #[test]
    fn shares_round_half_away_from_zero() {
        for (minor, basis_points, expected) in
            [(1, 5_000, 1), (-1, 5_000, -1), (333, 1_000, 33), (335, 1_000, 34), (10_000, 500, 500)]
        {
            assert_eq!(Money::from_minor(minor).share(basis_points), Ok(Money::from_minor(expected)));
        }
    }

    #[test]
    fn allocated_parts_add_up_and_the_largest_remainders_get_the_cents() {
        let shared = |minor, weights: &[i64]| {
            Money::from_minor(minor)
                .allocate(weights)
                .map(|parts| parts.into_iter().map(Money::minor).collect::<Vec<_>>())
        };
        for (minor, weights, parts) in [
            (100, vec![1, 1, 1], vec![34, 33, 33]),
            (-100, vec![1, 1, 1], vec![-34, -33, -33]),
            (10, vec![3, 3, 1], vec![4, 4, 2]),
            (1, vec![1, 2], vec![0, 1]),
            (7, vec![0, 5, 0], vec![0, 7, 0]),
            (0, vec![0, 0], vec![0, 0]),
            (0, vec![], vec![]),
            (i64::MAX, vec![i64::MAX, i64::MAX], vec![i64::MAX / 2 + 1, i64::MAX / 2]),
            (i64::MIN, vec![1], vec![i64::MIN]),
        ] {
            assert_eq!(shared(minor, &weights), Ok(parts), "{minor} {weights:?}");
        }
        for (minor, weights) in [(5, vec![0, 0]), (5, vec![]), (5, vec![-1, 2])] {
            assert_eq!(shared(minor, &weights), Err(MoneyError::Overflow), "{minor} {weights:?}");
        }
    }

    #[test]
    fn exact_amounts_are_rounded_so_that_they_add_up() {
        let rounded = |numerators: &[i128], denominator| {
            round_cumulatively(0, numerators, denominator)
                .map(|parts| parts.into_iter().map(Money::minor).collect::<Vec<_>>())
        };
        assert_eq!(rounded(&[5, 5], 10), Ok(vec![1, 0]));
        assert_eq!(rounded(&[4], 10), Ok(vec![0]));
        assert_eq!(rounded(&[5], 10), Ok(vec![1]));
        assert_eq!(rounded(&[1], 3), Ok(vec![0]));
        assert_eq!(rounded(&[2], 3), Ok(vec![1]));
        assert_eq!(rounded(&[3], 7), Ok(vec![0]));
        assert_eq!(rounded(&[4], 7), Ok(vec![1]));
        assert_eq!(rounded(&[7], 1), Ok(vec![7]));
        assert_eq!(rounded(&[-1], 3), Err(MoneyError::Overflow));
        assert_eq!(rounded(&[1], 0), Err(MoneyError::Overflow));
        assert_eq!(rounded(&[i128::MAX, 1], 3), Err(MoneyError::Overflow));
        // Three separate steps of 2/3 give 1, 0 and 1, in total the 2 of a single step.
        for (before, part) in [(0, 1), (2, 0), (4, 1)] {
            assert_eq!(round_cumulatively(before, &[2], 3), Ok(vec![Money::from_minor(part)]));
        }
        assert_eq!(round_cumulatively(-1, &[2], 3), Err(MoneyError::Overflow));
    }

    #[test]
    fn display_has_the_currency_sign_and_thousands_separators() {
        for (minor, shown) in
            [(0, "$0.00"), (123_450, "$1,234.50"), (-5, "-$0.05"), (100_000_000, "$1,000,000.00"), (99_999, "$999.99")]
        {
            assert_eq!(Money::from_minor(minor).display(Currency::Usd), shown);
        }
    }
}
