//! The health of proxy servers: what they say about themselves, when they count as down, and their last days.
use crate::proxy_protocol::Heartbeat;
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

/// How often a proxy server sends its heartbeat.
pub const HEARTBEAT_SECONDS: u64 = 10;

/// A proxy server that has sent heartbeats is down when none has come for this long.
pub const SILENT_AFTER_SECONDS: i64 = 60;

/// The days of the status page, in UTC; the last one is today.
pub const STATUS_DAYS: i64 = 30;

/// If the shop has not looked for longer than this, it was away itself, and silence before counts for nothing.
pub const WATCH_GAP_SECONDS: i64 = 60;

/// For how long an outage is kept after its end.
pub const OUTAGE_KEPT_DAYS: i64 = STATUS_DAYS + 1;

/// Operators get no further mail about a server that was down in the minutes before.
pub const OUTAGE_MAIL_MINUTES: i64 = 60;

pub const VERSION_MAX_LENGTH: usize = 60;
pub const MAX_NAMED_UPSTREAMS: usize = 20;

/// The maximum length of an upstream's name.
const UPSTREAM_MAX_LENGTH: usize = 60;

/// A server is degraded if half of its attempts fail, of at least this many.
const MIN_ATTEMPTS: u32 = 20;

wire_enum! {
    /// How a proxy server is.
    ServerState {
        Operational = "operational",
        /// Many of its connections to destinations fail.
        Degraded = "degraded",
        /// It is silent, or cannot carry connections.
        Down = "down",
        /// It has sent no heartbeat yet: it is new, or not a gate.
        Unknown = "unknown",
    }
}

wire_enum! {
    /// Why a proxy server is down.
    OutageCause {
        /// No heartbeat has come.
        Silent = "silent",
        /// It says that it has no usable upstream.
        NoUpstream = "no_upstream",
    }
}

/// How a server is, by its last heartbeat, and whether an outage is open.
pub fn server_state(last: Option<&Heartbeat>, is_down: bool) -> ServerState {
    match last {
        None => ServerState::Unknown,
        Some(_) if is_down => ServerState::Down,
        Some(last) if last.attempts >= MIN_ATTEMPTS && last.failures >= last.attempts.div_ceil(2) => {
            ServerState::Degraded
        }
        Some(_) => ServerState::Operational,
    }
}

/// Why a server is down at `now`, if it is. Only silence since `watched_since` counts, from when on the shop could hear it.
pub fn outage_cause(
    heard_at: NaiveDateTime,
    can_carry: bool,
    watched_since: NaiveDateTime,
    now: NaiveDateTime,
) -> Option<OutageCause> {
    if now - heard_at.max(watched_since) > TimeDelta::seconds(SILENT_AFTER_SECONDS) {
        return Some(OutageCause::Silent);
    }
    (!can_carry).then_some(OutageCause::NoUpstream)
}

/// A heartbeat as it is kept: texts that are too long are cut.
pub fn kept_heartbeat(mut heartbeat: Heartbeat) -> Heartbeat {
    let line =
        |text: &str, max: usize| text.chars().filter(|letter| !letter.is_control()).take(max).collect::<String>();
    heartbeat.version = line(&heartbeat.version, VERSION_MAX_LENGTH);
    heartbeat.upstreams_down.truncate(MAX_NAMED_UPSTREAMS);
    heartbeat.upstreams_down.iter_mut().for_each(|name| *name = line(name, UPSTREAM_MAX_LENGTH));
    heartbeat
}

/// A day of a proxy server, in UTC.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct StatusDay {
    /// `YYYY-MM-DD`.
    pub day: String,
    /// For how many of the day's seconds the server's state is known: none before its first heartbeat.
    pub known_seconds: i64,
    /// For how many of these it was down.
    pub down_seconds: i64,
}

/// The last `STATUS_DAYS` days of a server, oldest first. `outages` have a beginning and, if they are over, an end.
///
/// ```
/// use postern_core::server_health::status_days;
/// use postern_core::time::from_wire;
/// let at = |text| from_wire(text).expect("a time");
/// let outages = [(at("2026-11-26 23:59:00"), Some(at("2026-11-27 00:02:00")))];
/// let days = status_days(at("2026-11-26 12:00:00"), &outages, at("2026-11-27 06:00:00"));
/// assert_eq!((days.len(), days[27].known_seconds), (30, 0));
/// assert_eq!((days[28].known_seconds, days[28].down_seconds), (43_200, 60));
/// assert_eq!((days[29].day.as_str(), days[29].known_seconds, days[29].down_seconds), ("2026-11-27", 21_600, 120));
/// ```
pub fn status_days(
    first_heard_at: NaiveDateTime,
    outages: &[(NaiveDateTime, Option<NaiveDateTime>)],
    now: NaiveDateTime,
) -> Vec<StatusDay> {
    let today = now.date().and_time(NaiveTime::MIN);
    let day = |ago: i64| {
        let begin = today - TimeDelta::days(ago);
        let (from, until) = (begin.max(first_heard_at), (begin + TimeDelta::days(1)).min(now));
        let within = |from: NaiveDateTime, until: NaiveDateTime| (until - from).num_seconds().max(0);
        let down = |(began, ended): &(NaiveDateTime, Option<NaiveDateTime>)| {
            within(from.max(*began), ended.map_or(until, |ended| ended.min(until)))
        };
        let known_seconds = within(from, until);
        StatusDay {
            day: begin.date().to_string(),
            known_seconds,
            down_seconds: outages.iter().map(down).sum::<i64>().min(known_seconds),
        }
    };
    (0..STATUS_DAYS).rev().map(day).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::from_wire;

    fn at(text: &str) -> NaiveDateTime {
        from_wire(text).expect("a time")
    }

    #[test]
    fn a_server_is_down_when_it_was_silent_while_the_shop_listened() {
        let now = at("2026-11-27 12:00:00");
        let ago = |seconds| now - TimeDelta::seconds(seconds);
        for (heard, can_carry, watched, expected) in [
            (10, true, 3_600, None),
            (60, true, 3_600, None),
            (61, true, 3_600, Some(OutageCause::Silent)),
            (61, false, 3_600, Some(OutageCause::Silent)),
            (10, false, 3_600, Some(OutageCause::NoUpstream)),
            // The shop itself was away until a moment ago.
            (3_000, true, 20, None),
            (3_000, true, 61, Some(OutageCause::Silent)),
        ] {
            assert_eq!(
                outage_cause(ago(heard), can_carry, ago(watched), now),
                expected,
                "{heard} {can_carry} {watched}"
            );
        }
    }

    #[test]
    fn failures_of_a_few_connections_say_nothing() {
        let beat = |attempts, failures| Heartbeat { attempts, failures, ..Heartbeat::default() };
        for (last, is_down, expected) in [
            (None, false, ServerState::Unknown),
            (Some(beat(0, 0)), false, ServerState::Operational),
            (Some(beat(19, 19)), false, ServerState::Operational),
            (Some(beat(20, 9)), false, ServerState::Operational),
            (Some(beat(20, 10)), false, ServerState::Degraded),
            (Some(beat(0, 0)), true, ServerState::Down),
        ] {
            assert_eq!(server_state(last.as_ref(), is_down), expected, "{last:?}");
        }
    }

    #[test]
    fn an_outage_counts_in_each_of_its_days_and_not_before_the_first_heartbeat() {
        let (first, now) = (at("2026-11-20 00:00:00"), at("2026-11-27 06:00:00"));
        let outages = [(at("2026-11-19 00:00:00"), Some(at("2026-11-20 01:00:00"))), (at("2026-11-25 18:00:00"), None)];
        let days = status_days(first, &outages, now);
        let down: Vec<i64> = days.iter().skip(22).map(|day| day.down_seconds).collect();
        assert_eq!(down, [3_600, 0, 0, 0, 0, 21_600, 86_400, 21_600][..down.len()]);
        assert_eq!(days.iter().map(|day| day.known_seconds).sum::<i64>(), 7 * 86_400 + 21_600);
        let mut longest = Heartbeat { version: "v\n".repeat(100), ..Heartbeat::default() };
        longest.upstreams_down = vec!["u".repeat(100); 100];
        let kept = kept_heartbeat(longest);
        assert_eq!((kept.version, kept.upstreams_down), ("v".repeat(60), vec!["u".repeat(60); 20]));
    }
}
