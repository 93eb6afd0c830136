//! Deliveries of events to webhooks: states, retries, backoff and disabling of failing webhooks.
use crate::account::Throttle;
use crate::order::NotAllowed;
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, TimeDelta};

/// The timeout for an endpoint's response.
pub const TIMEOUT_SECONDS: u64 = 10;
/// The number of bytes of a response body that are read and stored.
pub const ANSWER_MAX_BYTES: usize = 4_096;
/// The number of response headers that are stored, each up to this length.
pub const ANSWER_MAX_HEADERS: usize = 30;
pub const HEADER_MAX_LENGTH: usize = 200;
/// How long deliveries are kept.
pub const DELIVERIES_KEPT_DAYS: i64 = 30;
/// How long a rotated secret still signs, in addition to the new one.
pub const OLD_SECRET_HOURS: i64 = 24;
/// The length of a secret, in random bytes.
pub const SECRET_BYTES: usize = 32;
/// Concurrent deliveries to one endpoint.
pub const MAX_CONCURRENT: usize = 8;
/// The number of latest attempts in a webhook's failure rate.
pub const COUNTED_ATTEMPTS: i64 = 100;
/// A webhook with no successful delivery for this long is disabled.
pub const DISABLED_AFTER_DAYS: i64 = 5;
/// Test events and resent deliveries, per account.
pub const WEBHOOK_SENDS: Throttle = Throttle { hits: 60, window_minutes: 10 };
/// Saved webhooks, per account.
pub const WEBHOOK_SAVES: Throttle = Throttle { hits: 60, window_minutes: 10 };

/// Seconds between attempts: ten attempts over three days.
const RETRY_SECONDS: [i64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 64_800, 79_200];
/// Each interval is randomly shortened or lengthened by up to this percentage, so that deliveries that failed together are not retried
/// together.
const JITTER_PERCENT: i64 = 10;

const MAX_BACKOFF_SECONDS: i64 = 60;

/// HTTP 410 Gone: the endpoint does not want any further deliveries (Standard Webhooks).
const GONE: u16 = 410;

wire_enum! {
    /// The state of a webhook. Only `Enabled` ones receive events.
    WebhookState {
        Enabled = "enabled",
        /// Paused by its owner.
        Paused = "paused",
        /// Disabled after prolonged failure.
        Failed = "failed",
        Deleted = "deleted",
    }
}

wire_enum! {
    /// A change of a webhook's state.
    WebhookChange { Enable = "enable", Pause = "pause", Fail = "fail", Delete = "delete" }
}

/// The transition table of webhooks; any other transition is refused.
pub fn next_webhook_state(
    state: WebhookState,
    change: WebhookChange,
) -> Result<WebhookState, NotAllowed<WebhookState>> {
    use WebhookChange as C;
    use WebhookState as S;
    match (state, change) {
        (S::Enabled | S::Paused | S::Failed, C::Enable) => Ok(S::Enabled),
        (S::Enabled | S::Paused | S::Failed, C::Pause) => Ok(S::Paused),
        (S::Enabled, C::Fail) => Ok(S::Failed),
        (S::Enabled | S::Paused | S::Failed, C::Delete) => Ok(S::Deleted),
        _ => Err(NotAllowed { state }),
    }
}

wire_enum! {
    /// The state of a delivery.
    DeliveryState {
        /// Waiting for its first attempt or a retry.
        Pending = "pending",
        Delivered = "delivered",
        /// Every attempt failed.
        Failed = "failed",
        /// Its webhook was paused, disabled or deleted first.
        Cancelled = "cancelled",
    }
}

wire_enum! {
    /// An event of a delivery.
    DeliveryEvent {
        Succeed = "succeed",
        /// An attempt failed, and another will follow.
        Retry = "retry",
        /// The last attempt failed.
        GiveUp = "give_up",
        Cancel = "cancel",
        Resend = "resend",
    }
}

/// The transition table of deliveries; any other transition is refused.
pub fn next_delivery_state(
    state: DeliveryState,
    event: DeliveryEvent,
) -> Result<DeliveryState, NotAllowed<DeliveryState>> {
    use DeliveryEvent as E;
    use DeliveryState as S;
    match (state, event) {
        (S::Pending, E::Succeed) => Ok(S::Delivered),
        (S::Pending, E::Retry) => Ok(S::Pending),
        (S::Pending, E::GiveUp) => Ok(S::Failed),
        (S::Pending, E::Cancel) => Ok(S::Cancelled),
        (_, E::Resend) => Ok(S::Pending),
        _ => Err(NotAllowed { state }),
    }
}

wire_enum! {
    /// Why an attempt failed.
    DeliveryProblem {
        /// The host name could not be resolved.
        NotFound = "not_found",
        /// The host name resolves to an address that is not on the public internet.
        PrivateAddress = "private_address",
        /// No connection could be made.
        NoConnection = "no_connection",
        /// The endpoint's certificate is invalid.
        Certificate = "certificate",
        Timeout = "timeout",
        /// The response is not valid HTTP.
        BrokenAnswer = "broken_answer",
        /// The response is a redirect, which is not followed.
        Redirected = "redirected",
        /// The status is not between 200 and 299.
        BadStatus = "bad_status",
    }
}

/// The problem that a response status indicates; `None` for success.
pub fn problem_of_status(status: u16) -> Option<DeliveryProblem> {
    match status {
        200..=299 => None,
        300..=399 => Some(DeliveryProblem::Redirected),
        _ => Some(DeliveryProblem::BadStatus),
    }
}

/// The interval after this many failed attempts, with jitter; `None` after the last attempt. `random` may be any number.
pub fn retry_after(attempts: u32, random: u32) -> Option<TimeDelta> {
    let index = usize::try_from(attempts).ok()?.checked_sub(1)?;
    let milliseconds = RETRY_SECONDS.get(index)? * 1_000;
    let width = 2 * JITTER_PERCENT * 10;
    let per_mille = 1_000 - JITTER_PERCENT * 10 + i64::from(random) % (width + 1);
    Some(TimeDelta::milliseconds(milliseconds * per_mille / 1_000))
}

/// The number of attempts before a delivery has failed.
pub fn max_attempts() -> usize {
    RETRY_SECONDS.len() + 1
}

/// The number of concurrent deliveries to an endpoint: one if the last attempt failed.
pub fn deliveries_at_once(failures_in_row: u32) -> usize {
    if failures_in_row == 0 { MAX_CONCURRENT } else { 1 }
}

/// The pause of an endpoint after this many consecutive failures: 1, 2, 4 … seconds, up to a minute.
pub fn backoff_after(failures_in_row: u32) -> TimeDelta {
    let seconds = match failures_in_row {
        0 => 0,
        row => 1_i64
            .checked_shl(row - 1)
            .filter(|seconds| *seconds > 0)
            .map_or(MAX_BACKOFF_SECONDS, |seconds| seconds.min(MAX_BACKOFF_SECONDS)),
    };
    TimeDelta::seconds(seconds)
}

/// Whether a failed attempt disables its webhook: it has been failing for long, or the endpoint responded 410 Gone.
pub fn should_disable_webhook(failing_since: NaiveDateTime, status: Option<u16>, now: NaiveDateTime) -> bool {
    status == Some(GONE) || now - failing_since >= TimeDelta::days(DISABLED_AFTER_DAYS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::from_wire;

    #[test]
    fn only_the_transitions_of_the_tables_are_allowed() {
        let webhooks = WebhookState::ALL.iter().flat_map(|state| WebhookChange::ALL.iter().map(move |c| (*state, *c)));
        let refused: Vec<_> = webhooks.filter(|(state, change)| next_webhook_state(*state, *change).is_err()).collect();
        use WebhookChange as C;
        use WebhookState as S;
        let deleted = [C::Enable, C::Pause, C::Fail, C::Delete].map(|change| (S::Deleted, change));
        assert_eq!(refused, [&[(S::Paused, C::Fail), (S::Failed, C::Fail)][..], &deleted].concat());
        for state in DeliveryState::ALL {
            for event in DeliveryEvent::ALL {
                let is_allowed = *state == DeliveryState::Pending || *event == DeliveryEvent::Resend;
                assert_eq!(next_delivery_state(*state, *event).is_ok(), is_allowed, "{state:?} {event:?}");
            }
        }
    }

    #[test]
    fn ten_attempts_take_three_days_regardless_of_jitter() {
        for random in [0, 7, 99, 200, 201, u32::MAX] {
            let pauses: Vec<_> = (1..).map_while(|attempts| retry_after(attempts, random)).collect();
            assert_eq!(pauses.len() + 1, max_attempts());
            assert!(pauses.is_sorted());
            let hours = pauses.iter().sum::<TimeDelta>().num_hours();
            assert!((64..=79).contains(&hours), "{hours}");
        }
        assert_eq!(retry_after(1, 0), Some(TimeDelta::milliseconds(4_500)));
        assert_eq!(retry_after(1, 200), Some(TimeDelta::milliseconds(5_500)));
        assert_eq!((retry_after(0, 0), retry_after(10, 0), retry_after(u32::MAX, 0)), (None, None, None));
    }

    #[test]
    fn a_failing_endpoint_gets_one_delivery_at_a_time_with_growing_pauses() {
        assert_eq!((deliveries_at_once(0), deliveries_at_once(1), deliveries_at_once(9)), (MAX_CONCURRENT, 1, 1));
        let rests = [0, 1, 2, 3, 6, 7, 8, 40, 64, 65, u32::MAX].map(|row| backoff_after(row).num_seconds());
        assert_eq!(rests, [0, 1, 2, 4, 32, 60, 60, 60, 60, 60, 60]);
    }

    #[test]
    fn a_webhook_is_disabled_after_days_of_failure_or_when_gone() {
        let at = |text: &str| from_wire(text).expect("a time");
        let since = at("2026-11-01 00:00:00");
        for (now, status, is_over) in [
            ("2026-11-01 00:00:00", Some(500), false),
            ("2026-11-05 23:59:59", None, false),
            ("2026-11-06 00:00:00", None, true),
            ("2026-11-01 00:00:00", Some(410), true),
        ] {
            assert_eq!(should_disable_webhook(since, status, at(now)), is_over, "{now} {status:?}");
        }
    }

    #[test]
    fn success_is_a_status_from_200_to_299() {
        for (status, problem) in [
            (199, Some(DeliveryProblem::BadStatus)),
            (200, None),
            (299, None),
            (301, Some(DeliveryProblem::Redirected)),
            (404, Some(DeliveryProblem::BadStatus)),
        ] {
            assert_eq!(problem_of_status(status), problem, "{status}");
        }
    }
}
