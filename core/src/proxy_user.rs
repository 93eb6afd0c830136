//! Proxy users: the sub-users of residential traffic, with their states, traffic limits and reset cycles.
use crate::money::with_point;
use crate::order::NotAllowed;
use crate::time::midnight;
use crate::wire_enum::wire_enum;
use chrono::{Datelike, Days, Months, NaiveDateTime, Weekday};
use chrono_tz::Tz;

/// Bytes per gigabyte, everywhere.
pub const GIGABYTE: u64 = 1_000_000_000;
/// The maximum limit of a proxy user.
pub const MAX_LIMIT_GIGABYTES: u64 = 1_000_000;

wire_enum! {
    /// The state of a proxy user. Only `Active` ones can connect.
    ProxyUserState {
        Active = "active",
        Paused = "paused",
        Exhausted = "exhausted",
        Expired = "expired",
        Deleted = "deleted",
    }
}

wire_enum! {
    /// An event of a proxy user.
    ProxyUserEvent {
        Pause = "pause",
        Resume = "resume",
        /// Its traffic limit is used up.
        Exhaust = "exhaust",
        /// Its used traffic was reset to zero, or its limit raised above it.
        Reset = "reset",
        /// Its expiry has passed.
        Expire = "expire",
        /// Its expiry was postponed or removed.
        Extend = "extend",
        Delete = "delete",
    }
}

/// The transition table of proxy users; any other transition is refused. If a proxy user without remaining traffic is resumed or extended,
/// the caller must exhaust it next.
pub fn next_proxy_user_state(
    state: ProxyUserState,
    event: ProxyUserEvent,
) -> Result<ProxyUserState, NotAllowed<ProxyUserState>> {
    use ProxyUserEvent as E;
    use ProxyUserState as S;
    match (state, event) {
        (S::Active | S::Exhausted, E::Pause) => Ok(S::Paused),
        (S::Paused, E::Resume) => Ok(S::Active),
        (S::Active, E::Exhaust) => Ok(S::Exhausted),
        (S::Active | S::Exhausted, E::Reset) => Ok(S::Active),
        (S::Paused, E::Reset) => Ok(S::Paused),
        (S::Active | S::Paused | S::Exhausted, E::Expire) => Ok(S::Expired),
        (S::Expired, E::Extend) => Ok(S::Active),
        (S::Active | S::Paused | S::Exhausted | S::Expired, E::Delete) => Ok(S::Deleted),
        _ => Err(NotAllowed { state }),
    }
}

wire_enum! {
    /// How often the used traffic is reset to zero.
    LimitCycle { None = "none", Day = "day", Week = "week", Month = "month" }
}

/// The period that a limit applies to; times are UTC.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Cycle {
    pub starts_at: NaiveDateTime,
    /// Exclusive; `None` without a cycle.
    pub ends_at: Option<NaiveDateTime>,
}

/// The cycle that contains `now`, by the calendar of the account's time zone: a day from midnight to midnight, a week from Monday, a month
/// from its first day. Without a cycle, everything since `created_at` counts. The first cycle begins at `created_at`. On a day whose
/// midnight is skipped by a clock change, the cycle begins at the change.
pub fn cycle_of(cycle: LimitCycle, zone: Tz, created_at: NaiveDateTime, now: NaiveDateTime) -> Cycle {
    let today = now.and_utc().with_timezone(&zone).date_naive();
    let dates = match cycle {
        LimitCycle::None => None,
        LimitCycle::Day => today.succ_opt().map(|next| (today, next)),
        LimitCycle::Week => {
            let begin = today.week(Weekday::Mon).checked_first_day();
            begin.and_then(|begin| Some((begin, begin.checked_add_days(Days::new(7))?)))
        }
        LimitCycle::Month => {
            let begin = today.with_day(1);
            begin.and_then(|begin| Some((begin, begin.checked_add_months(Months::new(1))?)))
        }
    };
    let instants = dates.and_then(|(begin, end)| Some((midnight(begin, zone)?, midnight(end, zone)?)));
    match instants {
        Some((begin, end)) => Cycle { starts_at: begin.max(created_at), ends_at: Some(end) },
        None => Cycle { starts_at: created_at, ends_at: None },
    }
}

/// Whether a limit of this many bytes is used up. `None` means no limit.
pub fn is_exhausted(limit_bytes: Option<u64>, used_bytes: u64) -> bool {
    limit_bytes.is_some_and(|limit| used_bytes >= limit)
}

/// Parses gigabytes as entered, with up to three decimal places, into bytes, without floats. `None` for anything else, and if 64 bits
/// overflow. A decimal comma is read as for amounts of money.
pub fn parse_gigabytes(text: &str) -> Option<u64> {
    let text = with_point(text)?;
    let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = !whole.is_empty() && all_digits(whole) && all_digits(places) && places.len() <= 3;
    if !is_decimal || (text.as_bytes().contains(&b'.') && places.is_empty()) {
        return None;
    }
    let thousandths: u64 = if places.is_empty() { 0 } else { format!("{places:0<3}").parse().ok()? };
    whole.parse::<u64>().ok()?.checked_mul(GIGABYTE)?.checked_add(thousandths * (GIGABYTE / 1_000))
}

/// Formats bytes as gigabytes for a form field, in the notation that `parse_gigabytes` reads: `1.5`. Rounded down to a thousandth.
pub fn format_gigabytes(bytes: u64) -> String {
    let text = format!("{}.{:03}", bytes / GIGABYTE, bytes % GIGABYTE / (GIGABYTE / 1_000));
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{from_wire, to_wire};

    #[test]
    fn only_the_transitions_of_the_table_are_allowed() {
        let allowed: Vec<String> = ProxyUserState::ALL
            .iter()
            .flat_map(|state| ProxyUserEvent::ALL.iter().map(move |event| (*state, *event)))
            .filter_map(|(state, event)| {
                let next = next_proxy_user_state(state, event).ok()?;
                Some(format!("{} {} {}", state.as_str(), event.as_str(), next.as_str()))
            })
            .collect();
        assert_eq!(
            allowed,
            [
                "active pause paused",
                "active exhaust exhausted",
                "active reset active",
                "active expire expired",
                "active delete deleted",
                "paused resume active",
                "paused reset paused",
                "paused expire expired",
                "paused delete deleted",
                "exhausted pause paused",
                "exhausted reset active",
                "exhausted expire expired",
                "exhausted delete deleted",
                "expired extend active",
                "expired delete deleted",
            ]
        );
    }

    #[test]
    fn a_cycle_is_a_day_a_week_or_a_month_of_the_accounts_calendar() {
        use LimitCycle::{Day, Month, None as Never, Week};
        let made = "2016-01-01 00:00:00";
        for (cycle, zone, now, starts_at, ends_at) in [
            (Never, "Asia/Shanghai", "2030-01-01 00:00:00", made, ""),
            (Day, "UTC", "2026-11-22 23:59:59", "2026-11-22 00:00:00", "2026-11-23 00:00:00"),
            (Day, "Asia/Shanghai", "2026-11-22 15:59:59", "2026-11-21 16:00:00", "2026-11-22 16:00:00"),
            (Day, "Asia/Shanghai", "2026-11-22 16:00:00", "2026-11-22 16:00:00", "2026-11-23 16:00:00"),
            (Day, "Asia/Kolkata", "2026-11-22 18:30:00", "2026-11-22 18:30:00", "2026-11-23 18:30:00"),
            // Days of 23 and 25 hours, in both hemispheres.
            (Day, "America/New_York", "2026-03-08 12:00:00", "2026-03-08 05:00:00", "2026-03-09 04:00:00"),
            (Day, "America/New_York", "2026-11-01 12:00:00", "2026-11-01 04:00:00", "2026-11-02 05:00:00"),
            (Day, "Pacific/Auckland", "2026-09-27 00:00:00", "2026-09-26 12:00:00", "2026-09-27 11:00:00"),
            (Day, "Pacific/Auckland", "2026-04-05 00:00:00", "2026-04-04 11:00:00", "2026-04-05 12:00:00"),
            // Clock changes from midnight to 01:00, and from midnight back to 23:00.
            (Day, "America/Sao_Paulo", "2018-11-04 12:00:00", "2018-11-04 03:00:00", "2018-11-05 02:00:00"),
            (Day, "America/Sao_Paulo", "2018-11-04 02:59:59", "2018-11-03 03:00:00", "2018-11-04 03:00:00"),
            (Day, "America/Sao_Paulo", "2018-02-18 02:30:00", "2018-02-17 02:00:00", "2018-02-18 03:00:00"),
            (Week, "UTC", "2026-11-22 23:59:59", "2026-11-16 00:00:00", "2026-11-23 00:00:00"),
            (Week, "Asia/Shanghai", "2026-11-22 16:00:00", "2026-11-22 16:00:00", "2026-11-29 16:00:00"),
            (Week, "America/New_York", "2026-03-08 12:00:00", "2026-03-02 05:00:00", "2026-03-09 04:00:00"),
            (Month, "UTC", "2028-02-29 23:59:59", "2028-02-01 00:00:00", "2028-03-01 00:00:00"),
            (Month, "America/New_York", "2026-11-30 12:00:00", "2026-11-01 04:00:00", "2026-12-01 05:00:00"),
            (Month, "Asia/Kolkata", "2026-12-31 18:29:59", "2026-11-30 18:30:00", "2026-12-31 18:30:00"),
            (Month, "Pacific/Auckland", "2026-12-31 11:00:00", "2026-12-31 11:00:00", "2027-01-31 11:00:00"),
        ] {
            let time = |text| from_wire(text).expect("a time");
            let zone = crate::time::time_zone(zone).expect("a zone");
            let found = cycle_of(cycle, zone, time(made), time(now));
            let ends = found.ends_at.map(to_wire).unwrap_or_default();
            assert_eq!(
                (to_wire(found.starts_at).as_str(), ends.as_str()),
                (starts_at, ends_at),
                "{cycle:?} {zone} {now}"
            );
            assert!(found.starts_at <= time(now) && found.ends_at.is_none_or(|end| time(now) < end));
        }
    }

    #[test]
    fn the_first_cycle_begins_when_the_proxy_user_is_created() {
        let made = from_wire("2026-11-20 10:00:00").expect("a time");
        let first = cycle_of(LimitCycle::Month, Tz::UTC, made, made);
        assert_eq!((first.starts_at, first.ends_at), (made, from_wire("2026-12-01 00:00:00")));
    }

    #[test]
    fn gigabytes_round_trip_exactly() {
        for (text, bytes) in [
            ("1", 1_000_000_000),
            ("0.5", 500_000_000),
            ("1.234", 1_234_000_000),
            ("0", 0),
            ("18446744073.709", 18_446_744_073_709_000_000),
        ] {
            assert_eq!(parse_gigabytes(text), Some(bytes), "{text}");
            assert_eq!(format_gigabytes(bytes), text);
        }
        assert_eq!(parse_gigabytes(" 0,5 "), Some(500_000_000), "a decimal comma");
        for text in ["", ".", "1.", ".5", "1.2345", "-1", "1e3", "1,500", "1,5,5", "18446744074", "٣"] {
            assert_eq!(parse_gigabytes(text), None, "{text}");
        }
        assert!(is_exhausted(Some(5), 5) && !is_exhausted(Some(5), 4) && !is_exhausted(None, u64::MAX));
    }
}
