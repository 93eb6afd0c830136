//! The job that aggregates usage reports: takes their bytes from batches, counts them for proxy users, and adds them to the charts. One transaction
//! per round, so that every report counts once, even after a crash.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::proxy_users::lifecycle::{self, Locked, zone_of};
use crate::schema::usage_reports;
use crate::state::App;
use crate::traffic_batches::{
    add_overdraft, batches_since, lock_account, record_access_change, record_left_bytes, use_bytes,
};
use crate::usage::buckets;
use crate::usage::sums::UsageSums;
use chrono::{NaiveDateTime, TimeDelta};
use chrono_tz::Tz;
use diesel::sql_query;
use diesel::sql_types::Bool;
use postern_core::event::EventKind;
use postern_core::proxy_user::ProxyUserState;
use postern_core::traffic::{left_now, take_bytes};
use postern_core::usage::RECORDS_KEPT_DAYS;
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

/// Reports per transaction.
const REPORTS: i64 = 100;

/// Reports in memory at once: one with 1,000 records is a text of about 60 KB.
const REPORTS_AT_A_TIME: usize = 10;

/// A longer round is followed by a pause of three times its length, up to `LONGEST_REST`: larger rounds write fewer rows, and leave the database to
/// incoming reports meanwhile.
const SHORT_ROUND: Duration = Duration::from_millis(100);
const LONGEST_REST: Duration = Duration::from_secs(2);

/// Proxy users locked per statement.
const CHUNK: usize = 500;

/// The key of the advisory lock under which one process aggregates at a time.
const LOCK: i64 = 0x7573_6167_6500;

/// Aggregates all stored reports.
pub async fn aggregate(app: &App) -> Result<(), AppError> {
    loop {
        // Of each round: caches look for changes of the last minute only, and many reports take longer.
        let now = app.clock.now();
        if app.db.write(move |conn| aggregate_some(conn, now)).await? < REPORTS as usize {
            return Ok(());
        }
    }
}

/// The same, followed by a pause if it took long.
pub async fn aggregate_as_load_allows(app: &App) -> Result<(), AppError> {
    let began = Instant::now();
    aggregate(app).await?;
    let took = began.elapsed();
    if took > SHORT_ROUND {
        tokio::time::sleep((took * 3).min(LONGEST_REST)).await;
    }
    Ok(())
}

fn aggregate_some(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    if !has_turn(conn)? {
        return Ok(0);
    }
    let reports = usage_reports::table.order(usage_reports::id).limit(REPORTS);
    let ids: Vec<i64> = reports.select(usage_reports::id).load(conn)?;
    if ids.is_empty() {
        return Ok(0);
    }
    let mut sums = UsageSums::default();
    for ids in ids.chunks(REPORTS_AT_A_TIME) {
        let reports = usage_reports::table.filter(usage_reports::id.eq_any(ids)).select(usage_reports::sums);
        for text in reports.load::<String>(conn)? {
            sums.read(&text)?;
        }
    }
    charge(conn, &sums, now)?;
    count(conn, &sums, now)?;
    buckets::add(conn, &sums)?;
    diesel::delete(usage_reports::table.filter(usage_reports::id.eq_any(&ids))).execute(conn)?;
    Ok(ids.len())
}

#[derive(QueryableByName)]
struct Turn {
    #[diesel(sql_type = Bool)]
    is_ours: bool,
}

/// Whether no other process is aggregating. On SQLite a write transaction locks the whole database.
fn has_turn(conn: &mut Conn) -> Result<bool, AppError> {
    let Conn::Postgres(conn) = conn else { return Ok(true) };
    let turn: Turn = sql_query(format!("SELECT pg_try_advisory_xact_lock({LOCK}) AS is_ours")).get_result(conn)?;
    Ok(turn.is_ours)
}

/// Takes bytes from the batches of their accounts: each from those valid at its second.
fn charge(conn: &mut Conn, sums: &UsageSums, now: NaiveDateTime) -> Result<(), AppError> {
    for (&account_id, used) in &sums.charged {
        lock_account(conn, account_id)?;
        // Records are never older than this, however late they are aggregated.
        let mut batches = batches_since(conn, account_id, now - TimeDelta::days(RECORDS_KEPT_DAYS))?;
        let mut taken: BTreeMap<i64, u64> = BTreeMap::new();
        let mut overdraft = 0_u64;
        for (&at, &bytes) in used {
            let part = take_bytes(&batches, bytes, at);
            overdraft = overdraft.saturating_add(part.overdraft);
            for (batch_id, bytes) in part.from {
                *taken.entry(batch_id).or_default() += bytes;
                if let Some(batch) = batches.iter_mut().find(|batch| batch.id == batch_id) {
                    batch.left_bytes -= bytes;
                }
            }
        }
        // Caches of batches only need to know whether any bytes are left, not how many.
        if batches.iter().any(|batch| batch.left_bytes == 0) {
            record_access_change(conn, account_id, now)?;
        }
        for (batch_id, bytes) in taken {
            use_bytes(conn, batch_id, bytes)?;
        }
        if overdraft > 0 {
            add_overdraft(conn, account_id, overdraft)?;
        }
        record_left_bytes(conn, account_id, left_now(&batches, now), now)?;
    }
    Ok(())
}

/// Counts bytes for their proxy users, and exhausts those whose limit is used up.
fn count(conn: &mut Conn, sums: &UsageSums, now: NaiveDateTime) -> Result<(), AppError> {
    let ids: Vec<i64> = sums.counted.keys().copied().collect();
    let mut zones: HashMap<i64, Tz> = HashMap::new();
    for ids in ids.chunks(CHUNK) {
        let mut counted = Vec::new();
        for before in lifecycle::lock(conn, ids)? {
            let mut after: Locked = before.clone();
            // The time zone is only needed if a cycle has ended.
            if after.cycle_ends_at.is_some_and(|ends_at| ends_at <= now) {
                let zone = match zones.get(&after.account_id) {
                    Some(zone) => *zone,
                    None => *zones.entry(after.account_id).or_insert(zone_of(conn, after.account_id)?),
                };
                after.advance(zone, now);
            }
            let was = after.state;
            for (&at, &bytes) in sums.counted.get(&before.id).into_iter().flatten() {
                after.count(bytes, at);
            }
            if after.state == ProxyUserState::Exhausted && was != after.state {
                let data = json!({ "ProxyUserId": after.id, "Name": after.name, "LimitBytes": after.limit_bytes });
                events::record(conn, after.account_id, EventKind::ProxyUserLimitReached, &data, now)?;
            }
            counted.push((before, after));
        }
        lifecycle::write_counted(conn, counted, now)?;
    }
    Ok(())
}
