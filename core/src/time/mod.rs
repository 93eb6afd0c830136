//! Times: UTC on the wire, the reader's time zone on the screen (specification, section 5).
mod calendar;
mod fields;
mod localize;

use crate::time::calendar::{Moment, read_day, read_time, show, split_offset};
pub use crate::time::fields::is_time_field;
pub use crate::time::localize::{Localizer, localize_response, reads_as_time};
use chrono::{DateTime, Datelike, MappedLocalTime, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Timelike};
use chrono_tz::{GapInfo, TZ_VARIANTS, Tz};

/// The format of times, on the wire and on screen.
pub const FORMAT: &str = "%Y-%m-%d %H:%M:%S";

/// The IANA time zone of a name such as `Asia/Shanghai`; `None` for an unknown name.
///
/// Zones are sorted by name. `Tz::from_str` finds the same ones in a hash table, which would add 2 KB to the wasm file.
pub fn time_zone(name: &str) -> Option<Tz> {
    let index = TZ_VARIANTS.binary_search_by(|zone| zone.name().cmp(name)).ok()?;
    TZ_VARIANTS.get(index).copied()
}

pub fn is_time_zone(name: &str) -> bool {
    time_zone(name).is_some()
}

/// `2026-01-02 03:04:05`, in UTC; a year outside 0 to 9999 has a sign, `+10000-01-01 00:00:00`.
///
/// Written by hand, because chrono's formatter, which nothing else uses, would add 10 KB to the wasm file.
pub fn to_wire(instant: NaiveDateTime) -> String {
    if let Some(shown) = Moment::at(instant.and_utc().timestamp()).and_then(show) {
        return shown.iter().map(|byte| char::from(*byte)).collect();
    }
    let (month, day) = (instant.month(), instant.day());
    let (hour, minute, second) = (instant.hour(), instant.minute(), instant.second());
    format!("{:+05}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}", instant.year())
}

/// Parses `2026-01-02 03:04:05`, in UTC, as written by `to_wire`; `None` for anything else.
pub fn from_wire(text: &str) -> Option<NaiveDateTime> {
    let bytes = text.as_bytes();
    if bytes.len() != 19 || bytes[10] != b' ' {
        return None;
    }
    DateTime::from_timestamp(read_time(bytes)?.timestamp(), 0).map(|instant| instant.naive_utc())
}

/// Serialises optional times in wire format.
pub(crate) mod wire_option {
    use super::{from_wire, to_wire};
    use chrono::NaiveDateTime;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(instant: &Option<NaiveDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
        match instant {
            Some(instant) => serializer.serialize_str(&to_wire(*instant)),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NaiveDateTime>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let read = |text: String| from_wire(&text).ok_or_else(|| serde::de::Error::custom("not a time in UTC"));
        text.map(read).transpose()
    }
}

/// An end of a time range.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RangeEnd {
    From,
    To,
}

/// Converts one end of a date range, as given by a date picker, from local time to UTC, `YYYY-MM-DD HH:mm:ss`.
///
/// Accepted are `YYYY-MM-DD`, `YYYY-MM-DD HH:mm` and `YYYY-MM-DD HH:mm:ss` (space or `T` in between). A date alone means the whole day: its
/// first instant as the start, a second before the next day's first instant as the end, so that every instant belongs to one day. A time
/// with a `Z` or an offset such as `+08:00` is an instant. A local time skipped by a clock change is interpreted with the offset before the change; one that occurs
/// twice is the earlier one for the start of a range and the later one for its end, so that the range covers both.
pub fn range_end_to_utc(text: &str, zone: Tz, end: RangeEnd) -> Option<String> {
    let (time, ahead) = split_offset(text.as_bytes())?;
    if time.len() < text.len() || text.ends_with('Z') {
        let instant = read_time(time)?.later_by(-ahead);
        return DateTime::from_timestamp(instant.timestamp(), 0).map(|instant| to_wire(instant.naive_utc()));
    }
    if let Some(day) = read_day(text) {
        return match end {
            RangeEnd::From => midnight(day, zone),
            RangeEnd::To => midnight(day.succ_opt()?, zone)?.checked_sub_signed(TimeDelta::seconds(1)),
        }
        .map(to_wire);
    }
    let local = DateTime::from_timestamp(read_time(text.as_bytes())?.timestamp(), 0)?.naive_utc();
    let instant = match zone.from_local_datetime(&local) {
        MappedLocalTime::Single(only) => only,
        MappedLocalTime::Ambiguous(earlier, later) => match end {
            RangeEnd::From => earlier,
            RangeEnd::To => later,
        },
        MappedLocalTime::None => {
            // No zone's gap is longer than a day, so the offset of the day before is the one before the gap.
            let day = TimeDelta::days(1);
            zone.from_local_datetime(&local.checked_sub_signed(day)?).earliest()?.checked_add_signed(day)?
        }
    };
    Some(to_wire(instant.naive_utc()))
}

/// The first instant of a day in a zone, in UTC: its midnight, the earlier one if there are two, or the end of the gap that skips it.
pub fn midnight(day: NaiveDate, zone: Tz) -> Option<NaiveDateTime> {
    let local = day.and_hms_opt(0, 0, 0)?;
    let first = match zone.from_local_datetime(&local) {
        MappedLocalTime::Single(only) => only,
        MappedLocalTime::Ambiguous(earlier, _) => earlier,
        MappedLocalTime::None => GapInfo::new(&local, &zone)?.end?,
    };
    Some(first.naive_utc())
}

/// Rounds a time up to the whole hour.
pub fn whole_hour(at: NaiveDateTime) -> NaiveDateTime {
    let into = TimeDelta::seconds(at.and_utc().timestamp().rem_euclid(3_600));
    if into.is_zero() { at } else { at - into + TimeDelta::hours(1) }
}

/// A calendar month.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Month {
    /// Such as `2026-11`.
    pub name: String,
    /// Its first instant, in UTC.
    pub starts_at: NaiveDateTime,
}

/// The calendar month of `now` (UTC) in a zone and those before it, `count` in all, oldest first.
pub fn latest_months(now: NaiveDateTime, zone: Tz, count: u32) -> Vec<Month> {
    let today = now.and_utc().with_timezone(&zone);
    let latest = i64::from(today.year()) * 12 + i64::from(today.month0());
    let month = |back: u32| {
        let number = latest - i64::from(back);
        let name = format!("{:04}-{:02}", number.div_euclid(12), number.rem_euclid(12) + 1);
        let starts_at = midnight(read_day(&format!("{name}-01"))?, zone)?;
        Some(Month { name, starts_at })
    };
    (0..count).rev().filter_map(month).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_zone_is_found_by_its_name_and_by_no_other() {
        for zone in TZ_VARIANTS {
            assert_eq!(time_zone(zone.name()), Some(zone));
        }
        for name in ["", "A", "Zz", "asia/shanghai", "Asia/Shanghai ", "Asia/Shanghai/", "Nowhere/Atall", "+08:00"] {
            assert_eq!(time_zone(name), None, "{name}");
            assert!(name.parse::<Tz>().is_err(), "{name}");
        }
    }

    #[test]
    fn wire_times_round_trip_and_nothing_else_is_accepted() {
        for text in ["2026-01-02 03:04:05", "2028-02-29 23:59:59"] {
            assert_eq!(from_wire(text).map(to_wire).as_deref(), Some(text));
        }
        for text in
            ["", "2026-01-02", "2026-1-2 3:4:5", "2026-02-29 00:00:00", "2026-01-02 03:04:60", "2026-01-02T03:04:05"]
        {
            assert_eq!(from_wire(text), None, "{text}");
        }
    }

    #[test]
    fn the_wire_format_agrees_with_chrono() {
        for seconds in (-400_000_000_000..400_000_000_000_i64).step_by(12_345_678_901) {
            let instant = DateTime::from_timestamp(seconds, 0).expect("an instant").naive_utc();
            assert_eq!(to_wire(instant), instant.format(FORMAT).to_string());
        }
    }

    #[test]
    fn months_begin_at_midnight_in_the_zone() {
        let months = |now, zone, count| {
            let months = latest_months(from_wire(now).expect("a time"), zone, count);
            months.into_iter().map(|month| format!("{} {}", month.name, to_wire(month.starts_at))).collect::<Vec<_>>()
        };
        assert_eq!(
            months("2026-01-31 23:30:00", Tz::Asia__Shanghai, 3),
            ["2025-12 2025-11-30 16:00:00", "2026-01 2025-12-31 16:00:00", "2026-02 2026-01-31 16:00:00"]
        );
        assert_eq!(
            months("2026-04-01 03:00:00", Tz::America__New_York, 2),
            ["2026-02 2026-02-01 05:00:00", "2026-03 2026-03-01 05:00:00"]
        );
        assert_eq!(months("2026-11-21 00:00:00", Tz::UTC, 12).len(), 12);
    }

    #[test]
    fn ranges_cover_gaps_and_overlaps() {
        let new_york = Tz::America__New_York;
        let read = |text, end| range_end_to_utc(text, new_york, end).unwrap_or_default();
        assert_eq!(read("2026-03-08 02:30:00", RangeEnd::From), "2026-03-08 07:30:00");
        assert_eq!(read("2026-11-01 01:30:00", RangeEnd::From), "2026-11-01 05:30:00");
        assert_eq!(read("2026-11-01 01:30:00", RangeEnd::To), "2026-11-01 06:30:00");
        assert_eq!(read("2026-07-01", RangeEnd::From), "2026-07-01 04:00:00");
        assert_eq!(read("2026-07-01", RangeEnd::To), "2026-07-02 03:59:59");
        assert_eq!(read("2026-07-01T10:00:00.000Z", RangeEnd::To), "2026-07-01 10:00:00");
        assert_eq!(read("2026-07-01T10:00:00+00:00", RangeEnd::To), "2026-07-01 10:00:00");
        assert_eq!(read("2026-07-01 01:30:00.5+08:00", RangeEnd::From), "2026-06-30 17:30:00");
        assert_eq!(read("2026-07-01 20:00-05:30", RangeEnd::From), "2026-07-02 01:30:00");
        for text in [
            "yesterday",
            "",
            "2026-02-30",
            "2026-1-002",
            "+2026-1-02",
            "2026-07-0",
            "2026-07-01 ",
            "2026-07-01+08:00",
            "2026-07-01 10:00+25:00",
            "2026-07-01 10:00Z+01:00",
        ] {
            assert_eq!(range_end_to_utc(text, new_york, RangeEnd::To), None, "{text}");
        }
    }
}
