//! Retention of usage: records are kept in monthly partitions on PostgreSQL and deleted in chunks on SQLite; hourly sums are deleted as well.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{rejected_usage, usage_hours};
use crate::state::App;
use chrono::{Datelike, Months, NaiveDate, NaiveDateTime, TimeDelta};
use diesel::connection::SimpleConnection;
use diesel::sql_query;
use diesel::sql_types::{Text, Timestamp};
use postern_core::usage::{HOURS_KEPT_DAYS, LATE_DAYS};

/// Number of months for which partitions are created in advance.
const MONTHS_AHEAD: u32 = 2;

const PREFIX: &str = "usage_records_";

/// Rows deleted per transaction.
const CHUNK: usize = 5_000;

/// Lets one process change partitions at a time. Reports queue behind a change that waits for another transaction, such as a backup: it gives up soon,
/// and the job comes again.
const TURN: &str = "SET LOCAL lock_timeout = '2s'; SELECT pg_advisory_xact_lock(129138415854849)";

#[derive(QueryableByName)]
struct Partition {
    #[diesel(sql_type = Text)]
    name: String,
}

fn partitions(conn: &mut Conn) -> Result<Vec<String>, AppError> {
    let children = sql_query(
        "SELECT CAST(inhrelid AS regclass)::text AS name FROM pg_inherits \
         WHERE inhparent = CAST('usage_records' AS regclass)",
    );
    Ok(children.load::<Partition>(conn)?.into_iter().map(|partition| partition.name).collect())
}

/// The months of current and upcoming records.
fn months(now: NaiveDateTime) -> Vec<NaiveDate> {
    let first = (now - TimeDelta::days(LATE_DAYS)).date().with_day(1);
    let last = now.date().checked_add_months(Months::new(MONTHS_AHEAD));
    let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
    (0..).map_while(|ahead| first.checked_add_months(Months::new(ahead))).take_while(|month| *month <= last).collect()
}

/// Creates the partitions for these months. No-op on SQLite.
pub fn make_partitions(conn: &mut Conn, now: NaiveDateTime) -> Result<(), AppError> {
    if let Conn::Sqlite(_) = conn {
        return Ok(());
    }
    let name = |month: &NaiveDate| format!("{PREFIX}{}", month.format("%Y_%m"));
    let present = partitions(conn)?;
    if months(now).iter().all(|month| present.contains(&name(month))) {
        return Ok(());
    }
    conn.batch_execute(TURN)?;
    for month in months(now) {
        let Some(next) = month.checked_add_months(Months::new(1)) else { continue };
        conn.batch_execute(&format!(
            "CREATE TABLE IF NOT EXISTS {} PARTITION OF usage_records FOR VALUES FROM ('{month}') TO ('{next}')",
            name(&month)
        ))?;
    }
    Ok(())
}

/// Whether a record could not be stored because its month has no partition.
pub fn is_missing_partition(error: &AppError) -> bool {
    matches!(error, AppError::Database(error) if error.to_string().contains("no partition of relation"))
}

/// Drops the partitions whose records are all older than this.
fn drop_partitions(conn: &mut Conn, before: NaiveDateTime) -> Result<(), AppError> {
    let is_over = |name: &String| {
        let month = name.strip_prefix(PREFIX).map(|month| format!("{month}_01"));
        let month = month.and_then(|month| NaiveDate::parse_from_str(&month, "%Y_%m_%d").ok());
        let next = month.and_then(|month| month.checked_add_months(Months::new(1)));
        next.is_some_and(|next| next <= before.date())
    };
    let over: Vec<String> = partitions(conn)?.into_iter().filter(is_over).collect();
    if !over.is_empty() {
        conn.batch_execute(TURN)?;
    }
    for name in over {
        conn.batch_execute(&format!("DROP TABLE IF EXISTS {name}"))?;
        tracing::info!(name, "dropped the usage records of a month");
    }
    Ok(())
}

/// Deletes a chunk of records older than this; returns how many.
fn delete_records(conn: &mut Conn, before: NaiveDateTime) -> Result<usize, AppError> {
    let old = sql_query(format!(
        "DELETE FROM usage_records WHERE (server_id, record_id, used_at) IN \
         (SELECT server_id, record_id, used_at FROM usage_records WHERE used_at < ? ORDER BY used_at LIMIT {CHUNK})"
    ));
    Ok(old.bind::<Timestamp, _>(before).execute(conn)?)
}

/// Deletes the sums of the oldest hour, if it is older than this; returns whether there were any.
fn delete_hours(conn: &mut Conn, before: NaiveDateTime) -> Result<bool, AppError> {
    let oldest = usage_hours::table.filter(usage_hours::starts_at.lt(before)).order(usage_hours::starts_at);
    let oldest: Option<NaiveDateTime> = oldest.select(usage_hours::starts_at).first(conn).optional()?;
    let Some(oldest) = oldest else { return Ok(false) };
    diesel::delete(usage_hours::table.filter(usage_hours::starts_at.eq(oldest))).execute(conn)?;
    Ok(true)
}

/// Creates upcoming partitions, and deletes usage past its retention.
pub async fn keep(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let before = now - TimeDelta::days(i64::from(app.config.usage_days));
    app.db.write(move |conn| make_partitions(conn, now)).await?;
    match app.db.queue.is_some() {
        true => while app.db.write(move |conn| delete_records(conn, before)).await? == CHUNK {},
        false => app.db.write(move |conn| drop_partitions(conn, before)).await?,
    }
    let hours = now - TimeDelta::days(HOURS_KEPT_DAYS);
    while app.db.write(move |conn| delete_hours(conn, hours)).await? {}
    let forgotten = rejected_usage::table.filter(rejected_usage::received_at.lt(before));
    app.db.write(move |conn| Ok(diesel::delete(forgotten).execute(conn)?)).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::time::from_wire;

    #[test]
    fn every_month_in_which_a_record_may_be_has_a_partition_before_it_begins() {
        for (now, first, count) in [
            ("2026-11-22 12:00:00", "2026-10-01", 4),
            ("2026-03-01 00:00:00", "2026-01-01", 5),
            ("2026-12-31 23:59:59", "2026-11-01", 4),
        ] {
            let months = months(from_wire(now).expect("a time"));
            assert_eq!((months[0].to_string().as_str(), months.len()), (first, count), "{now}");
        }
    }
}
