//! Times in responses: from UTC to the reader's zone (specification, section 5).
use super::calendar::{Moment, SECONDS_OF_A_DAY, format_clock, format_date, read_clock, read_date, split_offset};
use chrono::{DateTime, Offset, TimeZone};
use chrono_tz::Tz;

/// Turns every time in a response's JSON text from UTC to the given zone, shown as `YYYY-MM-DD HH:mm:ss`.
///
/// A string value is a time when it starts `YYYY-MM-DD` and its first 23 characters are one of
/// `YYYY-MM-DD HH:mm`, `YYYY-MM-DD HH:mm:ss` and the latter with a fraction, with a blank or a `T` between, and with or
/// without a `Z`. What lies beyond the 23rd character must be more digits of the fraction, a `Z`, or an offset such as `+08:00`, which
/// is honoured: a note that begins with a time stays a note. Free text that is exactly a time is for the server to mark, which writes
/// its first digit as an escape (see [`reads_as_time`]). A date without a time is a day on a calendar, not an instant, and stays too; so do
/// object keys, and every other byte of the text.
///
/// One pass over the bytes, without a tree and without an allocation for a value: a time that stays as long as it was is written over
/// the old one. Only the dashes of times and of little else are looked at: in JSON, a quote that is not escaped and is followed
/// by a digit begins a string.
#[inline]
pub fn localize_response(text: impl Into<String>, zone: Tz) -> String {
    Localizer::new(zone).localize(text.into())
}

/// Localises a response that is given in pieces: a text may be cut before any comma, as no time has one and none is a key before one.
/// What the pieces become, put together, is what the whole would.
pub struct Localizer {
    zone: Tz,
    /// Days whose times were asked for, each kept where its last digits say.
    days: [Day; SLOTS],
}

/// A day of UTC in the zone.
#[derive(Clone, Copy)]
struct Day {
    /// `YYYY-MM-DD`; all zero where no day is kept yet.
    utc: [u8; 10],
    /// The day before, or after: that of the times which the offset moves over midnight. `None` beyond the years 0 to 9999.
    beyond_midnight: Option<[u8; 10]>,
    /// `None` when it changes within the day.
    offset: Option<i32>,
}

const SLOTS: usize = 512;

impl Localizer {
    #[inline]
    pub fn new(zone: Tz) -> Localizer {
        Localizer { zone, days: [Day { utc: [0; 10], beyond_midnight: None, offset: None }; SLOTS] }
    }

    /// Turns the times of a piece of a response.
    #[inline]
    pub fn localize(&mut self, piece: String) -> String {
        // Only ASCII takes the place of ASCII: the text is as valid as it was.
        String::from_utf8(self.localize_bytes(piece.into_bytes())).unwrap_or_default()
    }

    /// The same of the bytes in which the response came, which need not be UTF-8: what is none stays as it is.
    #[inline]
    pub fn localize_bytes(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        // What comes before `moved_to`, once a time has another length than before.
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

    /// The date and the time of day in the zone, of a string that is a time.
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
    /// `None` for a day that there is not. A day whose start and end have the same offset has it throughout.
    fn of(utc: [u8; 10], zone: Tz) -> Option<Day> {
        let day = read_date(&utc)?;
        let first = offset_at(zone, Moment { day, second: 0 });
        let is_steady = first == offset_at(zone, Moment { day: day + 1, second: 0 });
        let beyond_midnight = format_date(if first < 0 { day - 1 } else { day + 1 });
        Some(Day { utc, beyond_midnight, offset: is_steady.then_some(first) })
    }
}

/// Would the pass over a response take this text for a time?
pub fn reads_as_time(text: &str) -> bool {
    let read = |text: &[u8]| {
        let (date, clock) = text.split_first_chunk::<10>()?;
        read_clock(split_offset(clock)?.0)?;
        read_date(date)
    };
    read(text.as_bytes()).is_some()
}

/// What `Localizer::turn` gives, by the zone's table.
fn turn_exactly(utc: Moment, zone: Tz) -> Option<([u8; 10], [u8; 9])> {
    let local = utc.later_by(offset_at(zone, utc));
    Some((format_date(local.day)?, format_clock(local.second)))
}

/// Seconds to add to this moment of UTC to get the zone's.
fn offset_at(zone: Tz, utc: Moment) -> i32 {
    let Some(instant) = DateTime::from_timestamp(utc.timestamp(), 0) else { return 0 };
    zone.offset_from_utc_datetime(&instant.naive_utc()).fix().local_minus_utc()
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

/// Where the string whose first dash this is begins and ends, between its quotes, if it is one that could be a time.
#[inline]
fn string_of_dash(bytes: &[u8], dash: usize) -> Option<(usize, usize)> {
    /// That of `YYYY-MM-DD HH:mm`; with seconds, nine digits of a fraction and an offset it is 19 more.
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
    fn what_only_looks_like_a_time_stays_byte_for_byte() {
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
    fn an_offset_is_honoured() {
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
    fn every_time_is_shown_as_the_table_of_the_zone_has_it() {
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
    fn days_with_a_change_of_the_clock_are_exact() {
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
    fn a_time_outside_the_years_that_can_be_shown_stays() {
        assert_eq!(shanghai("\"9999-12-31 23:59:59\""), "\"9999-12-31 23:59:59\"");
        assert_eq!(localize_response("\"0000-01-01 00:00:00\"", Tz::America__New_York), "\"0000-01-01 00:00:00\"");
    }

    #[test]
    fn a_text_cut_at_commas_becomes_what_the_whole_does() {
        let text = r#"{"A":"2026-01-02 16:30:00","B":"1, \"2026-01-02 16:30:00\", 2","2026-01-02 16:30:00" : 1,"C":"2026-01-02 16:30"}"#;
        let mut localizer = Localizer::new(Tz::Asia__Shanghai);
        let pieces = text.split_inclusive(',').map(|piece| localizer.localize(piece.to_owned()));
        assert_eq!(pieces.collect::<String>(), shanghai(text));
        let mut localizer = Localizer::new(Tz::Asia__Shanghai);
        let before_commas = text.split(',').map(|piece| localizer.localize(piece.to_owned()));
        assert_eq!(before_commas.collect::<Vec<_>>().join(","), shanghai(text));
    }
}
