//! Proxy users: the sub-users of residential traffic, with their states, traffic limits and reset cycles.
use crate::order::NotAllowed;
use crate::wire_enum::wire_enum;
use chrono::{Datelike, Months, NaiveDateTime, TimeDelta};

/// Bytes of a gigabyte, here and on every screen.
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

/// The transition table of proxy users; any transition not in it is refused. If a proxy user without remaining traffic is resumed or
/// extended, the caller must exhaust it next.
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
    /// How often used traffic is reset to zero.
    LimitCycle { None = "none", Day = "day", Week = "week", Month = "month" }
}

/// The start of the cycle that contains `now`, for a proxy user created at `created_at`. A day has 24 hours, a week seven days; a month
/// starts on the day of the month of creation, or on the month's last day if it is shorter. Without a
/// cycle, everything since creation counts. A `now` before `created_at` is in the first cycle.
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
            // Counted from the first month each time: after February the 31st returns.
            let months = (now.year() - created_at.year()) * 12 + now.month() as i32 - created_at.month() as i32;
            let begin = |months: i32| created_at.checked_add_months(Months::new(u32::try_from(months).ok()?));
            [months, months - 1].into_iter().filter_map(begin).find(|start| *start <= now).unwrap_or(created_at)
        }
    }
}

/// Whether a limit of this many bytes is used up. `None` means no limit.
pub fn is_exhausted(limit_bytes: Option<u64>, used_bytes: u64) -> bool {
    limit_bytes.is_some_and(|limit| used_bytes >= limit)
}

/// Parses gigabytes as typed, with up to three decimal places, into bytes, without floats. `None` for anything else, and on
/// overflow of 64 bits.
pub fn parse_gigabytes(text: &str) -> Option<u64> {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = !whole.is_empty() && all_digits(whole) && all_digits(places) && places.len() <= 3;
    if !is_decimal || (text.as_bytes().contains(&b'.') && places.is_empty()) {
        return None;
    }
    let thousandths: u64 = if places.is_empty() { 0 } else { format!("{places:0<3}").parse().ok()? };
    whole.parse::<u64>().ok()?.checked_mul(GIGABYTE)?.checked_add(thousandths * (GIGABYTE / 1_000))
}

/// Formats bytes as gigabytes for a form, so that `parse_gigabytes` can read them: `1.5`. Rounded down to a thousandth.
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
