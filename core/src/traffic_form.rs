//! The order form for traffic: the amount field, the slider beside it, and the price table.
use crate::field_errors::FieldErrors;
use crate::money::{Money, MoneyError};
use crate::rule::Rule;
use crate::traffic::{MAX_GIGABYTES, TrafficOffer};
use serde::{Deserialize, Serialize};

/// Parses an amount as entered: whole gigabytes. The offer's minimum and maximum are checked by its quote.
pub fn read_gigabytes(text: &str) -> Result<u32, FieldErrors> {
    let text = text.trim();
    let broken = |rule, params: &[(&str, String)]| Err(FieldErrors::one("Gigabytes", rule, params));
    if text.is_empty() {
        return broken(Rule::Required, &[]);
    }
    let max = [("Max", MAX_GIGABYTES.to_string())];
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return broken(Rule::WholeNumber, &max);
    }
    match text.parse() {
        Ok(gigabytes) if gigabytes <= MAX_GIGABYTES => Ok(gigabytes),
        _ => broken(Rule::GigabytesMax, &max),
    }
}

/// The stops of an offer's slider, ascending: from the minimum order to the maximum, all amounts with at most two significant digits, and
/// those at which a price step begins. Each power of ten gets the same length of the slider.
pub fn slider_stops(offer: &TrafficOffer) -> Vec<u32> {
    let min = offer.steps.first().map_or(1, |step| step.min_gigabytes);
    let tens = std::iter::successors(Some(1_u32), |ten| ten.checked_mul(10)).take_while(|ten| *ten <= MAX_GIGABYTES);
    let mut stops: Vec<u32> =
        tens.flat_map(|ten| (1..100).map(move |digits: u32| digits.saturating_mul(ten))).collect();
    stops.extend(offer.steps.iter().map(|step| step.min_gigabytes));
    stops.retain(|gigabytes| (min..=MAX_GIGABYTES).contains(gigabytes));
    stops.sort_unstable();
    stops.dedup();
    stops
}

/// The index of an amount's stop on the slider: the last stop that is not above the amount.
pub fn slider_stop_of(offer: &TrafficOffer, gigabytes: u32) -> usize {
    slider_stops(offer).partition_point(|stop| *stop <= gigabytes).saturating_sub(1)
}

/// A row of the price table.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct TrafficPrice {
    pub min_gigabytes: u32,
    /// Price per gigabyte.
    pub price: Money,
    /// The total of the smallest order at this price.
    pub total: Money,
    /// The saving per gigabyte compared with the smallest order, in hundredths of a percent, rounded down.
    pub saving_basis_points: u32,
}

/// An offer's price table, before discounts.
pub fn price_list(offer: &TrafficOffer) -> Result<Vec<TrafficPrice>, MoneyError> {
    let first = offer.steps.first().map_or(Money::ZERO, |step| step.price);
    let saving = |price: Money| match first.minor() {
        ..=0 => 0,
        minor => ((minor - price.minor()).max(0) * 10_000 / minor) as u32,
    };
    let line = |step: &crate::traffic::TrafficStep| {
        Ok(TrafficPrice {
            min_gigabytes: step.min_gigabytes,
            price: step.price,
            total: step.price.times(step.min_gigabytes)?,
            saving_basis_points: saving(step.price),
        })
    };
    offer.steps.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;
    use crate::traffic::{TrafficCatalogue, TrafficStep};
    use proptest::prelude::*;

    fn offer(steps: &[(u32, i64)]) -> TrafficOffer {
        let step = |(min_gigabytes, minor): &(u32, i64)| TrafficStep {
            min_gigabytes: *min_gigabytes,
            price: Money::from_minor(*minor),
        };
        TrafficOffer { period_days: 30, steps: steps.iter().map(step).collect() }
    }

    #[test]
    fn an_amount_is_a_whole_number_of_gigabytes_up_to_the_maximum() {
        for (typed, broken) in [
            ("", "Gigabytes:required"),
            (" ", "Gigabytes:required"),
            ("1.5", "Gigabytes:wholeNumber 100000"),
            ("-1", "Gigabytes:wholeNumber 100000"),
            ("1e3", "Gigabytes:wholeNumber 100000"),
            ("５０", "Gigabytes:wholeNumber 100000"),
            ("100001", "Gigabytes:gigabytesMax 100000"),
            ("99999999999999999999", "Gigabytes:gigabytesMax 100000"),
        ] {
            assert_eq!(rules(read_gigabytes(typed).expect_err("an error")), [broken], "{typed}");
        }
        for (typed, gigabytes) in [("50", 50), (" 007 ", 7), ("0", 0), ("100000", 100_000)] {
            assert_eq!(read_gigabytes(typed), Ok(gigabytes));
        }
    }

    #[test]
    fn the_slider_has_stops_from_minimum_to_maximum_and_at_every_step() {
        let stops = slider_stops(&offer(&[(1, 400)]));
        assert_eq!((stops.len(), stops[0], stops[98], stops[99]), (370, 1, 99, 100));
        assert_eq!((stops[100], stops.last()), (110, Some(&MAX_GIGABYTES)));
        let odd = offer(&[(5, 400), (125, 300), (1_001, 200)]);
        let stops = slider_stops(&odd);
        assert_eq!(stops[0], 5);
        assert!([120, 125, 130, 1_000, 1_001, 1_100].iter().all(|amount| stops.contains(amount)));
        assert_eq!(slider_stops(&offer(&[(MAX_GIGABYTES, 1)])), [MAX_GIGABYTES]);
    }

    #[test]
    fn the_price_table_shows_the_savings_of_larger_orders() {
        let catalogue = TrafficCatalogue::default();
        let rows: Vec<_> = price_list(catalogue.offer(30).expect("an offer"))
            .expect("prices")
            .iter()
            .map(|row| (row.min_gigabytes, row.price.to_string(), row.total.to_string(), row.saving_basis_points))
            .collect();
        let text = |gigabytes, price: &str, total: &str, saving| (gigabytes, price.into(), total.into(), saving);
        assert_eq!(
            rows,
            [
                text(1, "4.00", "4.00", 0),
                text(10, "3.50", "35.00", 1_250),
                text(50, "3.00", "150.00", 2_500),
                text(100, "2.60", "260.00", 3_500),
                text(500, "2.20", "1100.00", 4_500),
                text(1_000, "1.90", "1900.00", 5_250),
            ]
        );
        // Free, or dearer in larger orders: there is no saving.
        for odd in [offer(&[(1, 0), (10, 0)]), offer(&[(1, 100), (10, 200)])] {
            assert!(price_list(&odd).expect("prices").iter().all(|row| row.saving_basis_points == 0));
        }
    }

    proptest! {
        #[test]
        fn slider_and_amount_agree(min in 1..2_000_u32, step in 2_000..50_000_u32, gigabytes in 1..=MAX_GIGABYTES) {
            let offer = offer(&[(min, 400), (step, 300)]);
            let stops = slider_stops(&offer);
            for (index, stop) in stops.iter().enumerate() {
                prop_assert_eq!(slider_stop_of(&offer, *stop), index);
            }
            let at = slider_stop_of(&offer, gigabytes);
            prop_assert!(stops[at] <= gigabytes.max(min));
            prop_assert!(stops.get(at + 1).is_none_or(|next| *next > gigabytes));
        }
    }
}
