//! Charts of one and of twelve months, in alternation, of an account with two years of heavy usage.
use crate::client::Client;
use crate::report::{Bound, Report, median, median_ratio};
use crate::servers::Server;
use crate::shop::Customer;
use crate::traffic::fill::{RECORDS, ZONE, utc_of};
use anyhow::Context;
use chrono::{Datelike, Months, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use postern_core::time::to_wire;
use std::time::Instant;

const MOST_TIMES_A_MONTH: f64 = 2.0;
const TIMES: usize = 60;

/// Requests a range of whole days of the time zone; returns the milliseconds.
fn ask(client: &mut Client, dimension: &str, step: &str, days: (NaiveDate, NaiveDate)) -> anyhow::Result<f64> {
    let time = |day: NaiveDate| -> anyhow::Result<NaiveDateTime> { utc_of(day.and_hms_opt(0, 0, 0).context("a day")?) };
    let (start, end) = (to_wire(time(days.0)?), to_wire(time(days.1 + TimeDelta::days(1))? - TimeDelta::seconds(1)));
    let body = format!(
        r#"{{"Kind":"residential","Dimension":"{dimension}","Step":"{step}","StartTime":"{start}","EndTime":"{end}","TimeZone":"{ZONE}"}}"#
    );
    let begin = Instant::now();
    let answer = client.post("/api/Usage/GetUsage", &body, "")?;
    let took = begin.elapsed().as_secs_f64() * 1_000.0;
    let answer: serde_json::Value = serde_json::from_slice(answer)?;
    let bytes = answer["Data"]["TotalBytes"].as_i64().with_context(|| format!("{answer}"))?;
    anyhow::ensure!(bytes > 0, "nothing was used: {answer}");
    Ok(took)
}

pub fn measure(server: &Server, reader: &Customer, report: &mut Report) -> anyhow::Result<()> {
    let mut client = Client::new(server.address, &format!("Token: {}\r\n", reader.token))?;
    let today = Utc::now().date_naive() - TimeDelta::days(1);
    let first_of_year = today.with_day(1).context("a day")? - Months::new(11);
    let month = (today - TimeDelta::days(29), today);
    report.note("charts", &format!("of {RECORDS} records of one account, in the zone {ZONE}"));
    for dimension in ["all", "user", "country", "target"] {
        let mut times = [const { Vec::new() }; 4];
        for round in 0..=TIMES {
            let found = [
                ask(&mut client, dimension, "day", month)?,
                ask(&mut client, dimension, "month", (first_of_year, today))?,
                ask(&mut client, dimension, "month", (today - TimeDelta::days(364), today))?,
                ask(&mut client, dimension, "day", (today - TimeDelta::days(364), today))?,
            ];
            // The first round is a warm-up.
            if round > 0 {
                times.iter_mut().zip(found).for_each(|(times, time)| times.push(time));
            }
        }
        let [one, calendar, any, by_day] = times;
        let numbers = |of: &[f64]| {
            let ratio = median_ratio(of, &one);
            (ratio, format!("{:.2} of {:.2} ms for one month = {ratio:.2}", median(of.to_vec()), median(one.clone())))
        };
        for (name, of) in [("12 months of the calendar", &calendar), ("12 months from any day", &any)] {
            let (ratio, text) = numbers(of);
            report.line(&format!("{name}, {dimension}"), &text, ratio, &Bound::AtMost(MOST_TIMES_A_MONTH));
        }
        report.note(&format!("12 months by day, {dimension}"), &numbers(&by_day).1);
    }
    Ok(())
}
