//! Usage charts: the length of their points, where they begin in the reader's calendar, and the sums that they are made of.
use crate::time::{midnight, whole_hour};
use crate::usage::{day_of, month_of};
use crate::wire_enum::wire_enum;
use chrono::{Datelike, Months, NaiveDate, NaiveDateTime, TimeDelta};
use chrono_tz::Tz;

wire_enum! {
    /// The length of a chart's points.
    UsageStep { Hour = "hour", Day = "day", Month = "month" }
}

/// The longest range of a chart, in days.
pub const MAX_CHART_DAYS: i64 = 366;
/// The longest range of a chart with hourly points.
pub const MAX_HOURLY_CHART_DAYS: i64 = 31;

/// With more days, hours are too narrow to be distinguished on a screen.
const HOURS_SHOWN_DAYS: u32 = 7;
/// Fewer days are less than two months.
const MONTHS_SHOWN_DAYS: u32 = 60;
/// In longer ranges, days are too many to compare.
const DAY_STEP_MAX_DAYS: u32 = 92;

impl UsageStep {
    /// The longest range for points of this length, in days.
    pub fn max_range_days(self) -> i64 {
        match self {
            UsageStep::Hour => MAX_HOURLY_CHART_DAYS,
            UsageStep::Day | UsageStep::Month => MAX_CHART_DAYS,
        }
    }
}

/// The point lengths that a screen offers for a range of this many days, shortest first.
pub fn steps_for(days: u32) -> Vec<UsageStep> {
    let is_shown = |step: &UsageStep| match step {
        UsageStep::Hour => days <= HOURS_SHOWN_DAYS,
        UsageStep::Day => true,
        UsageStep::Month => days >= MONTHS_SHOWN_DAYS,
    };
    UsageStep::ALL.iter().copied().filter(is_shown).collect()
}

/// The default of `steps_for`.
pub fn default_step(days: u32) -> UsageStep {
    match days {
        0..=1 => UsageStep::Hour,
        2..=DAY_STEP_MAX_DAYS => UsageStep::Day,
        _ => UsageStep::Month,
    }
}

/// A range of time; its end is exclusive.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Span {
    pub from: NaiveDateTime,
    pub to: NaiveDateTime,
}

impl Span {
    fn new(from: NaiveDateTime, to: NaiveDateTime) -> Option<Span> {
        (from < to).then_some(Span { from, to })
    }

    /// The hours that begin within it. In zones with a half-hour offset, the hour that contains midnight counts for the day before.
    pub fn whole_hours(self) -> Span {
        Span { from: whole_hour(self.from), to: whole_hour(self.to) }
    }

    /// The range of the same length immediately before it.
    pub fn before(self) -> Span {
        Span { from: self.from - (self.to - self.from), to: self.from }
    }
}

/// A point of a chart.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Point {
    /// Its start in the reader's calendar.
    pub starts_at: NaiveDateTime,
    /// The hours that it sums.
    pub hours: Span,
}

/// The points of a range, oldest first: hours, or the days or months of a zone, of which the first and the last may be partial.
pub fn points_of(range: Span, step: UsageStep, zone: Tz) -> Vec<Point> {
    let Span { from, to } = range.whole_hours();
    let mut points = Vec::new();
    let mut at = from;
    while at < to {
        let next_hour = at + TimeDelta::hours(1);
        let (starts_at, ends_at) = match step {
            UsageStep::Hour => (at, next_hour),
            UsageStep::Day | UsageStep::Month => {
                let today = at.and_utc().with_timezone(&zone).date_naive();
                let (first, next) = match step {
                    UsageStep::Month => month_around(today),
                    _ => (today, today.succ_opt().unwrap_or(today)),
                };
                let begin = |day: NaiveDate| midnight(day, zone).unwrap_or(at);
                (begin(first).max(range.from), whole_hour(begin(next)).max(next_hour))
            }
        };
        let hours = Span { from: at, to: ends_at.min(to) };
        points.push(Point { starts_at, hours });
        at = hours.to;
    }
    points
}

/// The first day of a day's month, and of the next month.
fn month_around(day: NaiveDate) -> (NaiveDate, NaiveDate) {
    let first = day.with_day(1).unwrap_or(day);
    (first, first.checked_add_months(Months::new(1)).unwrap_or(first))
}

/// The sums that make up a range of whole hours, chosen so that as few as possible are read: whole UTC months and days, and hours for the
/// remainder at both ends.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Parts {
    pub hours: Vec<Span>,
    pub days: Vec<Span>,
    pub months: Vec<Span>,
}

impl Parts {
    pub fn covering(hours: Span) -> Parts {
        let mut parts = Parts::default();
        let next_month = |at: NaiveDateTime| month_around(at.date()).1.and_hms_opt(0, 0, 0).unwrap_or(at);
        for rest in cut(hours, month_of, next_month, &mut parts.months) {
            let next_day = |at| day_of(at) + TimeDelta::days(1);
            parts.hours.extend(cut(rest, day_of, next_day, &mut parts.days));
        }
        parts
    }

    /// These parts without monthly sums.
    pub fn without_months(mut self) -> Parts {
        self.days.append(&mut self.months);
        self.days.sort_by_key(|span| span.from);
        self
    }

    /// Adds the sums of another range.
    pub fn add(&mut self, other: Parts) {
        self.hours.extend(other.hours);
        self.days.extend(other.days);
        self.months.extend(other.months);
    }

    /// Merges adjacent spans.
    pub fn merged(mut self) -> Parts {
        for spans in [&mut self.hours, &mut self.days, &mut self.months] {
            spans.sort_by_key(|span| span.from);
            let mut merged: Vec<Span> = Vec::new();
            for span in spans.drain(..) {
                match merged.last_mut() {
                    Some(last) if last.to == span.from => last.to = span.to,
                    _ => merged.push(span),
                }
            }
            *spans = merged;
        }
        self
    }
}

/// Extracts the whole units from a range; returns the remainders before and after them.
fn cut(
    range: Span,
    start_of: fn(NaiveDateTime) -> NaiveDateTime,
    next: fn(NaiveDateTime) -> NaiveDateTime,
    whole: &mut Vec<Span>,
) -> Vec<Span> {
    let Span { from, to } = range;
    let first = if start_of(from) == from { from } else { next(from) };
    match Span::new(first, start_of(to)) {
        Some(units) => {
            whole.push(units);
            [Span::new(from, first), Span::new(units.to, to)].into_iter().flatten().collect()
        }
        None => Span::new(from, to).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{from_wire, time_zone, to_wire};

    fn at(text: &str) -> NaiveDateTime {
        from_wire(text).expect("a time")
    }

    fn span(from: &str, to: &str) -> Span {
        Span { from: at(from), to: at(to) }
    }

    fn points(from: &str, to: &str, step: UsageStep, zone: &str) -> Vec<(String, i64)> {
        let points = points_of(span(from, to), step, time_zone(zone).expect("a zone"));
        points.iter().map(|point| (to_wire(point.starts_at), (point.hours.to - point.hours.from).num_hours())).collect()
    }

    #[test]
    fn a_screen_offers_hours_for_a_week_and_months_for_a_year() {
        use UsageStep::{Day, Hour, Month};
        for (days, steps, default) in [
            (1, vec![Hour, Day], Hour),
            (7, vec![Hour, Day], Day),
            (8, vec![Day], Day),
            (59, vec![Day], Day),
            (90, vec![Day, Month], Day),
            (93, vec![Day, Month], Month),
            (366, vec![Day, Month], Month),
        ] {
            assert_eq!((steps_for(days), default_step(days)), (steps, default), "{days}");
            assert!(i64::from(days) <= default_step(days).max_range_days());
        }
    }

    #[test]
    fn days_follow_the_readers_zone_across_clock_changes() {
        for (from, to, zone, days) in [
            (
                "2026-11-20 00:00:00",
                "2026-11-22 00:00:00",
                "UTC",
                vec![("2026-11-20 00:00:00", 24), ("2026-11-21 00:00:00", 24)],
            ),
            (
                "2026-11-19 16:00:00",
                "2026-11-20 16:59:59",
                "Asia/Shanghai",
                vec![("2026-11-19 16:00:00", 24), ("2026-11-20 16:00:00", 1)],
            ),
            (
                "2026-11-01 04:00:00",
                "2026-11-02 06:00:00",
                "America/New_York",
                vec![("2026-11-01 04:00:00", 25), ("2026-11-02 05:00:00", 1)],
            ),
            ("2026-03-08 05:00:00", "2026-03-09 03:59:59", "America/New_York", vec![("2026-03-08 05:00:00", 23)]),
            // The hour that contains midnight begins on the day before and counts for it, so that no hour is counted twice.
            (
                "2026-11-19 18:30:00",
                "2026-11-21 18:29:59",
                "Asia/Kolkata",
                vec![("2026-11-19 18:30:00", 24), ("2026-11-20 18:30:00", 24)],
            ),
            // Midnight is skipped, or occurs twice.
            (
                "2018-11-03 03:00:00",
                "2018-11-05 01:59:59",
                "America/Sao_Paulo",
                vec![("2018-11-03 03:00:00", 24), ("2018-11-04 03:00:00", 23)],
            ),
            (
                "2018-02-17 02:00:00",
                "2018-02-19 02:59:59",
                "America/Sao_Paulo",
                vec![("2018-02-17 02:00:00", 25), ("2018-02-18 03:00:00", 24)],
            ),
            ("2026-04-04 11:00:00", "2026-04-05 11:59:59", "Pacific/Auckland", vec![("2026-04-04 11:00:00", 25)]),
            ("2026-11-19 18:10:00", "2026-11-19 18:50:00", "UTC", vec![]),
        ] {
            let days: Vec<_> = days.into_iter().map(|(at, hours)| (at.to_owned(), hours)).collect();
            assert_eq!(points(from, to, UsageStep::Day, zone), days, "{zone} {from}");
        }
    }

    #[test]
    fn months_follow_the_readers_zone_and_are_partial_at_both_ends() {
        for (from, to, zone, months) in [
            ("2028-02-01 00:00:00", "2028-03-01 00:00:00", "UTC", vec![("2028-02-01 00:00:00", 29 * 24)]),
            (
                "2026-10-31 18:30:00",
                "2026-12-02 18:29:59",
                "Asia/Kolkata",
                vec![("2026-10-31 18:30:00", 30 * 24), ("2026-11-30 18:30:00", 2 * 24)],
            ),
            (
                "2026-02-15 05:00:00",
                "2026-04-01 03:59:59",
                "America/New_York",
                vec![("2026-02-15 05:00:00", 14 * 24), ("2026-03-01 05:00:00", 31 * 24 - 1)],
            ),
            (
                "2026-08-31 12:00:00",
                "2026-09-30 10:59:59",
                "Pacific/Auckland",
                vec![("2026-08-31 12:00:00", 30 * 24 - 1)],
            ),
        ] {
            let months: Vec<_> = months.into_iter().map(|(at, hours)| (at.to_owned(), hours)).collect();
            assert_eq!(points(from, to, UsageStep::Month, zone), months, "{zone} {from}");
        }
    }

    #[test]
    fn points_and_parts_cover_every_hour_of_a_range_once() {
        for zone in [
            "UTC",
            "Asia/Shanghai",
            "America/New_York",
            "Asia/Kolkata",
            "Pacific/Auckland",
            "America/Sao_Paulo",
            "Europe/London",
        ] {
            for (from, to) in
                [("2018-01-31 13:30:00", "2019-01-31 12:29:59"), ("2026-01-01 00:00:00", "2027-01-01 00:00:00")]
            {
                let range = span(from, to);
                let Span { from, to } = range.whole_hours();
                for step in [UsageStep::Day, UsageStep::Month] {
                    let mut until = from;
                    let mut all = Parts::default();
                    for point in points_of(range, step, time_zone(zone).expect("a zone")) {
                        assert_eq!(point.hours.from, until, "{zone}");
                        until = point.hours.to;
                        all.add(Parts::covering(point.hours));
                    }
                    assert_eq!(until, to);
                    let mut all = all.merged();
                    let mut spans = all.hours.clone();
                    spans.append(&mut all.days);
                    spans.append(&mut all.months);
                    let all = Parts { hours: spans, ..Parts::default() }.merged();
                    assert_eq!(all.hours, [Span { from, to }], "{zone} {step:?}");
                }
            }
        }
    }

    #[test]
    fn a_year_is_made_of_months_and_remainders_at_its_ends() {
        let parts = Parts::covering(span("2025-11-22 19:00:00", "2026-11-22 19:00:00"));
        assert_eq!(parts.months, [span("2025-12-01 00:00:00", "2026-11-01 00:00:00")]);
        let days =
            [span("2025-11-23 00:00:00", "2025-12-01 00:00:00"), span("2026-11-01 00:00:00", "2026-11-22 00:00:00")];
        assert_eq!(parts.days, days);
        let hours =
            [span("2025-11-22 19:00:00", "2025-11-23 00:00:00"), span("2026-11-22 00:00:00", "2026-11-22 19:00:00")];
        assert_eq!(parts.hours, hours);
        assert_eq!(parts.without_months().merged().days, [span("2025-11-23 00:00:00", "2026-11-22 00:00:00")]);
        let short = span("2026-11-22 03:00:00", "2026-11-23 02:00:00");
        assert_eq!(Parts::covering(short), Parts { hours: vec![short], ..Parts::default() });
        assert_eq!(Parts::covering(span("2026-11-22 03:00:00", "2026-11-22 03:00:00")).merged(), Parts::default());
    }
}
