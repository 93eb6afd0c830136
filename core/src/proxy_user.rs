//! Proxy users: the sub-users of residential traffic, their states, their limits and the cycles in which these are counted.
use crate::order::NotAllowed;
use crate::wire_enum::wire_enum;
use chrono::{Datelike, Months, NaiveDateTime, TimeDelta};

/// Bytes of a gigabyte, here and on every screen.
pub const GIGABYTE: u64 = 1_000_000_000;
/// The largest limit that a proxy user may have.
pub const MAX_LIMIT_GIGABYTES: u64 = 1_000_000;

wire_enum! {
    /// Where a proxy user stands: only `Active` ones connect.
    ProxyUserState {
        Active = "active",
        Paused = "paused",
        Exhausted = "exhausted",
        Expired = "expired",
        Deleted = "deleted",
    }
}

wire_enum! {
    /// What happens to a proxy user.
    ProxyUserEvent {
        Pause = "pause",
        Resume = "resume",
        /// Its limit is used up.
        Exhaust = "exhaust",
        /// Its used traffic counts from zero again, or its limit was raised above it.
        Reset = "reset",
        /// Its last moment has passed.
        Expire = "expire",
        /// It got a later last moment, or none.
        Extend = "extend",
        Delete = "delete",
    }
}

/// The one table of a proxy user's transitions; what is not in it is refused. Whoever resumes or extends one that has no traffic
/// left exhausts it next.
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
    /// How often used traffic counts from zero again.
    LimitCycle { None = "none", Day = "day", Week = "week", Month = "month" }
}

/// When the cycle began in which `now` lies, for a proxy user made at `created_at`. A day has 24 hours, a week seven days; a month
/// begins on the day of the month on which the user was made, or on the month's last day where it has no such day. Without a
/// cycle, everything since it was made counts. A `now` before `created_at` lies in the first cycle.
pub fn cycle_start(cycle: LimitCycle, created_at: NaiveDateTime, now: NaiveDateTime) -> NaiveDateTime {
    if now <= created_at {
        return created_at;
    }
    let every = |days: i64| {
        let passed = (now - created_at).num_days() / days;
        created_at.checked_add_signed(TimeDelta::days(passed * days)).unwrap_or(created_at)
    };
    match cycle {
        LimitCycle::None => created_at,
        LimitCycle::Day => every(1),
        LimitCycle::Week => every(7),
        LimitCycle::Month => {
            // Counted from the first month each time: the 31st comes back after a February.
            let months = (now.year() - created_at.year()) * 12 + now.month() as i32 - created_at.month() as i32;
            let begin = |months: i32| created_at.checked_add_months(Months::new(u32::try_from(months).ok()?));
            [months, months - 1].into_iter().filter_map(begin).find(|start| *start <= now).unwrap_or(created_at)
        }
    }
}

/// Is a limit of so many bytes used up? `None` is no limit.
pub fn is_exhausted(limit_bytes: Option<u64>, used_bytes: u64) -> bool {
    limit_bytes.is_some_and(|limit| used_bytes >= limit)
}

/// Reads gigabytes as typed, with up to three decimal places, into bytes; never through a float. `None` for anything else, and for
/// more than 64 bits hold.
pub fn parse_gigabytes(text: &str) -> Option<u64> {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = !whole.is_empty() && all_digits(whole) && all_digits(places) && places.len() <= 3;
    if !is_decimal || (text.contains('.') && places.is_empty()) {
        return None;
    }
    let thousandths: u64 = if places.is_empty() { 0 } else { format!("{places:0<3}").parse().ok()? };
    whole.parse::<u64>().ok()?.checked_mul(GIGABYTE)?.checked_add(thousandths * (GIGABYTE / 1_000))
}

/// Bytes in gigabytes for a form, as `parse_gigabytes` reads them: `1.5`. Rounded down to a thousandth.
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
    fn a_cycle_begins_when_the_last_one_is_over() {
        for (cycle, created_at, now, start) in [
            (LimitCycle::None, "2026-01-31 10:00:00", "2030-01-01 00:00:00", "2026-01-31 10:00:00"),
            (LimitCycle::Day, "2026-01-31 10:00:00", "2026-02-02 09:59:59", "2026-02-01 10:00:00"),
            (LimitCycle::Day, "2026-01-31 10:00:00", "2026-02-02 10:00:00", "2026-02-02 10:00:00"),
            (LimitCycle::Week, "2026-01-31 10:00:00", "2026-02-14 09:59:59", "2026-02-07 10:00:00"),
            (LimitCycle::Month, "2026-01-31 10:00:00", "2026-02-28 09:59:59", "2026-01-31 10:00:00"),
            (LimitCycle::Month, "2026-01-31 10:00:00", "2026-02-28 10:00:00", "2026-02-28 10:00:00"),
            (LimitCycle::Month, "2026-01-31 10:00:00", "2026-03-31 10:00:00", "2026-03-31 10:00:00"),
            (LimitCycle::Month, "2026-01-31 10:00:00", "2126-02-01 00:00:00", "2126-01-31 10:00:00"),
            (LimitCycle::Month, "2026-01-31 10:00:00", "2025-01-01 00:00:00", "2026-01-31 10:00:00"),
        ] {
            let time = |text| from_wire(text).expect("a time");
            assert_eq!(to_wire(cycle_start(cycle, time(created_at), time(now))), start, "{cycle:?} {now}");
        }
    }

    #[test]
    fn gigabytes_are_read_exactly_and_written_back() {
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
        for text in ["", ".", "1.", ".5", "1.2345", "-1", "1e3", " 1", "1,5", "18446744074", "٣"] {
            assert_eq!(parse_gigabytes(text), None, "{text}");
        }
        assert!(is_exhausted(Some(5), 5) && !is_exhausted(Some(5), 4) && !is_exhausted(None, u64::MAX));
    }
}
