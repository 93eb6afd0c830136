//! Charts: points from the sums by hour, splits from the sums by day and, at both ends of the range, by hour.
use crate::db::Conn;
use crate::error::AppError;
use crate::schema::{nodes, proxy_users, usage_days, usage_hours};
use crate::usage::sums::Amount;
use crate::usage::types::{Usage, UsagePart, UsagePoint, UsageRequest, UsageStep};
use chrono::{NaiveDateTime, TimeDelta};
use chrono_tz::Tz;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use postern_core::field_errors::FieldErrors;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::rule::Rule;
use postern_core::time::{from_wire, midnight, time_zone, to_wire};
use postern_core::usage::{MAX_CHART_DAYS, MAX_HOURLY_CHART_DAYS, UsageDimension, day_of, hour_of};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Parts of a split that are told by name.
const PARTS: usize = 50;

/// A request that can be answered.
pub struct Asked {
    kind: ProxyServerKind,
    dimension: UsageDimension,
    step: UsageStep,
    /// Whole hours; the end is exclusive.
    from: NaiveDateTime,
    to: NaiveDateTime,
    zone: Tz,
    /// The name of one proxy user in the sums.
    user: Option<String>,
}

/// Checks a request.
pub fn ask(request: &UsageRequest) -> Result<Asked, AppError> {
    let mut errors = FieldErrors::default();
    let mut time = |field: &str, text: &str| {
        let time = from_wire(text.trim());
        if time.is_none() {
            errors.add(field, Rule::Time, &[]);
        }
        time.unwrap_or_default()
    };
    let (from, to) = (time("StartTime", &request.start_time), time("EndTime", &request.end_time));
    let zone = time_zone(&request.time_zone);
    if zone.is_none() {
        errors.add("TimeZone", Rule::Malformed, &[("Detail", "an IANA time zone".to_owned())]);
    }
    if errors.is_empty() && to <= from {
        errors.add("EndTime", Rule::EndsBeforeItBegins, &[]);
    }
    let days = if request.step == UsageStep::Hour { MAX_HOURLY_CHART_DAYS } else { MAX_CHART_DAYS };
    if errors.is_empty() && to - from > TimeDelta::days(days) + TimeDelta::hours(2) {
        errors.add("EndTime", Rule::TooLongRange, &[("Max", days.to_string())]);
    }
    let is_of_user = matches!(request.dimension, UsageDimension::All | UsageDimension::User);
    if request.proxy_user_id.is_some() && !is_of_user {
        let detail = "of one proxy user there are `all` and `user` only".to_owned();
        errors.add("Dimension", Rule::Malformed, &[("Detail", detail)]);
    }
    let hour = TimeDelta::hours(1);
    Ok(errors.into_result(Asked {
        kind: request.kind,
        dimension: request.dimension,
        step: request.step,
        from: hour_of(from),
        to: if hour_of(to) == to { to } else { hour_of(to) + hour },
        zone: zone.unwrap_or(Tz::UTC),
        user: request.proxy_user_id.map(|id| id.to_string()),
    })?)
}

type Row = (NaiveDateTime, i64, i64, i64);

fn amount(upload_bytes: i64, download_bytes: i64, requests: i64) -> Amount {
    Amount { upload_bytes, download_bytes, requests }
}

/// The hours of the range in which there is anything.
fn hours(conn: &mut Conn, account_id: i64, asked: &Asked) -> Result<BTreeMap<NaiveDateTime, Amount>, AppError> {
    let columns =
        (usage_hours::starts_at, usage_hours::upload_bytes, usage_hours::download_bytes, usage_hours::requests);
    let own = usage_hours::table.filter(usage_hours::account_id.eq(account_id));
    let own = own.filter(usage_hours::kind.eq(asked.kind));
    let own = own.filter(usage_hours::starts_at.ge(asked.from)).filter(usage_hours::starts_at.lt(asked.to));
    let rows: Vec<Row> = match &asked.user {
        // Written out, as in the index that has only these.
        Some(user) => {
            let of_user = own.filter(sql::<Bool>("dimension = 'user'")).filter(usage_hours::name.eq(user));
            of_user.select(columns).load(conn)?
        }
        None => own.filter(usage_hours::dimension.eq(UsageDimension::All)).select(columns).load(conn)?,
    };
    Ok(rows.into_iter().map(|(at, upload, download, requests)| (at, amount(upload, download, requests))).collect())
}

/// The points of the chart. An hour counts for the day in which it begins, as zones of half hours need.
fn points(hours: &BTreeMap<NaiveDateTime, Amount>, asked: &Asked) -> Vec<UsagePoint> {
    let mut points: BTreeMap<NaiveDateTime, Amount> = BTreeMap::new();
    let mut at = asked.from;
    let mut day = (chrono::NaiveDate::MIN, at);
    while at < asked.to {
        let starts_at = match asked.step {
            UsageStep::Hour => at,
            UsageStep::Day => {
                let date = at.and_utc().with_timezone(&asked.zone).date_naive();
                if day.0 != date {
                    day = (date, midnight(date, asked.zone).unwrap_or(at).max(asked.from));
                }
                day.1
            }
        };
        points.entry(starts_at).or_default().add(hours.get(&at).copied().unwrap_or_default());
        at += TimeDelta::hours(1);
    }
    let point = |(starts_at, amount): (NaiveDateTime, Amount)| UsagePoint {
        starts_at: to_wire(starts_at),
        upload_bytes: amount.upload_bytes,
        download_bytes: amount.download_bytes,
        requests: amount.requests,
    };
    points.into_iter().map(point).collect()
}

/// Bytes and requests by name over a range of whole hours: whole days in UTC from the days, and what is left at both ends from the
/// hours. So a year reads no hours of its middle, and is exact.
fn by_name(
    conn: &mut Conn,
    account_id: i64,
    asked: &Asked,
    dimension: UsageDimension,
    (from, to): (NaiveDateTime, NaiveDateTime),
) -> Result<HashMap<String, (i64, i64)>, AppError> {
    let first = if day_of(from) == from { from } else { day_of(from) + TimeDelta::days(1) };
    let last = day_of(to);
    let mut sums: HashMap<String, (i64, i64)> = HashMap::new();
    macro_rules! add {
        ($table:ident, $from:expr, $to:expr) => {
            if $from < $to {
                let own = $table::table
                    .filter($table::account_id.eq(account_id))
                    .filter($table::kind.eq(asked.kind))
                    .filter($table::dimension.eq(dimension))
                    .filter($table::starts_at.ge($from))
                    .filter($table::starts_at.lt($to));
                let mut own = own
                    .group_by($table::name)
                    .select((
                        $table::name,
                        sql::<BigInt>("CAST(sum(upload_bytes + download_bytes) AS BIGINT)"),
                        sql::<BigInt>("CAST(sum(requests) AS BIGINT)"),
                    ))
                    .into_boxed();
                if let Some(user) = asked.user.as_ref().filter(|_| dimension == UsageDimension::User) {
                    own = own.filter($table::name.eq(user));
                }
                for (name, bytes, requests) in own.load::<(String, i64, i64)>(conn)? {
                    let sum = sums.entry(name).or_default();
                    *sum = (sum.0 + bytes, sum.1 + requests);
                }
            }
        };
    }
    if first <= last {
        add!(usage_hours, from, first);
        add!(usage_days, first, last);
        add!(usage_hours, last, to);
    } else {
        add!(usage_hours, from, to);
    }
    Ok(sums)
}

pub fn usage(conn: &mut Conn, account_id: i64, asked: &Asked) -> Result<Usage, AppError> {
    let hours = hours(conn, account_id, asked)?;
    let points = points(&hours, asked);
    let mut total = Amount::default();
    hours.values().for_each(|amount| total.add(*amount));
    let before = (asked.from - (asked.to - asked.from), asked.from);
    let whole = if asked.user.is_some() { UsageDimension::User } else { UsageDimension::All };
    let previous: i64 = by_name(conn, account_id, asked, whole, before)?.values().map(|sum| sum.0).sum();
    let split = match asked.dimension {
        UsageDimension::All => None,
        dimension => {
            let now = by_name(conn, account_id, asked, dimension, (asked.from, asked.to))?;
            let before = by_name(conn, account_id, asked, dimension, before)?;
            Some(split(conn, account_id, dimension, now, before)?)
        }
    };
    Ok(Usage { points, total_bytes: total.bytes(), requests: total.requests, previous_bytes: previous, split })
}

fn split(
    conn: &mut Conn,
    account_id: i64,
    dimension: UsageDimension,
    now: HashMap<String, (i64, i64)>,
    mut before: HashMap<String, (i64, i64)>,
) -> Result<Vec<UsagePart>, AppError> {
    let mut named: Vec<(String, (i64, i64))> = now.into_iter().collect();
    named.sort_by(|(one, (bytes, _)), (other, (more, _))| (Reverse(bytes), one).cmp(&(Reverse(more), other)));
    let mut rest = UsagePart::default();
    let mut parts: Vec<UsagePart> = Vec::new();
    for (name, (bytes, requests)) in named {
        if name.is_empty() || parts.len() == PARTS {
            rest.bytes += bytes;
            rest.requests += requests;
        } else {
            let previous_bytes = before.remove(&name).unwrap_or_default().0;
            parts.push(UsagePart { name, label: None, bytes, requests, previous_bytes });
        }
    }
    rest.previous_bytes = before.values().map(|sum| sum.0).sum();
    label(conn, account_id, dimension, &mut parts)?;
    if rest.bytes > 0 || rest.requests > 0 || rest.previous_bytes > 0 {
        parts.push(rest);
    }
    Ok(parts)
}

/// Names those that still are, and are the account's.
fn label(conn: &mut Conn, account_id: i64, dimension: UsageDimension, parts: &mut [UsagePart]) -> Result<(), AppError> {
    let ids: Vec<i64> = parts.iter().filter_map(|part| part.name.parse().ok()).collect();
    let labels: Vec<(i64, String)> = match dimension {
        UsageDimension::User => {
            let these = proxy_users::table.filter(proxy_users::id.eq_any(ids));
            let own = these.filter(proxy_users::account_id.eq(account_id));
            own.select((proxy_users::id, proxy_users::name)).load(conn)?
        }
        UsageDimension::Node => {
            let these = nodes::table.filter(nodes::id.eq_any(ids)).filter(nodes::account_id.eq(account_id));
            these.select((nodes::id, nodes::ip)).load(conn)?
        }
        _ => Vec::new(),
    };
    let mut labels: HashMap<String, String> = labels.into_iter().map(|(id, text)| (id.to_string(), text)).collect();
    for part in parts {
        part.label = labels.remove(&part.name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(start: &str, end: &str, step: UsageStep, zone: &str) -> UsageRequest {
        UsageRequest {
            start_time: start.to_owned(),
            end_time: end.to_owned(),
            time_zone: zone.to_owned(),
            step,
            ..UsageRequest::default()
        }
    }

    #[test]
    fn days_are_those_of_the_readers_zone_also_when_the_clock_changes() {
        for (start, end, zone, days) in [
            (
                "2026-11-20 00:00:00",
                "2026-11-22 00:00:00",
                "UTC",
                vec![("2026-11-20 00:00:00", 24), ("2026-11-21 00:00:00", 24)],
            ),
            (
                "2026-11-19 16:00:00",
                "2026-11-20 17:00:00",
                "Asia/Shanghai",
                vec![("2026-11-19 16:00:00", 24), ("2026-11-20 16:00:00", 1)],
            ),
            (
                "2026-11-01 04:00:00",
                "2026-11-02 06:00:00",
                "America/New_York",
                vec![("2026-11-01 04:00:00", 25), ("2026-11-02 05:00:00", 1)],
            ),
            (
                "2026-11-19 18:30:00",
                "2026-11-20 18:30:00",
                "Asia/Kolkata",
                vec![("2026-11-19 18:00:00", 1), ("2026-11-19 18:30:00", 24)],
            ),
        ] {
            let asked = ask(&request(start, end, UsageStep::Day, zone)).expect("a range");
            let every = |hours: i64| (asked.from + TimeDelta::hours(hours), amount(1, 0, 1));
            let hours: BTreeMap<_, _> = (0..(asked.to - asked.from).num_hours()).map(every).collect();
            let found = points(&hours, &asked);
            let found: Vec<_> = found.iter().map(|point| (point.starts_at.as_str(), point.requests)).collect();
            assert_eq!(found, days, "{zone}");
        }
    }

    #[test]
    fn a_range_that_is_none_or_too_long_is_refused() {
        for (start, end, step, is_kept) in [
            ("2026-01-01 00:00:00", "2027-01-01 00:00:00", UsageStep::Day, true),
            ("2025-01-01 00:00:00", "2027-01-01 00:00:00", UsageStep::Day, false),
            ("2026-01-01 00:00:00", "2026-02-01 00:00:00", UsageStep::Hour, true),
            ("2026-01-01 00:00:00", "2026-02-03 00:00:00", UsageStep::Hour, false),
            ("2026-01-01 00:00:00", "2026-01-01 00:00:00", UsageStep::Day, false),
            ("", "2026-01-01 00:00:00", UsageStep::Day, false),
        ] {
            assert_eq!(ask(&request(start, end, step, "UTC")).is_ok(), is_kept, "{start} {end}");
        }
        assert!(ask(&request("2026-01-01 00:00:00", "2026-01-02 00:00:00", UsageStep::Day, "Mars/Base")).is_err());
    }
}
