//! Automatic top-ups: their state, the handling of declined cards, and the limits on charging.
//! The form is in `wallet_forms`.
use crate::money::Money;
use crate::wire_enum::wire_enum;
use chrono::{Datelike, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

/// Consecutive failed charges after which automatic top-ups pause.
pub const MAX_FAILURES: i32 = 3;

/// How long after a failed charge it is retried.
pub const RETRY_HOURS: i64 = 24;

/// Charges per account within `CHARGES_HOURS`, however far the balance is below its threshold: banks block cards that are charged
/// repeatedly, and a wrong setting is noticed before it uses up the month's limit.
pub const MAX_CHARGES: i64 = 5;

pub const CHARGES_HOURS: i64 = 24;

/// How long until a suspended account, which is not charged, is checked again.
pub const SUSPENDED_HOURS: i64 = 24;

wire_enum! {
    /// Why a saved card was not charged.
    CardFailure {
        Declined = "declined",
        InsufficientFunds = "insufficient_funds",
        /// The bank requires authentication by the customer, who is not present (off-session).
        AuthenticationRequired = "authentication_required",
        ExpiredCard = "expired_card",
        /// The gateway no longer has the card, or must not charge it.
        CardGone = "card_gone",
        /// The outcome has been unknown for a day: retrying could charge twice.
        NoAnswer = "no_answer",
    }
}

impl CardFailure {
    /// Whether the failure is retryable: the same card may succeed tomorrow, without any action.
    pub fn is_retryable(self) -> bool {
        matches!(self, CardFailure::Declined | CardFailure::InsufficientFunds)
    }
}

wire_enum! {
    /// The state of an account's automatic top-ups.
    AutoTopUpState {
        Off = "off",
        Active = "active",
        /// A charge is pending.
        Charging = "charging",
        /// A charge failed; a retry is scheduled.
        Retrying = "retrying",
        /// Another top-up would exceed this month's limit.
        LimitReached = "limit_reached",
        /// Nothing is charged until the customer acts.
        Paused = "paused",
    }
}

/// What the state of automatic top-ups depends on.
#[derive(Clone, Copy, Debug)]
pub struct AutoTopUpStatus {
    pub is_on: bool,
    pub is_charging: bool,
    /// Consecutive failed charges, and the reason of the latest.
    pub failures: i32,
    pub failure: Option<CardFailure>,
    pub settings: AutoTopUp,
    /// What was charged this month, including pending charges.
    pub charged_this_month: Money,
}

pub fn auto_top_up_state(status: &AutoTopUpStatus) -> AutoTopUpState {
    let AutoTopUpStatus { settings, charged_this_month, failures, .. } = status;
    if !status.is_on {
        AutoTopUpState::Off
    } else if status.is_charging {
        AutoTopUpState::Charging
    } else if is_paused(*failures, status.failure) {
        AutoTopUpState::Paused
    } else if *failures > 0 {
        AutoTopUpState::Retrying
    } else if has_reached_limit(settings, *charged_this_month) {
        AutoTopUpState::LimitReached
    } else {
        AutoTopUpState::Active
    }
}

/// Whether charging is paused until the customer acts: after too many failures, or one that is not retryable.
pub fn is_paused(failures: i32, latest: Option<CardFailure>) -> bool {
    failures >= MAX_FAILURES || (failures > 0 && latest.is_some_and(|failure| !failure.is_retryable()))
}

/// When a failed charge is retried; `None` if automatic top-ups pause.
pub fn next_attempt(failures: i32, latest: CardFailure, failed_at: NaiveDateTime) -> Option<NaiveDateTime> {
    (!is_paused(failures, Some(latest))).then(|| failed_at + TimeDelta::hours(RETRY_HOURS))
}

/// Whether another top-up would exceed the month's limit.
pub fn has_reached_limit(settings: &AutoTopUp, charged_this_month: Money) -> bool {
    !charged_this_month.checked_add(settings.amount).is_ok_and(|sum| sum <= settings.monthly_limit)
}

/// The name of a card, such as `Visa •••• 4242`, from its brand (`visa`) and its last four digits.
pub fn card_name(brand: &str, last_four: &str) -> String {
    let mut letters = brand.chars();
    let capital = letters.next().map(|letter| letter.to_ascii_uppercase());
    let brand: String = capital.into_iter().chain(letters).collect();
    format!("{brand} •••• {last_four}")
}

/// The start of this calendar month, in UTC, and of the next one.
pub fn month_around(now: NaiveDateTime) -> (NaiveDateTime, NaiveDateTime) {
    let first = NaiveDate::from_ymd_opt(now.year(), now.month(), 1).unwrap_or(now.date());
    let next = first.checked_add_months(Months::new(1)).unwrap_or(NaiveDate::MAX);
    (first.and_time(NaiveTime::MIN), next.and_time(NaiveTime::MIN))
}

/// The settings of automatic top-ups, as stored.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct AutoTopUp {
    pub threshold: Money,
    pub amount: Money,
    pub monthly_limit: Money,
}

/// The amount to charge now, if the balance is below the threshold and the month's sum stays within its limit.
/// `charged_this_month` counts succeeded and pending charges since the first of the month in UTC.
pub fn auto_top_up_due(settings: &AutoTopUp, balance: Money, charged_this_month: Money) -> Option<Money> {
    let fits = !has_reached_limit(settings, charged_this_month);
    (balance < settings.threshold && fits).then_some(settings.amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::from_wire;

    fn time(text: &str) -> NaiveDateTime {
        from_wire(text).expect("a time")
    }

    const ACTIVE: AutoTopUpStatus = AutoTopUpStatus {
        is_on: true,
        is_charging: false,
        failures: 0,
        failure: None,
        settings: AutoTopUp {
            threshold: Money::from_minor(1_000),
            amount: Money::from_minor(2_000),
            monthly_limit: Money::from_minor(5_000),
        },
        charged_this_month: Money::ZERO,
    };

    #[test]
    fn states_that_need_the_customer_take_precedence() {
        use AutoTopUpState as S;
        let declined = AutoTopUpStatus { failures: 1, failure: Some(CardFailure::Declined), ..ACTIVE };
        let full = Money::from_minor(3_001);
        for (status, state) in [
            (ACTIVE, S::Active),
            (AutoTopUpStatus { is_on: false, failures: 3, ..ACTIVE }, S::Off),
            (AutoTopUpStatus { is_charging: true, failures: 2, ..ACTIVE }, S::Charging),
            (declined, S::Retrying),
            (AutoTopUpStatus { failures: 3, ..declined }, S::Paused),
            (AutoTopUpStatus { failure: Some(CardFailure::AuthenticationRequired), ..declined }, S::Paused),
            (AutoTopUpStatus { charged_this_month: full, ..declined }, S::Retrying),
            (AutoTopUpStatus { charged_this_month: full, ..ACTIVE }, S::LimitReached),
            (AutoTopUpStatus { charged_this_month: Money::from_minor(3_000), ..ACTIVE }, S::Active),
        ] {
            assert_eq!(auto_top_up_state(&status), state, "{status:?}");
        }
    }

    #[test]
    fn a_failed_charge_is_retried_daily_up_to_three_times_unless_a_retry_cannot_help() {
        let (failed_at, next) = (time("2026-11-21 10:00:00"), Some(time("2026-11-22 10:00:00")));
        for (failures, failure, expected) in [
            (1, CardFailure::Declined, next),
            (2, CardFailure::InsufficientFunds, next),
            (3, CardFailure::Declined, None),
            (4, CardFailure::InsufficientFunds, None),
            (1, CardFailure::AuthenticationRequired, None),
            (1, CardFailure::ExpiredCard, None),
            (1, CardFailure::CardGone, None),
            (1, CardFailure::NoAnswer, None),
        ] {
            assert_eq!(next_attempt(failures, failure, failed_at), expected, "{failures} {failure:?}");
        }
        assert!(!is_paused(0, Some(CardFailure::ExpiredCard)), "what was mended counts no more");
    }

    #[test]
    fn a_card_is_named_by_its_brand_and_last_four_digits() {
        assert_eq!(card_name("visa", "4242"), "Visa •••• 4242");
        assert_eq!(card_name("", "4242"), " •••• 4242");
    }

    #[test]
    fn a_month_is_a_calendar_month_in_utc() {
        for (now, begin, end) in [
            ("2026-11-01 00:00:00", "2026-11-01 00:00:00", "2026-12-01 00:00:00"),
            ("2026-12-31 23:59:59", "2026-12-01 00:00:00", "2027-01-01 00:00:00"),
            ("2028-02-29 12:00:00", "2028-02-01 00:00:00", "2028-03-01 00:00:00"),
        ] {
            assert_eq!(month_around(time(now)), (time(begin), time(end)), "{now}");
        }
    }
}
