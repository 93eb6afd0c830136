//! Properties across several rules, for all inputs: money is conserved, nothing is refunded twice, formatted values parse back.
use chrono::{DateTime, MappedLocalTime, TimeZone};
use chrono_tz::Tz;
use postern_core::auto_top_up::has_reached_limit;
use postern_core::auto_top_up::{AutoTopUp, auto_top_up_due};
use postern_core::coupon::{Benefit, Coupon};
use postern_core::money::{Currency, Money, round_cumulatively};
use postern_core::node::{NodeEvent, NodeState, next_node_state};
use postern_core::order::{
    GatewayReport, OrderEvent, OrderKind, OrderState, PaymentEvent, PaymentState, Verdict, evaluate_report,
    next_order_state, next_payment_state,
};
use postern_core::params::{ScrubError, scrub};
use postern_core::proxy_user::{LimitCycle, cycle_of, format_gigabytes, parse_gigabytes};
use postern_core::quote::{LineRequest, QuoteError, QuoteRequest, Terms, quote_with_terms};
use postern_core::referral::{CommissionState, commission, commission_clawback};
use postern_core::refund::{PaidLine, RefundRequest, refund_amount, refund_unused, undelivered};
use postern_core::renewal::{RenewalLineRequest, RenewalRequest, quote_renewal};
use postern_core::switch::{SwitchMode, SwitchRequest, price_switch};
use postern_core::tier::Catalogue;
use postern_core::time::{RangeEnd, from_wire, localize_response, range_end_to_utc, to_wire};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

const DAY: u32 = 86_400;

fn tier() -> impl Strategy<Value = String> {
    select(Catalogue::default().tiers).prop_map(|tier| tier.ver_str)
}

fn terms() -> impl Strategy<Value = Terms> {
    let benefit = prop_oneof![
        (0_u32..=10_000).prop_map(Benefit::Percent),
        (0_i64..=50_000).prop_map(|minor| Benefit::Amount(Money::from_minor(minor))),
    ];
    let coupon = (benefit, 0_i64..=20_000, vec(tier(), 0..=2)).prop_map(|(benefit, minimum, products)| Coupon {
        code: "COUPON".into(),
        benefit,
        minimum: Money::from_minor(minimum),
        products,
        uses_per_account: None,
        total_uses: None,
        first_order_only: false,
        valid_from: None,
        valid_until: None,
    });
    let reseller = prop_oneof![Just(0), 0_u32..=10_000];
    (reseller, option::of(coupon)).prop_map(|(reseller_basis_points, coupon)| Terms { reseller_basis_points, coupon })
}

/// Arbitrary prices of a shop, including odd ones.
fn catalogue() -> impl Strategy<Value = Catalogue> {
    vec(0_i64..=100_000, 3).prop_map(|prices| {
        let mut catalogue = Catalogue::default();
        for (tier, minor) in catalogue.tiers.iter_mut().zip(prices) {
            tier.price = Money::from_minor(minor);
        }
        catalogue
    })
}

fn purchase() -> impl Strategy<Value = QuoteRequest> {
    (tier(), select(vec![30_u32, 90, 180, 360]), vec(1_u32..=250, 1..=20)).prop_map(
        |(ver_str, period_days, quantities)| {
            let line =
                |(index, quantity)| LineRequest { country: "US".into(), city: format!("city-{index}"), quantity };
            QuoteRequest {
                ver_str,
                period_days,
                lines: quantities.into_iter().enumerate().map(line).collect(),
                target: None,
            }
        },
    )
}

fn zone() -> impl Strategy<Value = Tz> {
    select(chrono_tz::TZ_VARIANTS.to_vec())
}

fn sum(amounts: impl IntoIterator<Item = Money>) -> Money {
    Money::sum(amounts).expect("a sum")
}

fn json(leaf: impl Strategy<Value = serde_json::Value> + 'static) -> impl Strategy<Value = serde_json::Value> {
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(serde_json::Value::Array),
            vec((select(vec!["A", "B", "Rows", "StartAndEndTime"]), inner), 0..4)
                .prop_map(|fields| { fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect() }),
        ]
    })
}

/// Scrubbed parameters; `None` if they contain an invalid range.
fn scrubbed(value: &serde_json::Value, zone: Tz) -> Option<String> {
    match scrub(&value.to_string(), zone) {
        Ok(scrubbed) => Some(scrubbed),
        Err(ScrubError::NotATime { .. } | ScrubError::Reversed) if value.to_string().contains("StartAndEndTime") => {
            None
        }
        Err(error) => panic!("{error:?} of {value}"),
    }
}

fn plain_leaf() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i32>().prop_map(Into::into),
        select(vec!["", "NULL", "null", " ", "2026-01-02-0001", "a \"quote\" \\ 密"]).prop_map(Into::into),
        "[a-zA-Z:/ ]{0,12}".prop_map(Into::into),
    ]
}

fn leaf_with_times() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        plain_leaf(),
        (1900..2100, 1..13, 1..32, 0..24, 0..60).prop_map(|(year, month, day, hour, minute)| format!(
            "{year}-{month:02}-{day:02} {hour:02}:{minute:02}:00"
        )
        .into()),
        (1900..2100, 1..13, 1..32).prop_map(|(year, month, day)| format!("{year}-{month:02}-{day:02}").into()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn automatic_top_ups_charge_only_below_the_threshold_and_within_the_monthly_limit(
        (threshold, amount, more) in (1_i64..=20_000, 500_i64..=20_000, 0_i64..=60_000),
        spent in vec(0_i64..=30_000, 1..40),
    ) {
        let money = Money::from_minor;
        let settings =
            AutoTopUp { threshold: money(threshold), amount: money(amount), monthly_limit: money(amount + more) };
        let (mut balance, mut charged) = (20_000_i64, 0_i64);
        for spent in spent {
            balance -= spent.min(balance);
            let due = auto_top_up_due(&settings, money(balance), money(charged));
            let fits = charged + amount <= amount + more;
            prop_assert_eq!(due, (balance < threshold && fits).then_some(money(amount)));
            prop_assert_eq!(has_reached_limit(&settings, money(charged)), !fits);
            let due = due.map_or(0, Money::minor);
            (balance, charged) = (balance + due, charged + due);
            prop_assert!(money(charged) <= settings.monthly_limit);
        }
    }

    #[test]
    fn a_quote_is_exact_to_the_cent(request in purchase(), catalogue in catalogue(), terms in terms()) {
        match quote_with_terms(&request, &catalogue, &terms) {
            Ok(quote) => {
                prop_assert_eq!(sum(quote.lines.iter().map(|line| line.amount)), quote.subtotal);
                prop_assert_eq!(sum(quote.lines.iter().map(|line| line.net)), quote.total);
                prop_assert_eq!(sum(quote.discounts.iter().map(|discount| discount.amount)), quote.discount_total);
                prop_assert_eq!(quote.total.checked_add(quote.discount_total), Ok(quote.subtotal));
                prop_assert!(!quote.total.is_negative());
                prop_assert!(quote.discounts.iter().all(|discount| !discount.amount.is_negative()));
                prop_assert!(quote.lines.iter().all(|line| !line.net.is_negative() && line.net <= line.amount));
            }
            Err(error) => prop_assert!(matches!(error, QuoteError::Coupon(_)), "{:?}", error),
        }
    }

    #[test]
    fn a_renewal_is_exact_to_the_cent(
        quantities in vec(1_u32..=3_000, 3),
        used in vec(any::<bool>(), 3),
        period_days in select(vec![30_u32, 90, 180, 360]),
        catalogue in catalogue(),
        terms in terms(),
    ) {
        let lines: Vec<_> = catalogue.tiers.iter().zip(quantities).zip(used).filter(|(_, used)| *used)
            .map(|((tier, quantity), _)| RenewalLineRequest { ver_str: tier.ver_str.clone(), quantity }).collect();
        let request = RenewalRequest { period_days, lines };
        match quote_renewal(&request, &catalogue, &terms) {
            Ok(quote) => {
                prop_assert_eq!(sum(quote.lines.iter().map(|line| line.net)), quote.total);
                prop_assert_eq!(quote.total.checked_add(quote.discount_total), Ok(quote.subtotal));
                prop_assert!(quote.lines.iter().all(|line| !line.net.is_negative() && line.net <= line.amount));
                for line in &quote.lines {
                    let nodes = line.net.split(line.quantity).expect("shares");
                    prop_assert_eq!(sum(nodes.iter().copied()), line.net);
                    let least = nodes.iter().min().map_or(0, |part| part.minor());
                    prop_assert!(nodes.iter().all(|part| part.minor() - least <= 1));
                }
            }
            Err(QuoteError::NoLines) => prop_assert!(request.lines.is_empty()),
            Err(error) => prop_assert!(matches!(error, QuoteError::Coupon(_)), "{:?}", error),
        }
    }

    #[test]
    fn allocated_parts_add_up_and_are_within_a_cent(amount in any::<i64>(), weights in vec(0_i64..=i64::MAX / 64, 1..40)) {
        prop_assume!(weights.iter().any(|weight| *weight > 0));
        let parts = Money::from_minor(amount).allocate(&weights).expect("shares");
        prop_assert_eq!(sum(parts.iter().copied()), Money::from_minor(amount));
        let whole: i128 = weights.iter().map(|weight| i128::from(*weight)).sum();
        for (part, weight) in parts.iter().zip(&weights) {
            let distance = i128::from(part.minor()) * whole - i128::from(amount) * i128::from(*weight);
            prop_assert!(distance.abs() < whole, "{part} of weight {weight}");
        }
    }

    #[test]
    fn cumulative_rounding_in_steps_equals_a_single_step(numerators in vec(0_i128..=1 << 70, 1..30), denominator in 1_i128..=1 << 40, cut in any::<Index>()) {
        let cut = cut.index(numerators.len());
        let at_once = sum(round_cumulatively(0, &numerators, denominator).expect("parts"));
        let first = round_cumulatively(0, &numerators[..cut], denominator).expect("parts");
        let then = round_cumulatively(numerators[..cut].iter().sum(), &numerators[cut..], denominator).expect("parts");
        prop_assert_eq!(sum(first.into_iter().chain(then)), at_once);
    }

    /// An order of several nodes, some of which were never delivered; the others end in batches at different times, with fixed amounts
    /// refunded in between.
    #[test]
    fn refunds_never_exceed_the_amount_paid(
        net in 0_i64..=1_000_000,
        ordered in 1_u32..=30,
        missing in 0_u32..=30,
        unused in vec(0_u32..=30 * DAY, 30),
        batches in vec(1_usize..=5, 30),
        extras in vec(option::of(1_i64..=200_000), 30),
    ) {
        let paid = Money::from_minor(net);
        let delivered = ordered.saturating_sub(missing);
        let (shares, back) = undelivered(paid, ordered, delivered).expect("shares");
        prop_assert_eq!(sum(shares.iter().copied().chain([back])), paid);
        let mut refunded = back;
        let mut earlier = Vec::new();
        let lines: Vec<_> = shares.iter().zip(&unused).map(|(paid, unused_seconds)| PaidLine {
            reference: String::new(), paid: *paid, refunded: Money::ZERO, unused_seconds: *unused_seconds,
        }).collect();
        let mut rest = lines.as_slice();
        for (batch, extra) in batches.into_iter().zip(extras) {
            if let Some(extra) = extra.map(Money::from_minor)
                && let Ok(left) = refund_amount(paid, refunded, extra)
            {
                refunded = refunded.checked_add(extra).expect("a sum");
                prop_assert_eq!(refunded.checked_add(left), Ok(paid));
            }
            let (now, later) = rest.split_at(batch.min(rest.len()));
            rest = later;
            if now.is_empty() {
                break;
            }
            let request = RefundRequest { paid, refunded, period_seconds: 30 * DAY, lines: now.to_vec(), earlier: earlier.clone() };
            let note = refund_unused(&request).expect("a note");
            prop_assert_eq!(sum(note.lines.iter().map(|line| line.amount)), note.total);
            prop_assert!(note.lines.iter().all(|line| !line.amount.is_negative() && line.amount <= line.paid));
            refunded = refunded.checked_add(note.total).expect("a sum");
            prop_assert!(refunded <= paid);
            prop_assert_eq!(refunded.checked_add(note.refundable_after), Ok(paid));
            prop_assert_eq!(note.is_whole, refunded == paid);
            earlier.extend_from_slice(now);
        }
    }

    #[test]
    fn a_series_of_tier_changes_costs_the_same_as_a_direct_change(
        prices in vec(0_i64..=100_000, 2..8),
        remaining_seconds in 1_u32..=360 * DAY,
        line_amount in 1_i64..=1_000_000,
        paid_share in 0_i64..=10_000,
    ) {
        let line_net = Money::from_minor(line_amount).proportion(paid_share, 10_000).expect("a share");
        let difference = |old: i64, new: i64| {
            let request = SwitchRequest {
                mode: SwitchMode::Specified,
                quota_left: 1,
                old_price: Money::from_minor(old),
                new_price: Money::from_minor(new),
                remaining_seconds,
                line_amount: Money::from_minor(line_amount),
                line_net,
            };
            price_switch(&request).expect("a price").difference.minor()
        };
        let steps: i64 = prices.windows(2).map(|pair| difference(pair[0], pair[1])).sum();
        let direct = difference(prices[0], prices[prices.len() - 1]);
        prop_assert!((steps - direct).abs() <= 1, "{steps} {direct}");
        prop_assert_eq!(difference(prices[0], prices[0]), 0);
    }

    #[test]
    fn commissions_shrink_with_refunds_and_nothing_is_taken_back_twice(
        paid in 0_i64..=1_000_000,
        refunds in vec(0_i64..=400_000, 1..5),
        rate in 0_u32..=10_000,
        wallet in 0_i64..=10_000,
        state in select(CommissionState::ALL),
    ) {
        let paid = Money::from_minor(paid);
        let of = |refunded: i64| commission(OrderKind::Purchase, paid, Money::from_minor(refunded), rate).expect("a commission");
        let (mut refunded, mut taken) = (0, Money::ZERO);
        for refund in refunds {
            let next = (refunded + refund).min(paid.minor());
            let back = commission_clawback(state, of(refunded), of(next), Money::from_minor(wallet)).expect("money");
            let amounts = [back.from_commission, back.from_wallet, back.owed];
            prop_assert!(amounts.iter().all(|amount| !amount.is_negative()) && back.from_wallet.minor() <= wallet);
            taken = taken.checked_add(sum(amounts)).expect("a sum");
            refunded = next;
        }
        let has_ended = matches!(state, CommissionState::TakenBack | CommissionState::Refused);
        let expected = if has_ended { 0 } else { of(0).minor() - of(refunded).minor() };
        prop_assert_eq!(taken.minor(), expected);
    }

    #[test]
    fn formatted_amounts_parse_back(minor in any::<i64>(), currency in select(vec![Currency::Usd, Currency::Eur, Currency::Cny])) {
        let amount = Money::from_minor(minor);
        prop_assert_eq!(Money::parse(&amount.to_string()), Ok(amount));
        let shown: String = amount.display(currency).chars().filter(|sign| matches!(sign, '-' | '.' | '0'..='9')).collect();
        prop_assert_eq!(Money::parse(&shown), Ok(amount));
    }

    #[test]
    fn any_text_is_an_amount_or_an_error(text in "\\PC{0,24}") {
        if let Ok(amount) = Money::parse(&text) {
            prop_assert_eq!(Money::parse(&amount.to_string()), Ok(amount));
        }
    }

    #[test]
    fn gigabytes_round_trip(thousandths in 0_u64..=1_000_000_000) {
        let bytes = thousandths * 1_000_000;
        prop_assert_eq!(parse_gigabytes(&format_gigabytes(bytes)), Some(bytes));
    }

    #[test]
    fn a_cycle_contains_the_current_time(cycle in select(LimitCycle::ALL), created in 0_i64..4_000_000_000, passed in 0_i64..4_000_000_000) {
        let moment = |seconds| DateTime::from_timestamp(seconds, 0).expect("a time").naive_utc();
        let (created_at, now) = (moment(created), moment(created + passed));
        let found = cycle_of(cycle, chrono_tz::Tz::UTC, created_at, now);
        prop_assert!(created_at <= found.starts_at && found.starts_at <= now);
        prop_assert!(found.ends_at.is_none_or(|end| now < end));
        prop_assert_eq!(found.ends_at.is_none(), cycle == LimitCycle::None);
        prop_assert_eq!(cycle_of(cycle, chrono_tz::Tz::UTC, created_at, found.starts_at), found);
    }

    #[test]
    fn scrubbing_is_idempotent(value in json(leaf_with_times()), plain in json(plain_leaf()), zone in zone()) {
        if let Some(once) = scrubbed(&value, Tz::UTC) {
            prop_assert_eq!(scrub(&once, Tz::UTC), Ok(once.clone()));
        }
        // The first pass converts ranges to UTC, so in other zones only parameters without ranges can be scrubbed again.
        if let Some(once) = scrubbed(&plain, zone) {
            prop_assert_eq!(scrub(&once, zone), Ok(once.clone()));
        }
    }

    #[test]
    fn scrubbing_leaves_no_empty_values(value in json(leaf_with_times()), zone in zone()) {
        fn has_empty(value: &serde_json::Value) -> bool {
            match value {
                serde_json::Value::Null => true,
                serde_json::Value::String(text) => text.is_empty() || text == "NULL",
                serde_json::Value::Array(items) => items.iter().any(has_empty),
                serde_json::Value::Object(fields) => fields.values().any(has_empty),
                _ => false,
            }
        }
        let parameters = serde_json::json!({ "Inside": value });
        if let Some(scrubbed) = scrubbed(&parameters, zone) {
            prop_assert!(!has_empty(&serde_json::from_str(&scrubbed).expect("json")), "{scrubbed}");
        }
    }

    #[test]
    fn a_text_without_times_is_unchanged(plain in json(plain_leaf()), text in "[^0-9]{0,200}", zone in zone()) {
        let plain = plain.to_string();
        prop_assert_eq!(localize_response(&plain, zone), plain);
        prop_assert_eq!(localize_response(&text, zone), text);
    }

    #[test]
    fn localising_changes_only_times(value in json(leaf_with_times()), zone in zone()) {
        let text = value.to_string();
        prop_assert_eq!(localize_response(&text, Tz::UTC), text.clone());
        let localised = localize_response(&text, zone);
        let shape = |text: &str| text.replace(|character: char| character.is_ascii_digit(), "0");
        prop_assert_eq!(shape(&localised), shape(&text));
    }

    #[test]
    fn a_range_end_converts_a_localised_time_back(seconds in -2_208_988_800_i64..4_102_444_800, zone in zone()) {
        let instant = DateTime::from_timestamp(seconds, 0).expect("a time").naive_utc();
        let utc = to_wire(instant);
        prop_assert_eq!(from_wire(&utc), Some(instant));
        let shown = localize_response(format!("\"{utc}\""), zone);
        let local = from_wire(shown.trim_matches('"')).expect("a time");
        let back = [RangeEnd::From, RangeEnd::To].map(|end| range_end_to_utc(&to_wire(local), zone, end).expect("a time"));
        match zone.from_local_datetime(&local) {
            MappedLocalTime::Single(_) => prop_assert_eq!(back, [utc.clone(), utc]),
            _ => prop_assert!(back[0] <= utc && utc <= back[1] && back.contains(&utc), "{back:?} {utc}"),
        }
    }

    #[test]
    fn a_payment_is_settled_at_most_once_and_credits_the_most_that_was_reported(
        reports in vec((any::<bool>(), select(vec![-1_i64, 0, 499, 500, 501]), select(vec!["USD", "CNY"])), 1..8),
        order in select(OrderState::ALL),
    ) {
        let mut payment = PaymentState::Pending;
        let (mut settled, mut arrived) = (0, 0);
        for (succeeded, minor, currency) in &reports {
            let report = GatewayReport::of(*succeeded, Money::from_minor(*minor), *currency);
            let verdict = evaluate_report(&report, payment, order, Money::from_minor(arrived), "USD");
            match verdict {
                Verdict::Settle | Verdict::CreditWallet => {
                    settled += i32::from(verdict == Verdict::Settle);
                    prop_assert!(*minor > arrived, "nothing is credited twice");
                    arrived = *minor;
                    payment = next_payment_state(payment, PaymentEvent::Succeed).unwrap_or(payment);
                }
                Verdict::Fail => payment = next_payment_state(payment, PaymentEvent::Fail).expect("a transition"),
                _ => {}
            }
        }
        let most = reports.iter().filter(|one| one.0 && one.2 == "USD").map(|one| one.1).max();
        prop_assert_eq!(arrived, most.unwrap_or_default().max(0));
        prop_assert!(settled <= 1);
    }
}

/// The states reachable from this one by any sequence of events.
fn reachable<S: Copy + PartialEq, E: Copy>(from: S, events: &[E], next: impl Fn(S, E) -> Option<S>) -> Vec<S> {
    let mut reached = vec![from];
    let mut seen = 0;
    while let Some(state) = reached.get(seen).copied() {
        for event in events {
            reached.extend(next(state, *event).filter(|after| !reached.contains(after)));
        }
        seen += 1;
    }
    reached
}

#[test]
fn every_state_is_reachable_and_final_states_are_final() {
    let order = |state, event| next_order_state(state, event).ok();
    assert_eq!(reachable(OrderState::Unpaid, OrderEvent::ALL, order).len(), OrderState::ALL.len());
    for end in [OrderState::Cancelled, OrderState::Expired, OrderState::Refunded] {
        assert_eq!(reachable(end, OrderEvent::ALL, order), [end]);
    }
    // A paid order is delivered or refunded, and never becomes unpaid again.
    assert!(!reachable(OrderState::Paid, OrderEvent::ALL, order).contains(&OrderState::Unpaid));
    let payment = |state, event| next_payment_state(state, event).ok();
    assert_eq!(reachable(PaymentState::Pending, PaymentEvent::ALL, payment).len(), PaymentState::ALL.len());
    assert_eq!(reachable(PaymentState::Succeeded, PaymentEvent::ALL, payment), [PaymentState::Succeeded]);
    let node = |state, event| next_node_state(state, event).ok();
    assert_eq!(reachable(NodeState::Available, NodeEvent::ALL, node).len(), NodeState::ALL.len());
    // A retired node is sold again only if its seller puts it back.
    let by_itself: Vec<_> = NodeEvent::ALL.iter().copied().filter(|event| *event != NodeEvent::Restore).collect();
    assert_eq!(reachable(NodeState::Retired, &by_itself, node), [NodeState::Retired]);
}
