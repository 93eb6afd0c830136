//! Renewals: the price of extending nodes, and the schedule of automatic renewals.
use crate::money::{Currency, Money};
use crate::quote::{Discount, PricedLine, QuoteError, Reduced, Terms, price_for, reduce};
use crate::tier::Catalogue;
use chrono::{NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The maximum number of nodes per renewal.
pub const MAX_RENEWAL_QUANTITY: u32 = 100_000;

/// When a node's automatic renewal is attempted, in minutes before its expiry: 3 days, 1 day, 2 hours, and at expiry.
pub const ATTEMPT_MINUTES_BEFORE: [i64; 4] = [3 * 24 * 60, 24 * 60, 2 * 60, 0];

/// A renewal request: numbers of nodes per tier, to renew for one period.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RenewalRequest {
    pub period_days: u32,
    pub lines: Vec<RenewalLineRequest>,
}

#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RenewalLineRequest {
    pub ver_str: String,
    pub quantity: u32,
}

/// The price of a renewal. `lines` are in the requested order; their `amount` adds up to `subtotal`, their `net` to `total`.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RenewalQuote {
    pub period_days: u32,
    pub currency: Currency,
    pub quantity: u32,
    pub lines: Vec<RenewalLine>,
    pub subtotal: Money,
    pub discounts: Vec<Discount>,
    pub discount_total: Money,
    pub total: Money,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RenewalLine {
    pub ver_str: String,
    pub quantity: u32,
    /// Price per node for the whole period, before discounts.
    pub unit_price: Money,
    pub amount: Money,
    pub net: Money,
}

/// The request to renew nodes with these tiers.
pub fn renewal_of<'a>(ver_strs: impl IntoIterator<Item = &'a str>, period_days: u32) -> RenewalRequest {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for ver_str in ver_strs {
        *counts.entry(ver_str).or_default() += 1;
    }
    let line = |(ver_str, quantity): (&str, u32)| RenewalLineRequest { ver_str: ver_str.to_owned(), quantity };
    RenewalRequest { period_days, lines: counts.into_iter().map(line).collect() }
}

/// The longest prefix of the nodes that the balance covers: their number and their quote. `None` if it covers none.
pub fn affordable(
    ver_strs: &[&str],
    period_days: u32,
    catalogue: &Catalogue,
    terms: &Terms,
    balance: Money,
) -> Option<(usize, RenewalQuote)> {
    (1..=ver_strs.len()).rev().find_map(|count| {
        let request = renewal_of(ver_strs[..count].iter().copied(), period_days);
        let quote = quote_renewal(&request, catalogue, terms).ok()?;
        (quote.total <= balance).then_some((count, quote))
    })
}

/// Prices a renewal like a purchase: the current price of each tier, the period discount, the quantity discount for all nodes together,
/// then reseller and coupon. A single node's price is its share of `net` by `Money::split`.
pub fn quote_renewal(
    request: &RenewalRequest,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<RenewalQuote, QuoteError> {
    let period = catalogue.period(request.period_days).ok_or(QuoteError::UnknownPeriod)?;
    if request.lines.is_empty() {
        return Err(QuoteError::NoLines);
    }
    let mut quantity: u32 = 0;
    let mut lines = Vec::with_capacity(request.lines.len());
    for (index, line) in request.lines.iter().enumerate() {
        let tier = catalogue.tier(&line.ver_str).ok_or(QuoteError::UnknownTier)?;
        if line.quantity == 0 {
            return Err(QuoteError::LineQuantityIsZero { line: index });
        }
        if request.lines[..index].iter().any(|earlier| earlier.ver_str == line.ver_str) {
            return Err(QuoteError::RepeatedTier { line: index });
        }
        quantity = quantity.saturating_add(line.quantity);
        if quantity > MAX_RENEWAL_QUANTITY {
            return Err(QuoteError::TooManyIps { max: MAX_RENEWAL_QUANTITY });
        }
        let unit_price = price_for(tier.price, period.period_days)?;
        let amount = unit_price.times(line.quantity)?;
        lines.push(RenewalLine {
            ver_str: line.ver_str.clone(),
            quantity: line.quantity,
            unit_price,
            amount,
            net: amount,
        });
    }
    let priced: Vec<_> = lines.iter().map(|line| PricedLine { ver_str: &line.ver_str, amount: line.amount }).collect();
    let Reduced { subtotal, discounts, nets, total } =
        reduce(&priced, period.discount_basis_points, catalogue.quantity_discount(quantity), terms)?;
    for (line, net) in lines.iter_mut().zip(nets) {
        line.net = net;
    }
    Ok(RenewalQuote {
        period_days: request.period_days,
        currency: catalogue.currency,
        quantity,
        lines,
        subtotal,
        discount_total: subtotal.checked_sub(total)?,
        discounts,
        total,
    })
}

/// When to first attempt the automatic renewal of a node with this expiry: three days before, or now if that has passed.
pub fn first_attempt(expires_at: NaiveDateTime, now: NaiveDateTime) -> NaiveDateTime {
    let minutes = ATTEMPT_MINUTES_BEFORE.into_iter().max().unwrap_or_default();
    expires_at.checked_sub_signed(TimeDelta::minutes(minutes)).map_or(now, |first| first.max(now))
}

/// When a planned attempt is due, as seen now: one that a job has not yet made is due at once, not in the past.
pub fn charged_at(planned: NaiveDateTime, now: NaiveDateTime) -> NaiveDateTime {
    planned.max(now)
}

/// When to attempt the automatic renewal of a node with this expiry next, strictly after `after`; `None` after the last attempt.
pub fn next_attempt(expires_at: NaiveDateTime, after: NaiveDateTime) -> Option<NaiveDateTime> {
    ATTEMPT_MINUTES_BEFORE
        .iter()
        .filter_map(|minutes| expires_at.checked_sub_signed(TimeDelta::minutes(*minutes)))
        .find(|attempt| *attempt > after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coupon::{Benefit, Coupon};
    use crate::time::{from_wire, to_wire};

    const REGULAR: &str = "shared ISP proxies plan";
    const DEDICATED: &str = "dedicated ISP proxies plan";

    fn request(period_days: u32, lines: &[(&str, u32)]) -> RenewalRequest {
        let line =
            |(ver_str, quantity): &(&str, u32)| RenewalLineRequest { ver_str: (*ver_str).into(), quantity: *quantity };
        RenewalRequest { period_days, lines: lines.iter().map(line).collect() }
    }

    #[test]
    fn invalid_requests_have_no_quote() {
        for (request, error) in [
            (request(31, &[(REGULAR, 1)]), QuoteError::UnknownPeriod),
            (request(30, &[]), QuoteError::NoLines),
            (request(30, &[("no such plan", 1)]), QuoteError::UnknownTier),
            (request(30, &[(REGULAR, 0)]), QuoteError::LineQuantityIsZero { line: 0 }),
            (request(30, &[(REGULAR, 1), (REGULAR, 1)]), QuoteError::RepeatedTier { line: 1 }),
            (request(30, &[(REGULAR, 100_000), (DEDICATED, 1)]), QuoteError::TooManyIps { max: 100_000 }),
        ] {
            assert_eq!(quote_renewal(&request, &Catalogue::default(), &Terms::default()), Err(error), "{request:?}");
        }
    }

    #[test]
    fn the_quantity_discount_counts_all_nodes_together() {
        let quote =
            quote_renewal(&request(30, &[(REGULAR, 15), (DEDICATED, 5)]), &Catalogue::default(), &Terms::default())
                .expect("a quote");
        // 75.00 and 70.00 are 145.00; less 3 % is 140.65, of which 75/145 is 72.75 and 70/145 is 67.90.
        assert_eq!((quote.subtotal.minor(), quote.total.minor()), (14_500, 14_065));
        assert_eq!(quote.lines.iter().map(|line| line.net.minor()).collect::<Vec<_>>(), [7_275, 6_790]);
    }

    #[test]
    fn a_coupon_only_reduces_the_lines_of_its_products() {
        let coupon = Coupon {
            code: "DEDI".into(),
            benefit: Benefit::Percent(1_000),
            minimum: Money::from_minor(7_000),
            products: vec![DEDICATED.into()],
            uses_per_account: None,
            total_uses: None,
            first_order_only: false,
            valid_from: None,
            valid_until: None,
        };
        let terms = Terms { reseller_basis_points: 0, coupon: Some(coupon) };
        let quote = quote_renewal(&request(30, &[(REGULAR, 2), (DEDICATED, 5)]), &Catalogue::default(), &terms)
            .expect("a quote");
        assert_eq!(quote.lines.iter().map(|line| line.net.minor()).collect::<Vec<_>>(), [1_000, 6_300]);
        assert_eq!(quote.total.minor(), 7_300);
    }

    #[test]
    fn an_automatic_renewal_enabled_late_is_attempted_immediately() {
        let time = |text| from_wire(text).expect("a time");
        let end = time("2026-03-10 12:00:00");
        for (now, first) in [
            ("2026-03-01 00:00:00", "2026-03-07 12:00:00"),
            ("2026-03-09 00:00:00", "2026-03-09 00:00:00"),
            ("2026-03-11 00:00:00", "2026-03-11 00:00:00"),
        ] {
            assert_eq!(first_attempt(end, time(now)), time(first), "{now}");
        }
    }

    #[test]
    fn the_next_charge_is_never_in_the_past() {
        let time = |text| from_wire(text).expect("a time");
        let planned = time("2026-03-07 12:00:00");
        for (now, charged) in [
            ("2026-03-07 11:59:59", "2026-03-07 12:00:00"),
            ("2026-03-07 12:00:00", "2026-03-07 12:00:00"),
            ("2026-03-07 12:00:20", "2026-03-07 12:00:20"),
        ] {
            assert_eq!(to_wire(charged_at(planned, time(now))), charged, "{now}");
        }
    }

    #[test]
    fn automatic_renewals_are_attempted_four_times() {
        let end = from_wire("2026-03-10 12:00:00").expect("a time");
        let mut now = from_wire("2026-01-01 00:00:00").expect("a time");
        let mut attempts = Vec::new();
        while let Some(attempt) = next_attempt(end, now) {
            attempts.push(to_wire(attempt));
            now = attempt;
        }
        assert_eq!(
            attempts,
            ["2026-03-07 12:00:00", "2026-03-09 12:00:00", "2026-03-10 10:00:00", "2026-03-10 12:00:00"]
        );
        assert_eq!(next_attempt(end, end), None);
    }
}
