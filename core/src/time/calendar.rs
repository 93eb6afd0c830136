//! Parsing and formatting of dates and times of day. Inlined into the pass over responses, hence the many `#[inline]`.
use chrono::NaiveDate;

pub(super) const SECONDS_OF_A_DAY: i32 = 86_400;

/// A time, as the day since 1970-01-01 and the second of the day. Seconds since 1970 would need 64-bit divisions, which would dominate the
/// cost of a conversion.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    pub day: i32,
    pub second: i32,
}

impl Moment {
    /// `None` if the day does not fit into 32 bits.
    pub fn at(timestamp: i64) -> Option<Moment> {
        let day = i32::try_from(timestamp.div_euclid(i64::from(SECONDS_OF_A_DAY))).ok()?;
        Some(Moment { day, second: timestamp.rem_euclid(i64::from(SECONDS_OF_A_DAY)) as i32 })
    }

    pub fn timestamp(self) -> i64 {
        i64::from(self.day) * i64::from(SECONDS_OF_A_DAY) + i64::from(self.second)
    }

    /// Adds an offset, which may be negative and is less than a day.
    #[inline]
    pub fn later_by(self, seconds: i32) -> Moment {
        let second = self.second + seconds;
        if second < 0 {
            Moment { day: self.day - 1, second: second + SECONDS_OF_A_DAY }
        } else if second >= SECONDS_OF_A_DAY {
            Moment { day: self.day + 1, second: second - SECONDS_OF_A_DAY }
        } else {
            Moment { second, ..self }
        }
    }
}

/// Parses a time; `None` for any other string.
#[inline]
pub(super) fn read_time(value: &[u8]) -> Option<Moment> {
    let (date, clock) = value.split_first_chunk()?;
    Some(Moment { second: read_clock(clock)?, day: read_date(date)? })
}

/// Parses `YYYY-MM-DD` into the day since 1970-01-01; `None` for a nonexistent day.
#[inline]
pub(super) fn read_date(value: &[u8; 10]) -> Option<i32> {
    if value[4] != b'-' || value[7] != b'-' {
        return None;
    }
    let year = two_digits(value, 0)? * 100 + two_digits(value, 2)?;
    days_from_civil(year, two_digits(value, 5)?, two_digits(value, 8)?)
}

/// Parses the part after the date into the second of the day: a space or a `T`, `HH:mm`, optional seconds with an optional fraction, an
/// optional `Z`.
#[inline]
pub(super) fn read_clock(value: &[u8]) -> Option<i32> {
    let (minutes, mut rest) = value.split_first_chunk::<6>()?;
    if !matches!(minutes[0], b' ' | b'T') || minutes[3] != b':' {
        return None;
    }
    let (hour, minute) = (two_digits(minutes, 1)?, two_digits(minutes, 4)?);
    let mut second = 0;
    if let Some((seconds @ [b':', ..], after)) = rest.split_first_chunk::<3>() {
        second = two_digits(seconds, 1)?;
        rest = after;
        if let [b'.', fraction @ ..] = rest {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 || digits > 9 {
                return None;
            }
            rest = &fraction[digits..];
        }
    }
    let is_clock = (rest.is_empty() || rest == b"Z") && hour <= 23 && minute <= 59 && second <= 59;
    is_clock.then_some(hour * 3_600 + minute * 60 + second)
}

/// Splits the part after the date into the time and its offset in seconds east of UTC, 0 without one. `None` for an invalid offset.
#[inline]
pub(super) fn split_offset(clock: &[u8]) -> Option<(&[u8], i32)> {
    let Some((time, offset @ [sign @ (b'+' | b'-'), _, _, b':', _, _])) = clock.split_last_chunk::<6>() else {
        return Some((clock, 0));
    };
    let (hours, minutes) = (two_digits(offset, 1)?, two_digits(offset, 4)?);
    let is_offset = time.last().is_some_and(u8::is_ascii_digit) && hours <= 23 && minutes <= 59;
    let seconds = hours * 3_600 + minutes * 60;
    is_offset.then_some((time, if *sign == b'-' { -seconds } else { seconds }))
}

/// Parses `YYYY-MM-DD` into a calendar day.
pub(super) fn read_day(text: &str) -> Option<NaiveDate> {
    let value: &[u8; 10] = text.as_bytes().try_into().ok()?;
    let day = read_date(value)?;
    NaiveDate::from_epoch_days(day)
}

#[inline]
fn two_digits<const N: usize>(value: &[u8; N], at: usize) -> Option<i32> {
    let (tens, ones) = (value[at], value[at + 1]);
    let are_digits = tens.is_ascii_digit() && ones.is_ascii_digit();
    are_digits.then(|| i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
}

/// `YYYY-MM-DD HH:mm:ss`; `None` outside the years 0 to 9999, which the format cannot represent.
pub(super) fn show(moment: Moment) -> Option<[u8; 19]> {
    let mut shown = [0; 19];
    let (date, clock) = shown.split_at_mut(10);
    date.copy_from_slice(&format_date(moment.day)?);
    clock.copy_from_slice(&format_clock(moment.second));
    Some(shown)
}

/// `YYYY-MM-DD`; `None` outside the years 0 to 9999.
pub(super) fn format_date(day: i32) -> Option<[u8; 10]> {
    let (year, month, day) = civil_from_days(day);
    if !(0..=9999).contains(&year) {
        return None;
    }
    let year = year as u32;
    let mut shown = *b"0000-00-00";
    put_two_digits(&mut shown, 0, year / 100);
    put_two_digits(&mut shown, 2, year % 100);
    put_two_digits(&mut shown, 5, month);
    put_two_digits(&mut shown, 8, day);
    Some(shown)
}

/// A space and `HH:mm:ss`, from the second of the day.
#[inline]
pub(super) fn format_clock(second: i32) -> [u8; 9] {
    let second = second as u32;
    let mut shown = *b" 00:00:00";
    put_two_digits(&mut shown, 1, second / 3_600);
    put_two_digits(&mut shown, 4, second / 60 % 60);
    put_two_digits(&mut shown, 7, second % 60);
    shown
}

#[inline]
fn put_two_digits<const N: usize>(shown: &mut [u8; N], at: usize, number: u32) {
    shown[at] = b'0' + (number / 10) as u8;
    shown[at + 1] = b'0' + (number % 10) as u8;
}

/// The Gregorian date of a day since 1970-01-01, computed in eras of 400 years that start in March.
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

/// The inverse of `civil_from_days`; `None` for a nonexistent day.
fn days_from_civil(year: i32, month: i32, day: i32) -> Option<i32> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i32::from(is_leap),
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
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::Datelike;

    #[test]
    fn calendar_days_agree_with_chrono() {
        for days in (-719_528..2_932_896).step_by(37) {
            let date = NaiveDate::from_epoch_days(days).expect("a day");
            assert_eq!(civil_from_days(days), (date.year(), date.month(), date.day()));
        }
        for (year, month, day) in (0..=9_999).flat_map(|year| (0..=13).map(move |month| (year, month, month * 2 + 5))) {
            for day in [0, 1, 28, 29, 30, 31, 32, day] {
                let days = NaiveDate::from_ymd_opt(year, month as u32, day as u32).map(|date| date.to_epoch_days());
                assert_eq!(days_from_civil(year, month, day), days, "{year}-{month}-{day}");
            }
        }
    }
}
