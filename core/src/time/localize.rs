//! Times in responses: from UTC to the reader's zone (specification, section 5).
use super::calendar::{Moment, SECONDS_OF_A_DAY, format_clock, format_date, read_clock, read_date, split_offset};
use chrono::{DateTime, Offset, TimeZone};
use chrono_tz::Tz;

/// Converts every time in a response's JSON text from UTC to the given zone, formatted as `YYYY-MM-DD HH:mm:ss`.
///
/// A string value is a time if it starts with `YYYY-MM-DD` and its first 23 characters are `YYYY-MM-DD HH:mm`, `YYYY-MM-DD HH:mm:ss`, or
/// the latter with a fraction, with a space or a `T` in between, and with or without a `Z`. After the 23rd character only further digits of
/// the fraction, a `Z`, or an offset such as `+08:00` may follow, which is applied: a note that begins with a time is left unchanged. The
/// server has to mark free text that is exactly a time, by writing its first digit as an escape (see [`reads_as_time`]). A date without a
/// time is a calendar day, not an instant, and is also left unchanged; so are object keys, and every other byte of the text.
///
/// This is a single pass over the bytes, without a tree and without an allocation per value: a time whose length does not change is
/// overwritten in place. Only hyphens are examined, most of which are in times: in JSON, an unescaped quote followed by a digit begins a
/// string.
#[inline]
pub fn localize_response(text: impl Into<String>, zone: Tz) -> String {
    Localizer::new(zone).localize(text.into())
}

/// Localises a response in chunks, which may be split at any comma, because no time contains one and no comma separates a key from its
/// colon. The concatenated output equals that of the whole response.
pub struct Localizer {
    zone: Tz,
    /// A direct-mapped cache of days, indexed by the last digits of the date.
    days: [Day; SLOTS],
}

/// A UTC day in the zone.
#[derive(Clone, Copy)]
struct Day {
    /// `YYYY-MM-DD`; all zero in an empty slot.
    utc: [u8; 10],
    /// The previous or next day, for times that the offset moves past midnight. `None` outside the years 0 to 9999.
    beyond_midnight: Option<[u8; 10]>,
    /// `None` if the offset changes during the day.
    offset: Option<i32>,
}

const SLOTS: usize = 512;

impl Localizer {
    #[inline]
    pub fn new(zone: Tz) -> Localizer {
        Localizer { zone, days: [Day { utc: [0; 10], beyond_midnight: None, offset: None }; SLOTS] }
    }

    /// Localises one chunk of a response.
    #[inline]
    pub fn localize(&mut self, piece: String) -> String {
        // ASCII replaces ASCII, so the text stays valid UTF-8.
        String::from_utf8(self.localize_bytes(piece.into_bytes())).unwrap_or_default()
    }

    /// Like `localize`, for raw bytes, which need not be UTF-8: invalid sequences are left unchanged.
    #[inline]
    pub fn localize_bytes(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        // The output up to `moved_to`, once the length of a time has changed.
        let mut moved = Vec::new();
        let mut moved_to = 0;
        let mut position = 0;
        while let Some(dash) = find_dash(&bytes, position) {
            position = dash + 1;
            let Some((start, end)) = string_of_dash(&bytes, dash) else { continue };
            let Some((date, clock)) = self.turn(&bytes[start..end]) else { continue };
            if is_key(&bytes, end + 1) {
                continue;
            }
            position = end;
            match bytes[start..end].as_chunks_mut::<19>() {
                ([same], []) => {
                    same[..10].copy_from_slice(&date);
                    same[10..].copy_from_slice(&clock);
                }
                _ => {
                    moved.extend_from_slice(&bytes[moved_to..start]);
                    moved.extend_from_slice(&date);
                    moved.extend_from_slice(&clock);
                    moved_to = end;
                }
            }
        }
        if moved_to > 0 {
            moved.extend_from_slice(&bytes[moved_to..]);
            bytes = moved;
        }
        bytes
    }

    /// The local date and time of day, if the string is a time.
    #[inline]
    fn turn(&mut self, value: &[u8]) -> Option<([u8; 10], [u8; 9])> {
        let (date, clock) = value.split_first_chunk::<10>()?;
        let (clock, ahead) = split_offset(clock)?;
        let second = read_clock(clock)?;
        if ahead != 0 {
            return turn_exactly(Moment { day: read_date(date)?, second }.later_by(-ahead), self.zone);
        }
        let slot = usize::from(date[9] & 15) + usize::from(date[8] & 3) * 10 + usize::from(date[6] & 15) * 40;
        let day = &mut self.days[slot % SLOTS];
        if day.utc != *date {
            *day = Day::of(*date, self.zone)?;
        }
        let Some(offset) = day.offset else { return turn_exactly(Moment { day: read_date(date)?, second }, self.zone) };
        let local = second + offset;
        if local < 0 {
            Some((day.beyond_midnight?, format_clock(local + SECONDS_OF_A_DAY)))
        } else if local >= SECONDS_OF_A_DAY {
            Some((day.beyond_midnight?, format_clock(local - SECONDS_OF_A_DAY)))
        } else {
            Some((*date, format_clock(local)))
        }
    }
}

impl Day {
    /// `None` for a nonexistent day. If the offsets at the start and the end of a day are equal, it has that offset throughout.
    fn of(utc: [u8; 10], zone: Tz) -> Option<Day> {
        let day = read_date(&utc)?;
        let first = offset_at(zone, Moment { day, second: 0 });
        let is_steady = first == offset_at(zone, Moment { day: day + 1, second: 0 });
        let beyond_midnight = format_date(if first < 0 { day - 1 } else { day + 1 });
        Some(Day { utc, beyond_midnight, offset: is_steady.then_some(first) })
    }
}

/// Whether localising would convert this text.
pub fn reads_as_time(text: &str) -> bool {
    let read = |text: &[u8]| {
        let (date, clock) = text.split_first_chunk::<10>()?;
        read_clock(split_offset(clock)?.0)?;
        read_date(date)
    };
    read(text.as_bytes()).is_some()
}

/// Like `Localizer::turn`, by looking the offset up in the zone's table.
fn turn_exactly(utc: Moment, zone: Tz) -> Option<([u8; 10], [u8; 9])> {
    let local = utc.later_by(offset_at(zone, utc));
    Some((format_date(local.day)?, format_clock(local.second)))
}

/// The seconds to add to this UTC time to get local time.
fn offset_at(zone: Tz, utc: Moment) -> i32 {
    let Some(instant) = DateTime::from_timestamp(utc.timestamp(), 0) else { return 0 };
    zone.offset_from_utc_datetime(&instant.naive_utc()).fix().local_minus_utc()
}

/// The index of the next hyphen, searching eight bytes at a time: a hyphen is a zero byte in `word`, and the lowest set bit of `zeros` is
/// in the first of them.
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

/// The start and end, between the quotes, of the string whose first hyphen this is, if it could be a time.
#[inline]
fn string_of_dash(bytes: &[u8], dash: usize) -> Option<(usize, usize)> {
    /// The length of `YYYY-MM-DD HH:mm`; seconds, a fraction of nine digits and an offset add 19.
    const SHORTEST: usize = 16;
    let start = dash.checked_sub(4)?;
    let is_begin = bytes.get(start.checked_sub(1)?) == Some(&b'"') && bytes.get(dash + 3) == Some(&b'-');
    let is_escaped = start >= 2 && bytes.get(start - 2) == Some(&b'\\');
    if !is_begin || is_escaped {
        return None;
    }
    let shortest_end = start + SHORTEST;
    let longer_by = bytes.get(shortest_end..)?.iter().take(20).position(|byte| *byte == b'"')?;
    Some((start, shortest_end + longer_by))
}

#[inline]
fn is_key(bytes: &[u8], after: usize) -> bool {
    let next = bytes[after..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    next == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::FORMAT;

    fn shanghai(text: &str) -> String {
        localize_response(text, Tz::Asia__Shanghai)
    }

    #[test]
    fn strings_that_only_resemble_times_are_unchanged() {
        for text in [
            r#"{"Day":"2026-01-02"}"#,
            r#"{"No":"2026-01-02-000123"}"#,
            r#"{"Note":"2026-01-02 10:00:00 call Bob"}"#,
            r#"{"Note":"2026-01-02 10:00:00.123 call Bob"}"#,
            r#"{"Bad":"2026-01-02T10:00:00+24:00","Bad2":"2026-01-02T10:00:00Z+08:00","Bad3":"2026-01-02T10:00:00 08:00"}"#,
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
    fn offsets_are_applied() {
        for (written, shown) in [
            ("2026-01-02T10:00:00+00:00", "2026-01-02 18:00:00"),
            ("2026-01-02T10:00:00-00:00", "2026-01-02 18:00:00"),
            ("2026-01-02T10:00:00+08:00", "2026-01-02 10:00:00"),
            ("2026-01-01 20:00:00.123456789-05:30", "2026-01-02 09:30:00"),
            ("2026-01-01T00:10+00:30", "2026-01-01 07:40:00"),
        ] {
            assert!(reads_as_time(written), "{written}");
            assert_eq!(shanghai(&format!(r#"{{"At":"{written}"}}"#)), format!(r#"{{"At":"{shown}"}}"#));
        }
    }

    #[test]
    fn every_notation_of_a_time_is_converted() {
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
    fn conversion_agrees_with_the_zones_table() {
        for zone in [
            Tz::America__New_York,
            Tz::Australia__Lord_Howe,
            Tz::Africa__Monrovia,
            Tz::Asia__Shanghai,
            Tz::Pacific__Apia,
        ] {
            let mut localizer = Localizer::new(zone);
            for seconds in (-2_500_000_000..2_500_000_000_i64).step_by(40_009) {
                let instant = DateTime::from_timestamp(seconds, 0).expect("an instant");
                let utc = format!("\"{}\"", instant.format(FORMAT));
                assert_eq!(
                    localizer.localize(utc),
                    format!("\"{}\"", instant.with_timezone(&zone).format(FORMAT)),
                    "{zone}"
                );
            }
        }
    }

    #[test]
    fn days_with_a_clock_change_are_exact() {
        for (utc, local) in [
            ("2026-03-08 06:59:59", "2026-03-08 01:59:59"),
            ("2026-03-08 07:00:00", "2026-03-08 03:00:00"),
            ("2026-11-01 05:59:59", "2026-11-01 01:59:59"),
            ("2026-11-01 06:00:00", "2026-11-01 01:00:00"),
        ] {
            assert_eq!(localize_response(format!("\"{utc}\""), Tz::America__New_York), format!("\"{local}\""));
        }
    }

    #[test]
    fn times_outside_the_displayable_years_are_unchanged() {
        assert_eq!(shanghai("\"9999-12-31 23:59:59\""), "\"9999-12-31 23:59:59\"");
        assert_eq!(localize_response("\"0000-01-01 00:00:00\"", Tz::America__New_York), "\"0000-01-01 00:00:00\"");
    }

    #[test]
    fn chunks_split_at_commas_give_the_same_output_as_the_whole() {
        let text = r#"{"A":"2026-01-02 16:30:00","B":"1, \"2026-01-02 16:30:00\", 2","2026-01-02 16:30:00" : 1,"C":"2026-01-02 16:30"}"#;
        let mut localizer = Localizer::new(Tz::Asia__Shanghai);
        let pieces = text.split_inclusive(',').map(|piece| localizer.localize(piece.to_owned()));
        assert_eq!(pieces.collect::<String>(), shanghai(text));
        let mut localizer = Localizer::new(Tz::Asia__Shanghai);
        let before_commas = text.split(',').map(|piece| localizer.localize(piece.to_owned()));
        assert_eq!(before_commas.collect::<Vec<_>>().join(","), shanghai(text));
    }
}
