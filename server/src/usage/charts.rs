//! Charts: points, and splits by name. Each range is composed of as few sums as possible: whole months and days in UTC, and hours at both ends. So a
//! year costs no more than a month, and is exact.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{usage_days, usage_hours, usage_months};
use crate::usage::request::ChartRequest;
use crate::usage::splits::{all_bytes, by_name, split};
use crate::usage::sums::Amount;
use crate::usage::types::{Usage, UsagePoint};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::time::to_wire;
use postern_core::usage::UsageDimension;
use postern_core::usage_chart::{Parts, Point, Span, points_of};
use std::collections::BTreeMap;

type AmountByTime = BTreeMap<NaiveDateTime, Amount>;

/// The sums by hour, day and month of these parts; times without usage are absent.
#[derive(Default)]
struct Read {
    hours: AmountByTime,
    days: AmountByTime,
    months: AmountByTime,
}

impl Read {
    fn parts(conn: &mut Conn, account_id: i64, request: &ChartRequest, parts: Parts) -> Result<Read, AppError> {
        let parts = parts.merged();
        let mut read = Read::default();
        macro_rules! read {
            ($table:ident, $is_wanted:expr, $sums:expr) => {{
                let columns = ($table::starts_at, $table::upload_bytes, $table::download_bytes, $table::requests);
                let own = $table::table.filter($table::account_id.eq(account_id));
                let own = own.filter($table::kind.eq(request.kind)).filter($is_wanted);
                let rows: Vec<(NaiveDateTime, i64, i64, i64)> = match &request.user {
                    // Written as in the condition of the partial index.
                    Some(user) => {
                        let of_user = own.filter(sql::<Bool>("dimension = 'user'")).filter($table::name.eq(user));
                        of_user.select(columns).load(conn)?
                    }
                    None => own.filter($table::dimension.eq(UsageDimension::All)).select(columns).load(conn)?,
                };
                $sums.extend(rows.into_iter().map(|(at, upload_bytes, download_bytes, requests)| {
                    (at, Amount { upload_bytes, download_bytes, requests })
                }));
            }};
            ($table:ident, $spans:expr, $unit:expr, $sums:expr) => {
                match Wanted::of($spans, $unit, conn) {
                    Wanted::Within(spans) => {
                        for Span { from, to } in spans {
                            read!($table, $table::starts_at.ge(from).and($table::starts_at.lt(to)), $sums)
                        }
                    }
                    Wanted::These(starts) => read!($table, $table::starts_at.eq_any(starts), $sums),
                }
            };
        }
        read!(usage_hours, parts.hours, TimeDelta::hours(1), read.hours);
        read!(usage_days, parts.days, TimeDelta::days(1), read.days);
        // Of months there are few: those between the wanted ones are read, too.
        if let (Some(first), Some(last)) = (parts.months.first(), parts.months.last()) {
            let is_within = usage_months::starts_at.ge(first.from).and(usage_months::starts_at.lt(last.to));
            read!(usage_months, is_within, read.months);
        }
        Ok(read)
    }

    fn amount_of(&self, parts: &Parts) -> Amount {
        let mut amount = Amount::default();
        let all = [(&self.hours, &parts.hours), (&self.days, &parts.days), (&self.months, &parts.months)];
        for (sums, spans) in all {
            for span in spans {
                sums.range(span.from..span.to).for_each(|(_, more)| amount.add(*more));
            }
        }
        amount
    }
}

/// How to read the sums of several ranges.
enum Wanted {
    /// All within each of these, with a statement for each.
    Within(Vec<Span>),
    /// Those that start at these times, with one statement.
    These(Vec<NaiveDateTime>),
}

impl Wanted {
    /// For sorted ranges, made of units of this length.
    fn of(spans: Vec<Span>, unit: TimeDelta, conn: &Conn) -> Wanted {
        let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return Wanted::Within(Vec::new()) };
        let all = Span { from: first.from, to: last.to };
        let wanted: TimeDelta = spans.iter().map(|span| span.to - span.from).sum();
        if wanted * 2 >= all.to - all.from {
            return Wanted::Within(vec![all]);
        }
        // SQLite runs in this process: a statement for each range costs less than a lookup of each hour.
        if let Conn::Sqlite(_) = conn {
            return Wanted::Within(spans);
        }
        let starts_of = |span: &Span| {
            let to = span.to;
            std::iter::successors(Some(span.from), move |at| Some(*at + unit).filter(|next| *next < to))
        };
        Wanted::These(spans.iter().flat_map(starts_of).collect())
    }
}

fn points(conn: &mut Conn, account_id: i64, request: &ChartRequest) -> Result<Vec<(Point, Amount)>, AppError> {
    let points = points_of(request.range, request.step, request.zone);
    let parts: Vec<Parts> = points.iter().map(|point| request.parts_of(point.hours)).collect();
    let mut all = Parts::default();
    parts.iter().cloned().for_each(|parts| all.add(parts));
    let read = Read::parts(conn, account_id, request, all)?;
    Ok(points.into_iter().zip(&parts).map(|(point, parts)| (point, read.amount_of(parts))).collect())
}

pub fn usage(conn: &mut Conn, account_id: i64, request: &ChartRequest) -> Result<Usage, AppError> {
    let points = points(conn, account_id, request)?;
    let mut total = Amount::default();
    points.iter().for_each(|(_, amount)| total.add(*amount));
    let hours = request.range.whole_hours();
    let whole = if request.user.is_some() { UsageDimension::User } else { UsageDimension::All };
    let previous = all_bytes(&by_name(conn, account_id, request, whole, hours.before())?);
    let split = match request.dimension {
        UsageDimension::All => None,
        dimension => {
            let now = by_name(conn, account_id, request, dimension, hours)?;
            let before = by_name(conn, account_id, request, dimension, hours.before())?;
            Some(split(conn, account_id, dimension, now, before)?)
        }
    };
    let point = |(point, amount): (Point, Amount)| UsagePoint {
        starts_at: to_wire(point.starts_at),
        upload_bytes: amount.upload_bytes,
        download_bytes: amount.download_bytes,
        requests: amount.requests,
    };
    Ok(Usage {
        points: points.into_iter().map(point).collect(),
        total_bytes: total.bytes(),
        requests: total.requests,
        previous_bytes: previous,
        split,
    })
}
