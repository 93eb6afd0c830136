//! Days as ranges, in every zone from 1985 to 2037, compared with another implementation of the time zone database (`days.txt`).
use chrono::{Datelike, Days, NaiveDate, Offset, TimeDelta, TimeZone};
use chrono_tz::{TZ_VARIANTS, Tz};
use postern_core::time::{RangeEnd, from_wire, midnight, range_end_to_utc, time_zone, to_wire};
use std::collections::HashSet;

/// Zones, a day, and its first instant in UTC.
fn unusual_days() -> Vec<(Vec<Tz>, NaiveDate, &'static str)> {
    let mut zones = Vec::new();
    let mut days = Vec::new();
    for line in include_str!("days.txt").lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("  ").and_then(|row| row.split_once('\t')) {
            Some((day, first)) => days.push((Vec::clone(&zones), day.parse().expect("a day"), first)),
            None => zones = line.split(' ').filter_map(time_zone).collect(),
        }
    }
    days
}

#[test]
fn a_day_begins_at_its_first_instant_and_ends_a_second_before_the_next_one() {
    let days = unusual_days();
    assert!(days.len() > 2_000);
    for (zones, day, first) in days {
        for zone in zones {
            let range = |day: NaiveDate, end| range_end_to_utc(&day.to_string(), zone, end);
            assert_eq!(range(day, RangeEnd::From).as_deref(), Some(first), "{zone} {day}");
            let last = from_wire(first).expect("a time") - TimeDelta::seconds(1);
            assert_eq!(range(day - Days::new(1), RangeEnd::To), Some(to_wire(last)), "the day before {zone} {day}");
        }
    }
}

#[test]
fn all_other_days_begin_at_midnight() {
    let unusual: HashSet<(Tz, NaiveDate)> =
        unusual_days().into_iter().flat_map(|(zones, day, _)| zones.into_iter().map(move |zone| (zone, day))).collect();
    let first = NaiveDate::from_ymd_opt(1985, 1, 1).expect("a day");
    for zone in TZ_VARIANTS {
        for day in first.iter_days().step_by(3).take_while(|day| day.year() <= 2037) {
            if !unusual.contains(&(zone, day)) {
                let begins = midnight(day, zone).expect("an instant");
                let offset = zone.offset_from_utc_datetime(&begins).fix();
                assert_eq!(Some(begins + offset), day.and_hms_opt(0, 0, 0), "{zone} {day}");
            }
        }
    }
}
