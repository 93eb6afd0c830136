//! The welcome screens: when an account's proxies expire, and the first steps of a new account.
use crate::constants::ENDS_SOON_DAYS;
use crate::time::midnight;
use crate::wire_enum::wire_enum;
use chrono::{Days, NaiveDate, NaiveDateTime, TimeDelta, TimeZone};
use chrono_tz::Tz;

/// The number of days for which the welcome screen shows expiring proxies.
pub const COMING_DAYS: u32 = 30;

wire_enum! {
    /// A first step of a new customer, in display order.
    FirstStep {
        /// Money in the wallet, or a paid order.
        TopUp = "top_up",
        /// A paid order of proxies or traffic.
        Buy = "buy",
        /// A whitelist entry, custom credentials, or a proxy user.
        Connect = "connect",
        /// Name and address for invoices.
        Details = "details",
    }
}

/// An account's progress.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Progress {
    pub has_money: bool,
    pub has_bought: bool,
    pub has_access: bool,
    pub has_details: bool,
}

/// Whether an account has completed a step. A purchase implies that money was added.
pub fn is_done(step: FirstStep, progress: Progress) -> bool {
    match step {
        FirstStep::TopUp => progress.has_money || progress.has_bought,
        FirstStep::Buy => progress.has_bought,
        FirstStep::Connect => progress.has_access,
        FirstStep::Details => progress.has_details,
    }
}

/// Proxies that expire at the same time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ending {
    /// UTC.
    pub at: NaiveDateTime,
    pub count: u32,
    /// The number of them that renew automatically.
    pub renewing: u32,
}

/// A day in the reader's calendar, and the proxies that expire on it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EndingDay {
    /// Its start, in UTC.
    pub starts_at: NaiveDateTime,
    pub count: u32,
    pub renewing: u32,
}

/// The time before which proxies count as expiring soon.
pub fn soon(now: NaiveDateTime) -> Option<NaiveDateTime> {
    now.checked_add_signed(TimeDelta::days(i64::from(ENDS_SOON_DAYS)))
}

/// The range, in UTC, of the coming days in a zone's calendar: from now to the end of the last day.
pub fn coming(now: NaiveDateTime, zone: Tz) -> Option<(NaiveDateTime, NaiveDateTime)> {
    let last = today(now, zone).checked_add_days(Days::new(u64::from(COMING_DAYS)))?;
    Some((now, midnight(last, zone)?))
}

/// What expires on each of the coming days in a zone's calendar, today first. Days without any have 0; what expires after the last day is
/// omitted.
pub fn ending_days(endings: &[Ending], now: NaiveDateTime, zone: Tz) -> Vec<EndingDay> {
    let first = today(now, zone);
    let mut days: Vec<EndingDay> = (0..COMING_DAYS)
        .filter_map(|later| first.checked_add_days(Days::new(u64::from(later))))
        .filter_map(|day| Some(EndingDay { starts_at: midnight(day, zone)?, count: 0, renewing: 0 }))
        .collect();
    for ending in endings {
        let day = today(ending.at, zone);
        let index = usize::try_from(day.signed_duration_since(first).num_days()).ok();
        if let Some(of_day) = index.and_then(|index| days.get_mut(index)) {
            of_day.count = of_day.count.saturating_add(ending.count);
            of_day.renewing = of_day.renewing.saturating_add(ending.renewing);
        }
    }
    days
}

fn today(now: NaiveDateTime, zone: Tz) -> NaiveDate {
    zone.from_utc_datetime(&now).date_naive()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{from_wire, time_zone, to_wire};

    fn at(text: &str) -> NaiveDateTime {
        from_wire(text).expect("a time")
    }

    fn zone(name: &str) -> Tz {
        time_zone(name).expect("a zone")
    }

    #[test]
    fn expiries_are_grouped_by_the_readers_day() {
        let now = at("2026-03-08 05:30:00");
        let endings = [
            Ending { at: at("2026-03-08 15:59:59"), count: 2, renewing: 1 },
            Ending { at: at("2026-03-08 16:00:00"), count: 3, renewing: 0 },
            Ending { at: at("2026-04-06 15:59:59"), count: 4, renewing: 4 },
            Ending { at: at("2026-04-06 16:00:00"), count: 9, renewing: 0 },
            Ending { at: at("2026-03-07 15:59:59"), count: 9, renewing: 0 },
        ];
        let told = |zone_name: &str| {
            let days = ending_days(&endings, now, zone(zone_name));
            assert_eq!(days.len(), 30);
            days.into_iter()
                .filter(|day| day.count > 0)
                .map(|day| format!("{} {} {}", to_wire(day.starts_at), day.count, day.renewing))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            told("Asia/Shanghai"),
            ["2026-03-07 16:00:00 2 1", "2026-03-08 16:00:00 3 0", "2026-04-05 16:00:00 4 4"]
        );
        assert_eq!(told("UTC"), ["2026-03-08 00:00:00 5 1", "2026-04-06 00:00:00 13 4"]);
        // It is still the day before here, and the clock changes during the night.
        assert_eq!(told("America/Los_Angeles"), ["2026-03-07 08:00:00 9 0", "2026-03-08 08:00:00 5 1"]);
    }

    #[test]
    fn the_coming_days_end_with_the_last_of_them() {
        let now = at("2026-03-08 05:30:00");
        assert_eq!(coming(now, zone("Asia/Shanghai")), Some((now, at("2026-04-06 16:00:00"))));
        assert_eq!(soon(now), Some(at("2026-03-15 05:30:00")));
        assert_eq!(soon(NaiveDateTime::MAX), None);
    }

    #[test]
    fn a_purchase_implies_a_top_up() {
        let done = |progress| FirstStep::ALL.iter().map(|step| is_done(*step, progress)).collect::<Vec<_>>();
        assert_eq!(done(Progress::default()), [false; 4]);
        assert_eq!(done(Progress { has_bought: true, ..Progress::default() }), [true, true, false, false]);
        let rest = Progress { has_money: true, has_access: true, has_details: true, has_bought: false };
        assert_eq!(done(rest), [true, false, true, true]);
    }
}
