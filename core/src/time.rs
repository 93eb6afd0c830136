//! Times: UTC on the wire, the reader's time zone on the screen (specification, section 5).
use chrono::{DateTime, Datelike, MappedLocalTime, NaiveDate, NaiveDateTime, Offset, TimeDelta, TimeZone, Timelike};
use chrono_tz::Tz;
use std::ops::{Range, RangeInclusive};

/// How times look, on the wire and on the screen.
pub const FORMAT: &str = "%Y-%m-%d %H:%M:%S";
/// Strings of responses are judged by their first so many characters.
pub const JUDGED_LENGTH: usize = 23;
const SECONDS_OF_A_DAY: i64 = 86_400;

/// An IANA time zone by its name, such as `Asia/Shanghai`. A name that nobody knows gives UTC, as a browser that
/// reports one can be shown no better.
pub fn time_zone(name: &str) -> Tz {
    name.parse().unwrap_or(Tz::UTC)
}

pub fn is_time_zone(name: &str) -> bool {
    name.parse::<Tz>().is_ok()
}

/// `2026-01-02 03:04:05`, in UTC; a year outside 0 to 9999 has a sign, `+10000-01-01 00:00:00`.
///
/// Written by hand, as chrono's formatter, of which this would be the only use, weighs 10 KB in the browser.
pub fn to_wire(instant: NaiveDateTime) -> String {
    if let Some(shown) = show(instant.and_utc().timestamp()) {
        return shown.iter().map(|byte| char::from(*byte)).collect();
    }
    let (month, day) = (instant.month(), instant.day());
    let (hour, minute, second) = (instant.hour(), instant.minute(), instant.second());
    format!("{:+05}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}", instant.year())
}

/// Reads `2026-01-02 03:04:05`, in UTC, as `to_wire` writes it; `None` for anything else.
pub fn from_wire(text: &str) -> Option<NaiveDateTime> {
    let bytes = text.as_bytes();
    if bytes.len() != 19 || bytes[10] != b' ' {
        return None;
    }
    DateTime::from_timestamp(read_time(bytes)?, 0).map(|instant| instant.naive_utc())
}

/// Times that may be absent, as fields of what crosses the wire.
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

/// Turns every time in a response's JSON text from UTC to the given zone, shown as `YYYY-MM-DD HH:mm:ss`.
///
/// A string value is a time when it starts `YYYY-MM-DD` and its first 23 characters are one of
/// `YYYY-MM-DD HH:mm`, `YYYY-MM-DD HH:mm:ss` and the latter with a fraction, with a blank or a `T` between, and with or
/// without a `Z`. What lies beyond the 23rd character must be more digits of the fraction or a `Z`: a note that
/// begins with a time stays a note. A date without a time is a day on a calendar, not an instant, and stays too; so do
/// object keys, and every other byte of the text.
///
/// One pass over the bytes, without a tree and without an allocation for a value. Only the dashes of times and of little else are
/// looked at: in JSON, a quote that is not escaped and is followed by a digit begins a string.
#[inline]
pub fn localize_response(text: &str, zone: Tz) -> String {
    let bytes = text.as_bytes();
    let mut offsets = OffsetCache::new(zone);
    let mut out = String::with_capacity(text.len() + 16);
    let mut copied = 0;
    let mut position = 0;
    while let Some(dash) = find_dash(bytes, position) {
        position = dash + 1;
        let Some(value) = string_of_dash(bytes, dash) else { continue };
        let (start, end) = (value.start, value.end);
        let Some(utc_seconds) = read_time(&bytes[value]) else { continue };
        if is_key(bytes, end + 1) {
            continue;
        }
        let Some(shown) = show(utc_seconds + offsets.at(utc_seconds)) else { continue };
        let (Some(between), Ok(shown)) = (text.get(copied..start), std::str::from_utf8(&shown)) else { continue };
        out.push_str(between);
        out.push_str(shown);
        copied = end;
        position = end;
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}

/// The index of the next dash, looked for in eight bytes at a time: in `word` a dash is a zero, and the lowest bit of `zeros` is
/// that of the first zero.
#[inline]
fn find_dash(bytes: &[u8], from: usize) -> Option<usize> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let mut position = from;
    while let Some(chunk) = bytes.get(position..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk) ^ (EACH * b'-' as u64);
        let zeros = word.wrapping_sub(EACH) & !word & (EACH << 7);
        if zeros != 0 {
            return Some(position + zeros.trailing_zeros() as usize / 8);
        }
        position += 8;
    }
    let tail = bytes.get(position..)?.iter().position(|byte| *byte == b'-')?;
    Some(position + tail)
}

/// What is between the quotes of the string whose first dash this is, if it is one that could be a time.
#[inline]
fn string_of_dash(bytes: &[u8], dash: usize) -> Option<Range<usize>> {
    /// `YYYY-MM-DD HH:mm`, and that with seconds, nine digits of a fraction and a `Z`.
    const LENGTHS: RangeInclusive<usize> = 16..=30;
    let start = dash.checked_sub(4)?;
    let is_begin = bytes.get(start.checked_sub(1)?) == Some(&b'"') && bytes.get(dash + 3) == Some(&b'-');
    let is_escaped = start >= 2 && bytes.get(start - 2) == Some(&b'\\');
    if !is_begin || is_escaped {
        return None;
    }
    let end = LENGTHS.map(|length| start + length).find(|end| bytes.get(*end) == Some(&b'"'))?;
    Some(start..end)
}

#[inline]
fn is_key(bytes: &[u8], after: usize) -> bool {
    let next = bytes[after..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    next == Some(&b':')
}

/// Seconds since 1970 in UTC of a string that is a time; `None` for every other string.
#[inline]
fn read_time(value: &[u8]) -> Option<i64> {
    if value.len() < 16
        || value[4] != b'-'
        || value[7] != b'-'
        || !matches!(value[10], b' ' | b'T')
        || value[13] != b':'
    {
        return None;
    }
    let year = two_digits(value, 0)? * 100 + two_digits(value, 2)?;
    let days = days_from_civil(year as i32, two_digits(value, 5)?, two_digits(value, 8)?)?;
    let (hour, minute) = (two_digits(value, 11)?, two_digits(value, 14)?);
    let mut rest = &value[16..];
    let mut second = 0;
    if let [b':', tens, ones, after @ ..] = rest {
        second = digit(*tens)? * 10 + digit(*ones)?;
        rest = after;
        if let [b'.', fraction @ ..] = rest {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 || digits > 9 {
                return None;
            }
            rest = &fraction[digits..];
        }
    }
    if !(rest.is_empty() || rest == b"Z") || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    Some(i64::from(days) * SECONDS_OF_A_DAY + i64::from(hour * 3_600 + minute * 60 + second))
}

/// The day that `YYYY-MM-DD` names.
fn read_day(text: &str) -> Option<NaiveDate> {
    let value = text.as_bytes();
    let is_separated = value.len() == 10 && value[4] == b'-' && value[7] == b'-';
    let year = two_digits(value, 0)? * 100 + two_digits(value, 2)?;
    is_separated.then(|| NaiveDate::from_ymd_opt(year as i32, two_digits(value, 5)?, two_digits(value, 8)?))?
}

#[inline]
fn two_digits(value: &[u8], at: usize) -> Option<u32> {
    Some(digit(*value.get(at)?)? * 10 + digit(*value.get(at + 1)?)?)
}

#[inline]
fn digit(byte: u8) -> Option<u32> {
    byte.is_ascii_digit().then(|| u32::from(byte - b'0'))
}

/// `YYYY-MM-DD HH:mm:ss`; `None` outside the years 0 to 9999, which the format cannot show.
#[inline]
fn show(local_seconds: i64) -> Option<[u8; 19]> {
    let days = i32::try_from(local_seconds.div_euclid(SECONDS_OF_A_DAY)).ok()?;
    let second_of_day = local_seconds.rem_euclid(SECONDS_OF_A_DAY) as u32;
    let (year, month, day) = civil_from_days(days);
    if !(0..=9999).contains(&year) {
        return None;
    }
    let mut shown = *b"0000-00-00 00:00:00";
    let year = year as u32;
    for (at, pair) in [
        (0, year / 100),
        (2, year % 100),
        (5, month),
        (8, day),
        (11, second_of_day / 3_600),
        (14, second_of_day / 60 % 60),
        (17, second_of_day % 60),
    ] {
        shown[at] = b'0' + (pair / 10) as u8;
        shown[at + 1] = b'0' + (pair % 10) as u8;
    }
    Some(shown)
}

/// The day of the Gregorian calendar so many days after 1970-01-01, counted in eras of 400 years that start in March.
#[inline]
fn civil_from_days(days: i32) -> (i32, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u32;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 } as u32;
    (year_of_era + era * 400 + i32::from(month <= 2), month, day)
}

/// The other way; `None` for a day that there is not.
#[inline]
fn days_from_civil(year: i32, month: u32, day: u32) -> Option<i32> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    let year = year - i32::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month as i32 + 9) % 12) + 2) / 5 + day as i32 - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

/// Offsets of a zone by steps of UTC time. A step whose start and end have the same offset has it throughout, so that most times
/// cost a look into an array: the steps are days, and quarters of an hour in days with a change. Only the quarters with a change
/// inside, of which the last was a century ago, ask the zone's table for each time.
struct OffsetCache {
    zone: Tz,
    days: Steps<SECONDS_OF_A_DAY>,
    quarters: Steps<900>,
}

/// For each step, kept where its number says, the number and the offset.
struct Steps<const SECONDS: i64>([(i64, i32); SLOTS]);

const SLOTS: usize = 256;
const CHANGES_INSIDE: i32 = i32::MIN;

impl OffsetCache {
    #[inline]
    fn new(zone: Tz) -> OffsetCache {
        OffsetCache { zone, days: Steps::new(), quarters: Steps::new() }
    }

    #[inline]
    fn at(&mut self, utc_seconds: i64) -> i64 {
        let known = self.days.at(utc_seconds, self.zone).or_else(|| self.quarters.at(utc_seconds, self.zone));
        known.unwrap_or_else(|| offset_at(self.zone, utc_seconds))
    }
}

impl<const SECONDS: i64> Steps<SECONDS> {
    #[inline]
    fn new() -> Self {
        Steps([(i64::MIN, CHANGES_INSIDE); SLOTS])
    }

    #[inline]
    fn at(&mut self, utc_seconds: i64, zone: Tz) -> Option<i64> {
        let step = utc_seconds.div_euclid(SECONDS);
        let slot = &mut self.0[step.rem_euclid(SLOTS as i64) as usize];
        if slot.0 != step {
            let first = offset_at(zone, step * SECONDS);
            let is_steady = first == offset_at(zone, (step + 1) * SECONDS);
            *slot = (step, if is_steady { first as i32 } else { CHANGES_INSIDE });
        }
        Some(i64::from(slot.1)).filter(|_| slot.1 != CHANGES_INSIDE)
    }
}

/// Seconds to add to this UTC time to get the zone's.
fn offset_at(zone: Tz, utc_seconds: i64) -> i64 {
    let Some(instant) = DateTime::from_timestamp(utc_seconds, 0) else { return 0 };
    i64::from(zone.offset_from_utc_datetime(&instant.naive_utc()).fix().local_minus_utc())
}

/// Which end of a range a local time is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RangeEnd {
    From,
    To,
}

/// Reads one end of a date range as a date picker gives it and returns it in UTC, `YYYY-MM-DD HH:mm:ss`.
///
/// Local forms are `YYYY-MM-DD`, `YYYY-MM-DD HH:mm` and `YYYY-MM-DD HH:mm:ss` (blank or `T` between). A date alone means
/// the whole day: from its first second, to its last. With a `Z` the time is UTC already. A local time that a change to
/// summer time skips is read as the first one after the gap would be on the old clock; one that happens twice is the
/// earlier for the start of a range and the later for its end, so that the range covers both.
pub fn range_end_to_utc(text: &str, zone: Tz, end: RangeEnd) -> Option<String> {
    if let Some(seconds) = text.ends_with('Z').then(|| read_time(text.as_bytes())).flatten() {
        return DateTime::from_timestamp(seconds, 0).map(|instant| to_wire(instant.naive_utc()));
    }
    let local = match read_day(text) {
        Some(day) => match end {
            RangeEnd::From => day.and_hms_opt(0, 0, 0)?,
            RangeEnd::To => day.and_hms_opt(23, 59, 59)?,
        },
        None => DateTime::from_timestamp(read_time(text.as_bytes())?, 0)?.naive_utc(),
    };
    let instant = match zone.from_local_datetime(&local) {
        MappedLocalTime::Single(only) => only,
        MappedLocalTime::Ambiguous(earlier, later) => match end {
            RangeEnd::From => earlier,
            RangeEnd::To => later,
        },
        MappedLocalTime::None => {
            // No zone's gap is longer than a day: what the clock said a day before tells the offset before the gap.
            let day = TimeDelta::days(1);
            zone.from_local_datetime(&local.checked_sub_signed(day)?).earliest()?.checked_add_signed(day)?
        }
    };
    Some(to_wire(instant.naive_utc()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shanghai(text: &str) -> String {
        localize_response(text, Tz::Asia__Shanghai)
    }

    #[test]
    fn what_only_looks_like_a_time_stays_byte_for_byte() {
        for text in [
            r#"{"Day":"2026-01-02"}"#,
            r#"{"No":"2026-01-02-000123"}"#,
            r#"{"Note":"2026-01-02 10:00:00 call Bob"}"#,
            r#"{"Note":"2026-01-02 10:00:00.123 call Bob"}"#,
            r#"{"Offset":"2026-01-02T10:00:00+08:00"}"#,
            r#"{"Bad":"2026-13-02 10:00:00","Bad2":"2026-02-30 10:00:00","Bad3":"2026-01-02 24:00:00"}"#,
            r#"{"2026-01-02 10:00:00":1}"#,
            r#"{"2026-01-02 10:00:00" : {"a":"\"2026-01-02 10:00:00"}}"#,
            r#"["中文 2026-01-02 10:00:00","\u0032026-01-02 10:00:00","2026-01-02 10:00:0\u0030"]"#,
            "\"2026-01-02 10:00:00",
            "",
            "\"\\",
        ] {
            assert_eq!(shanghai(text), text);
        }
    }

    #[test]
    fn every_form_of_a_time_is_shown_in_the_zone() {
        for form in [
            "2026-01-02 16:30:00",
            "2026-01-02T16:30:00",
            "2026-01-02T16:30:00Z",
            "2026-01-02 16:30",
            "2026-01-02 16:30:00.1",
            "2026-01-02T16:30:00.123Z",
            "2026-01-02T16:30:00.123456789Z",
        ] {
            assert_eq!(
                shanghai(&format!("{{\"At\": \"{form}\", \"名\":[\"{form}\"]}}")),
                r#"{"At": "2026-01-03 00:30:00", "名":["2026-01-03 00:30:00"]}"#,
                "{form}"
            );
        }
    }

    #[test]
    fn every_offset_that_is_kept_is_that_of_the_table() {
        for zone in [
            Tz::America__New_York,
            Tz::Australia__Lord_Howe,
            Tz::Africa__Monrovia,
            Tz::Asia__Shanghai,
            Tz::Pacific__Apia,
        ] {
            let mut offsets = OffsetCache::new(zone);
            for seconds in (-2_500_000_000..2_500_000_000_i64).step_by(40_009) {
                assert_eq!(offsets.at(seconds), offset_at(zone, seconds), "{zone} {seconds}");
            }
        }
    }

    #[test]
    fn days_with_a_change_of_the_clock_are_exact() {
        for (utc, local) in [
            ("2026-03-08 06:59:59", "2026-03-08 01:59:59"),
            ("2026-03-08 07:00:00", "2026-03-08 03:00:00"),
            ("2026-11-01 05:59:59", "2026-11-01 01:59:59"),
            ("2026-11-01 06:00:00", "2026-11-01 01:00:00"),
        ] {
            assert_eq!(localize_response(&format!("\"{utc}\""), Tz::America__New_York), format!("\"{local}\""));
        }
    }

    #[test]
    fn a_time_outside_the_years_that_can_be_shown_stays() {
        assert_eq!(shanghai("\"9999-12-31 23:59:59\""), "\"9999-12-31 23:59:59\"");
        assert_eq!(localize_response("\"0000-01-01 00:00:00\"", Tz::America__New_York), "\"0000-01-01 00:00:00\"");
    }

    #[test]
    fn calendar_days_agree_with_chrono() {
        for days in (-719_528..2_932_896).step_by(37) {
            let date = NaiveDate::from_epoch_days(days).expect("a day");
            assert_eq!(civil_from_days(days), (date.year(), date.month(), date.day()));
        }
        for (year, month, day) in (0..=9_999).flat_map(|year| (0..=13).map(move |month| (year, month, month * 2 + 5))) {
            for day in [0, 1, 28, 29, 30, 31, 32, day] {
                let days = NaiveDate::from_ymd_opt(year, month, day).map(|date| date.to_epoch_days());
                assert_eq!(days_from_civil(year, month, day), days, "{year}-{month}-{day}");
            }
        }
    }

    #[test]
    fn a_time_on_the_wire_is_read_back_and_nothing_else_is_one() {
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
    fn the_wire_shows_every_instant_as_chrono_would() {
        for seconds in (-400_000_000_000..400_000_000_000_i64).step_by(12_345_678_901) {
            let instant = DateTime::from_timestamp(seconds, 0).expect("an instant").naive_utc();
            assert_eq!(to_wire(instant), instant.format(FORMAT).to_string());
        }
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
        for text in ["yesterday", "", "2026-02-30", "2026-1-002", "+2026-1-02", "2026-07-0", "2026-07-01 "] {
            assert_eq!(range_end_to_utc(text, new_york, RangeEnd::To), None, "{text}");
        }
    }
}
