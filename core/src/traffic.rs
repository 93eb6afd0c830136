//! Residential traffic: its price, an account's batches, and the batches from which used bytes are taken.
use crate::constants::ENDS_SOON_DAYS;
use crate::field_errors::FieldErrors;
use crate::money::{Currency, Money};
use crate::node::next_reminder;
use crate::proxy_user::GIGABYTE;
use crate::quote::{Discount, PricedLine, QuoteError, Reduced, Terms, quote_error_fields, reduce};
use crate::rule::Rule;
use chrono::{NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};

/// The product key of traffic in orders, on invoices and for coupons.
pub const TRAFFIC_PRODUCT: &str = "rotating residential proxies plan";

/// The names of traffic on orders and invoices.
pub const TRAFFIC_LABEL_EN: &str = "Residential traffic";
pub const TRAFFIC_LABEL_ZH: &str = "住宅流量";

/// The maximum number of gigabytes in one order.
pub const MAX_GIGABYTES: u32 = 100_000;

/// A price step: orders of at least this many gigabytes cost `price` per gigabyte.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TrafficStep {
    pub min_gigabytes: u32,
    /// Price per gigabyte.
    pub price: Money,
}

/// A traffic offer: a period, or no expiry, with its own price steps.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TrafficOffer {
    /// Days until the batch expires; 0 for no expiry.
    pub period_days: u32,
    /// In ascending order of `MinGigabytes`. The first one is the minimum order.
    pub steps: Vec<TrafficStep>,
}

/// The prices of traffic. A shop's prices are in its database; a new shop starts with the default.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TrafficCatalogue {
    pub currency: Currency,
    pub offers: Vec<TrafficOffer>,
}

/// A purchase request.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TrafficRequest {
    pub gigabytes: u32,
    /// The period of an offer in the catalogue: days until the batch expires; 0 for no expiry.
    pub period_days: u32,
}

/// A larger order at a lower price per gigabyte.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct NextTrafficStep {
    pub gigabytes: u32,
    /// Price per gigabyte.
    pub unit_price: Money,
    /// Whether the larger order costs no more than this one.
    pub is_cheaper: bool,
}

#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct TrafficQuote {
    pub gigabytes: u32,
    pub period_days: u32,
    pub currency: Currency,
    /// Price per gigabyte, before discounts.
    pub unit_price: Money,
    pub subtotal: Money,
    pub discounts: Vec<Discount>,
    pub discount_total: Money,
    pub total: Money,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextTrafficStep>,
}

/// Why a request cannot be quoted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TrafficError {
    UnknownPeriod,
    TooFew { min: u32 },
    TooMany { max: u32 },
    Quote(QuoteError),
}

impl From<QuoteError> for TrafficError {
    fn from(error: QuoteError) -> TrafficError {
        TrafficError::Quote(error)
    }
}

impl From<crate::money::MoneyError> for TrafficError {
    fn from(_: crate::money::MoneyError) -> TrafficError {
        TrafficError::Quote(QuoteError::Overflow)
    }
}

/// Converts the error of a request to field errors.
pub fn traffic_error_fields(error: TrafficError) -> FieldErrors {
    match error {
        TrafficError::UnknownPeriod => FieldErrors::one("PeriodDays", Rule::UnknownPeriod, &[]),
        TrafficError::TooFew { min } => FieldErrors::one("Gigabytes", Rule::GigabytesMin, &[("Min", min.to_string())]),
        TrafficError::TooMany { max } => FieldErrors::one("Gigabytes", Rule::GigabytesMax, &[("Max", max.to_string())]),
        TrafficError::Quote(error @ (QuoteError::Coupon(_) | QuoteError::ResellerDiscount)) => {
            quote_error_fields(error)
        }
        TrafficError::Quote(_) => FieldErrors::one("Gigabytes", Rule::Amount, &[]),
    }
}

impl TrafficCatalogue {
    /// What of it can be ordered: nothing in a shop without a residential proxy server, which would have nothing to carry the traffic.
    pub fn for_sale(self, has_server: bool) -> TrafficCatalogue {
        if has_server { self } else { TrafficCatalogue { offers: Vec::new(), ..self } }
    }

    pub fn offer(&self, period_days: u32) -> Option<&TrafficOffer> {
        self.offers.iter().find(|offer| offer.period_days == period_days)
    }

    /// Sets the price of a step, in an offer that exists or not.
    pub(crate) fn set(&mut self, period_days: u32, step: TrafficStep) {
        self.remove(period_days, step.min_gigabytes);
        match self.offers.iter_mut().find(|offer| offer.period_days == period_days) {
            Some(offer) => {
                offer.steps.push(step);
                offer.steps.sort_by_key(|step| step.min_gigabytes);
            }
            None => self.offers.push(TrafficOffer { period_days, steps: vec![step] }),
        }
        self.offers.sort_by_key(|offer| (offer.period_days == 0, offer.period_days));
    }

    /// Removes a step, and its offer with the last one.
    pub(crate) fn remove(&mut self, period_days: u32, min_gigabytes: u32) {
        for offer in self.offers.iter_mut().filter(|offer| offer.period_days == period_days) {
            offer.steps.retain(|step| step.min_gigabytes != min_gigabytes);
        }
        self.offers.retain(|offer| !offer.steps.is_empty());
    }
}

impl TrafficOffer {
    /// The price step for this many gigabytes; `None` below the first.
    pub fn step(&self, gigabytes: u32) -> Option<&TrafficStep> {
        self.steps.iter().rev().find(|step| step.min_gigabytes <= gigabytes)
    }
}

/// Prices an order of traffic: all gigabytes cost the price of the highest step reached; then reseller and coupon discounts apply as for
/// any order. `next` is the next step with a lower price per gigabyte, and whether it also costs no more in total.
pub fn quote_traffic(
    request: &TrafficRequest,
    catalogue: &TrafficCatalogue,
    terms: &Terms,
) -> Result<TrafficQuote, TrafficError> {
    let offer = catalogue.offer(request.period_days).ok_or(TrafficError::UnknownPeriod)?;
    let gigabytes = request.gigabytes;
    if gigabytes > MAX_GIGABYTES {
        return Err(TrafficError::TooMany { max: MAX_GIGABYTES });
    }
    let min = offer.steps.first().map_or(1, |step| step.min_gigabytes);
    let step = offer.step(gigabytes).ok_or(TrafficError::TooFew { min })?;
    let line = PricedLine { ver_str: TRAFFIC_PRODUCT, amount: step.price.times(gigabytes)? };
    let Reduced { subtotal, discounts, total, .. } = reduce(&[line], 0, 0, terms)?;
    let larger = offer.steps.iter().find(|larger| larger.min_gigabytes > gigabytes && larger.price < step.price);
    let next = match larger {
        None => None,
        Some(larger) => Some(NextTrafficStep {
            gigabytes: larger.min_gigabytes,
            unit_price: larger.price,
            is_cheaper: larger.price.times(larger.min_gigabytes)? <= subtotal,
        }),
    };
    Ok(TrafficQuote {
        gigabytes,
        period_days: request.period_days,
        currency: catalogue.currency,
        unit_price: step.price,
        subtotal,
        discount_total: subtotal.checked_sub(total)?,
        discounts,
        total,
        next,
    })
}

impl Default for TrafficCatalogue {
    fn default() -> TrafficCatalogue {
        let offer = |period_days, steps: &[(u32, i64)]| TrafficOffer {
            period_days,
            steps: steps
                .iter()
                .map(|(min_gigabytes, minor)| TrafficStep {
                    min_gigabytes: *min_gigabytes,
                    price: Money::from_minor(*minor),
                })
                .collect(),
        };
        TrafficCatalogue {
            currency: Currency::Usd,
            offers: vec![
                offer(30, &[(1, 400), (10, 350), (50, 300), (100, 260), (500, 220), (1_000, 190)]),
                offer(0, &[(1, 500), (10, 440), (50, 380), (100, 330), (500, 280), (1_000, 240)]),
            ],
        }
    }
}

/// Traffic bought in one order. Times are UTC.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Batch {
    pub id: i64,
    pub left_bytes: u64,
    pub begins_at: NaiveDateTime,
    /// The expiry, exclusive; `None` for no expiry.
    pub ends_at: Option<NaiveDateTime>,
}

impl Batch {
    /// Whether traffic used at this time can be taken from the batch.
    pub fn covers(&self, at: NaiveDateTime) -> bool {
        self.begins_at <= at && self.ends_at.is_none_or(|ends_at| at < ends_at)
    }

    /// Whether nothing can be taken from it any more, because it has expired or is used up.
    pub fn is_over(&self, now: NaiveDateTime) -> bool {
        self.left_bytes == 0 || self.ends_at.is_some_and(|ends_at| ends_at <= now)
    }

    /// Whether it expires within a week and is not used up.
    pub fn ends_soon(&self, now: NaiveDateTime) -> bool {
        let soon = TimeDelta::days(i64::from(ENDS_SOON_DAYS));
        !self.is_over(now) && self.ends_at.is_some_and(|ends_at| ends_at - now <= soon)
    }
}

/// The bytes available now in all batches together. A batch whose start is shortly after `now` counts too, because clocks of different
/// processes differ and transactions overlap.
pub fn left_now(batches: &[Batch], now: NaiveDateTime) -> u64 {
    let running = batches.iter().filter(|batch| batch.ends_at.is_none_or(|ends_at| now < ends_at));
    running.fold(0, |sum, batch| sum.saturating_add(batch.left_bytes))
}

/// When to remind the owner of a batch next, strictly after `after`: 7, 3 and 1 days of 24 hours before it expires. `None` after the last
/// reminder, and for a batch without expiry.
pub fn next_batch_reminder(ends_at: Option<NaiveDateTime>, after: NaiveDateTime) -> Option<NaiveDateTime> {
    next_reminder(ends_at?, after)
}

/// The expiry of a batch bought now for this many days; `None` for no expiry.
pub fn batch_end(period_days: u32, now: NaiveDateTime) -> Option<NaiveDateTime> {
    if period_days == 0 { None } else { now.checked_add_signed(TimeDelta::days(i64::from(period_days))) }
}

/// The bytes in this many gigabytes.
pub fn bytes_of(gigabytes: u32) -> u64 {
    u64::from(gigabytes) * GIGABYTE
}

/// Used bytes, by the batches from which they are taken.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Taken {
    /// Batch id and bytes, in order.
    pub from: Vec<(i64, u64)>,
    /// The overdraft: bytes used between the last authorisation and the refusal of the next, which are not charged.
    pub overdraft: u64,
}

/// Takes bytes used at this time from the batches valid at that time: those that expire first come first, those without expiry last, and
/// among equals the older one. A late record is taken from the batches that were valid at its own time, even if they have expired since.
pub fn take_bytes(batches: &[Batch], bytes: u64, at: NaiveDateTime) -> Taken {
    let mut good: Vec<&Batch> = batches.iter().filter(|batch| batch.covers(at) && batch.left_bytes > 0).collect();
    good.sort_by_key(|batch| (batch.ends_at.is_none(), batch.ends_at, batch.id));
    let mut taken = Taken { from: Vec::new(), overdraft: bytes };
    for batch in good {
        if taken.overdraft == 0 {
            break;
        }
        let part = batch.left_bytes.min(taken.overdraft);
        taken.overdraft -= part;
        taken.from.push((batch.id, part));
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;
    use crate::coupon::{Benefit, Coupon};
    use crate::time::from_wire;
    use proptest::prelude::*;

    fn quoted(gigabytes: u32, period_days: u32, terms: &Terms) -> Result<TrafficQuote, TrafficError> {
        quote_traffic(&TrafficRequest { gigabytes, period_days }, &TrafficCatalogue::default(), terms)
    }

    #[test]
    fn all_gigabytes_cost_the_price_of_the_step_reached() {
        for (gigabytes, period_days, unit_price, total, next) in [
            (1, 30, "4.00", "4.00", Some((10, "3.50", false))),
            (9, 30, "4.00", "36.00", Some((10, "3.50", true))),
            (10, 30, "3.50", "35.00", Some((50, "3.00", false))),
            (99, 30, "3.00", "297.00", Some((100, "2.60", true))),
            (1_000, 30, "1.90", "1900.00", None),
            (50, 0, "3.80", "190.00", Some((100, "3.30", false))),
            (MAX_GIGABYTES, 0, "2.40", "240000.00", None),
        ] {
            let quote = quoted(gigabytes, period_days, &Terms::default()).expect("a quote");
            assert_eq!((quote.unit_price.to_string(), quote.total.to_string()), (unit_price.into(), total.into()));
            let told = quote.next.map(|next| (next.gigabytes, next.unit_price.to_string(), next.is_cheaper));
            assert_eq!(told, next.map(|(gigabytes, price, is_cheaper)| (gigabytes, price.to_owned(), is_cheaper)));
        }
    }

    #[test]
    fn errors_of_a_request_are_reported_at_their_field() {
        for (gigabytes, period_days, broken) in [
            (0, 30, "Gigabytes:gigabytesMin 1"),
            (MAX_GIGABYTES + 1, 30, "Gigabytes:gigabytesMax 100000"),
            (u32::MAX, 0, "Gigabytes:gigabytesMax 100000"),
            (1, 31, "PeriodDays:unknownPeriod"),
        ] {
            let error = quoted(gigabytes, period_days, &Terms::default()).expect_err("an error");
            assert_eq!(rules(traffic_error_fields(error)), [broken]);
        }
    }

    #[test]
    fn reseller_and_coupon_discounts_apply_to_traffic() {
        let coupon = Coupon {
            code: "TENTH".into(),
            benefit: Benefit::Percent(1_000),
            minimum: Money::ZERO,
            products: vec![TRAFFIC_PRODUCT.into()],
            uses_per_account: None,
            total_uses: None,
            first_order_only: false,
            valid_from: None,
            valid_until: None,
        };
        let terms = Terms { reseller_basis_points: 2_000, coupon: Some(coupon.clone()) };
        assert_eq!(quoted(10, 30, &terms).expect("a quote").total.to_string(), "25.20");
        let of_nodes = Coupon { products: vec!["shared ISP proxies plan".into()], ..coupon };
        let terms = Terms { coupon: Some(of_nodes), ..Terms::default() };
        let error = quoted(10, 30, &terms).expect_err("an error");
        assert_eq!(rules(traffic_error_fields(error)), ["Coupon:couponOtherProducts"]);
    }

    fn batch(id: i64, left_bytes: u64, begins_at: &str, ends_at: Option<&str>) -> Batch {
        let time = |text| from_wire(text).expect("a time");
        Batch { id, left_bytes, begins_at: time(begins_at), ends_at: ends_at.map(time) }
    }

    #[test]
    fn batches_are_used_in_order_of_expiry_and_those_without_expiry_last() {
        let batches = [
            batch(1, 100, "2026-01-01 00:00:00", None),
            batch(2, 100, "2026-01-02 00:00:00", Some("2026-03-01 00:00:00")),
            batch(3, 100, "2026-01-03 00:00:00", Some("2026-02-01 00:00:00")),
            batch(4, 100, "2026-01-01 00:00:00", Some("2026-02-01 00:00:00")),
            batch(5, 0, "2026-01-01 00:00:00", Some("2026-01-20 00:00:00")),
        ];
        for (bytes, at, from, overdraft) in [
            (50, "2026-01-10 00:00:00", vec![(3, 50)], 0),
            (250, "2026-01-10 00:00:00", vec![(3, 100), (4, 100), (2, 50)], 0),
            (500, "2026-01-10 00:00:00", vec![(3, 100), (4, 100), (2, 100), (1, 100)], 100),
            // A batch is no longer valid at its expiry; it is valid up to the second before.
            (150, "2026-01-31 23:59:59", vec![(3, 100), (4, 50)], 0),
            (150, "2026-02-01 00:00:00", vec![(2, 100), (1, 50)], 0),
            // Before any purchase.
            (1, "2025-12-31 23:59:59", vec![], 1),
            (0, "2026-01-10 00:00:00", vec![], 0),
        ] {
            let taken = take_bytes(&batches, bytes, from_wire(at).expect("a time"));
            assert_eq!(taken, Taken { from, overdraft }, "{bytes} {at}");
        }
    }

    #[test]
    fn a_batch_is_over_when_expired_or_used_up_and_ends_soon_in_its_last_week() {
        let end = Some("2026-03-10 12:00:00");
        let time = |text| from_wire(text).expect("a time");
        for (left, ends_at, now, is_over, ends_soon) in [
            (1, end, "2026-03-03 11:59:59", false, false),
            (1, end, "2026-03-03 12:00:00", false, true),
            (1, end, "2026-03-10 11:59:59", false, true),
            (1, end, "2026-03-10 12:00:00", true, false),
            (0, end, "2026-03-09 12:00:00", true, false),
            (1, None, "2036-03-10 12:00:00", false, false),
            (0, None, "2026-03-01 12:00:00", true, false),
        ] {
            let batch = batch(1, left, "2026-01-01 00:00:00", ends_at);
            assert_eq!((batch.is_over(time(now)), batch.ends_soon(time(now))), (is_over, ends_soon), "{left} {now}");
        }
    }

    #[test]
    fn reminders_are_multiples_of_24_hours_before_the_expiry() {
        let time = |text| from_wire(text).expect("a time");
        // Bought at the end of January; across the start of summer time in Europe; and before a leap day.
        for (bought, expected) in [
            ("2026-01-31 23:30:00", ["2026-02-23 23:30:00", "2026-02-27 23:30:00", "2026-03-01 23:30:00"]),
            ("2026-03-05 01:30:00", ["2026-03-28 01:30:00", "2026-04-01 01:30:00", "2026-04-03 01:30:00"]),
            ("2028-02-06 00:00:00", ["2028-02-29 00:00:00", "2028-03-04 00:00:00", "2028-03-06 00:00:00"]),
        ] {
            let ends_at = batch_end(30, time(bought));
            let (mut at, mut reminders) = (time(bought), Vec::new());
            while let Some(next) = next_batch_reminder(ends_at, at) {
                reminders.push(next);
                at = next;
            }
            assert_eq!(reminders, expected.map(time), "{bought}");
        }
        assert_eq!(next_batch_reminder(None, time("2026-01-01 00:00:00")), None);
    }

    #[test]
    fn a_batch_lasts_whole_days_of_24_hours_across_clock_changes() {
        use chrono::TimeZone;
        for (zone, bought, ends) in [
            ("UTC", "2028-01-30 12:00:00", "2028-02-29 12:00:00"),
            ("UTC", "2026-01-31 23:59:59", "2026-03-02 23:59:59"),
            ("Asia/Shanghai", "2026-01-31 23:30:00", "2026-03-02 23:30:00"),
            ("Asia/Kolkata", "2026-11-30 00:15:00", "2026-12-30 00:15:00"),
            // An hour later by a local clock that was put forward, and an hour earlier by one that was put back.
            ("America/New_York", "2026-02-20 12:00:00", "2026-03-22 13:00:00"),
            ("America/New_York", "2026-10-15 12:00:00", "2026-11-14 11:00:00"),
            ("Pacific/Auckland", "2026-09-10 12:00:00", "2026-10-10 13:00:00"),
            ("Pacific/Auckland", "2026-03-20 12:00:00", "2026-04-19 11:00:00"),
            ("America/Sao_Paulo", "2018-10-20 12:00:00", "2018-11-19 13:00:00"),
            ("America/Sao_Paulo", "2018-01-31 12:00:00", "2018-03-02 11:00:00"),
        ] {
            let clock = crate::time::time_zone(zone).expect("a zone");
            let utc =
                |local| clock.from_local_datetime(&from_wire(local).expect("a time")).single().expect("one moment");
            let (bought, ends) = (utc(bought).naive_utc(), utc(ends).naive_utc());
            assert_eq!(batch_end(30, bought), Some(ends), "{zone}");
            let whole = batch(1, 10, &crate::time::to_wire(bought), Some(&crate::time::to_wire(ends)));
            let second = chrono::TimeDelta::seconds(1);
            assert!(whole.covers(bought) && whole.covers(ends - second) && !whole.covers(ends), "{zone}");
        }
    }

    #[test]
    fn available_bytes_include_batches_that_start_shortly_after_now() {
        let batches = [
            batch(1, 100, "2026-01-01 00:00:00", None),
            batch(2, 10, "2026-01-01 00:00:00", Some("2026-02-01 00:00:00")),
            batch(3, 1, "2026-03-01 00:00:00", None),
        ];
        let left = |now| left_now(&batches, from_wire(now).expect("a time"));
        assert_eq!(
            (left("2026-01-31 23:59:59"), left("2026-02-01 00:00:00"), left("2026-03-01 00:00:00")),
            (111, 101, 101)
        );
    }

    proptest! {
        #[test]
        fn taken_bytes_and_overdraft_add_up_and_no_batch_is_overdrawn(
            lefts in prop::collection::vec(0..1_000_u64, 0..8), bytes in 0..10_000_u64,
        ) {
            let batches: Vec<_> = (0..).zip(&lefts).map(|(id, left)| batch(id, *left, "2026-01-01 00:00:00", None)).collect();
            let taken = take_bytes(&batches, bytes, from_wire("2026-01-02 00:00:00").expect("a time"));
            prop_assert_eq!(taken.from.iter().map(|part| part.1).sum::<u64>() + taken.overdraft, bytes);
            prop_assert!(taken.from.iter().all(|(id, part)| *part > 0 && *part <= lefts[*id as usize]));
            prop_assert!(taken.overdraft == 0 || taken.from.iter().map(|part| part.1).sum::<u64>() == lefts.iter().sum::<u64>());
        }
    }
}
