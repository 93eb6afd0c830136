//! The job that adds reports up: takes their bytes from batches, counts them for proxy users, and adds them to the charts. One
//! transaction per round, so that a report is added up once, whenever it breaks off.
use crate::db::Conn;
use crate::error::AppError;
use crate::proxy_users::lifecycle::{self, Locked, zone_of};
use crate::schema::usage_reports;
use crate::state::App;
use crate::traffic::batches::{add_overdraft, batches_of, lock_account, note_change, note_left, use_bytes};
use crate::usage::buckets;
use crate::usage::sums::{Amount, Owner, Place, Sums};
use chrono::NaiveDateTime;
use chrono_tz::Tz;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Bool;
use postern_core::traffic::{left_now, take_bytes};
use std::collections::{BTreeMap, HashMap};

/// Reports added up per transaction.
const REPORTS: i64 = 50;

/// Proxy users locked per statement.
const CHUNK: usize = 500;

/// The key of the lock that lets one process add up at a time.
const LOCK: i64 = 0x7573_6167_6500;

/// Adds up all reports that have come.
pub async fn add_up(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    while app.db.write(move |conn| add_some(conn, now)).await? == REPORTS as usize {}
    Ok(())
}

fn add_some(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    if !has_turn(conn)? {
        return Ok(0);
    }
    let reports = usage_reports::table.order(usage_reports::id).limit(REPORTS);
    let reports: Vec<(i64, String)> = reports.select((usage_reports::id, usage_reports::sums)).load(conn)?;
    if reports.is_empty() {
        return Ok(0);
    }
    let mut sums = Sums::default();
    for (_, text) in &reports {
        sums.read(text)?;
    }
    charge(conn, &sums, now)?;
    count(conn, &sums, now)?;
    buckets::add(conn, &sums)?;
    let ids: Vec<i64> = reports.iter().map(|report| report.0).collect();
    diesel::delete(usage_reports::table.filter(usage_reports::id.eq_any(ids))).execute(conn)?;
    Ok(reports.len())
}

#[derive(QueryableByName)]
struct Turn {
    #[diesel(sql_type = Bool)]
    is_ours: bool,
}

/// Another process may be adding up. On SQLite a write transaction has the whole database.
fn has_turn(conn: &mut Conn) -> Result<bool, AppError> {
    let Conn::Postgres(conn) = conn else { return Ok(true) };
    let turn: Turn = sql_query(format!("SELECT pg_try_advisory_xact_lock({LOCK}) AS is_ours")).get_result(conn)?;
    Ok(turn.is_ours)
}

/// The bytes of residential traffic of each account, in the order of time.
fn by_account(sums: &Sums) -> BTreeMap<i64, Vec<(NaiveDateTime, u64)>> {
    let mut accounts: BTreeMap<i64, Vec<(NaiveDateTime, u64)>> = BTreeMap::new();
    for (place, amount) in &sums.0 {
        if let Owner::ProxyUser(_) = place.owner {
            accounts.entry(place.account_id).or_default().push((place.at, amount.bytes().unsigned_abs()));
        }
    }
    accounts
}

/// Takes bytes from the batches of their accounts, each from what was valid at its own second.
fn charge(conn: &mut Conn, sums: &Sums, now: NaiveDateTime) -> Result<(), AppError> {
    for (account_id, used) in by_account(sums) {
        lock_account(conn, account_id)?;
        let mut batches = batches_of(conn, account_id)?;
        let mut taken: BTreeMap<i64, u64> = BTreeMap::new();
        let mut beyond = 0;
        for (at, bytes) in used {
            let part = take_bytes(&batches, bytes, at);
            beyond += part.beyond;
            for (batch_id, bytes) in part.from {
                *taken.entry(batch_id).or_default() += bytes;
                if let Some(batch) = batches.iter_mut().find(|batch| batch.id == batch_id) {
                    batch.left_bytes -= bytes;
                }
            }
        }
        // Who keeps batches in memory knows which have anything left, but not how much.
        if batches.iter().any(|batch| batch.left_bytes == 0) {
            note_change(conn, account_id, now)?;
        }
        for (batch_id, bytes) in taken {
            use_bytes(conn, batch_id, bytes)?;
        }
        if beyond > 0 {
            add_overdraft(conn, account_id, beyond)?;
        }
        note_left(conn, account_id, left_now(&batches, now), now)?;
    }
    Ok(())
}

/// Counts bytes for their proxy users, and exhausts those whose limit is used up.
fn count(conn: &mut Conn, sums: &Sums, now: NaiveDateTime) -> Result<(), AppError> {
    let mut used: BTreeMap<i64, Vec<(&Place, &Amount)>> = BTreeMap::new();
    for (place, amount) in &sums.0 {
        if let Owner::ProxyUser(id) = place.owner {
            used.entry(id).or_default().push((place, amount));
        }
    }
    let ids: Vec<i64> = used.keys().copied().collect();
    let mut zones: HashMap<i64, Tz> = HashMap::new();
    for ids in ids.chunks(CHUNK) {
        for before in lifecycle::lock(conn, ids)? {
            let mut after: Locked = before.clone();
            // Only a cycle that ends needs the calendar.
            if after.cycle_ends_at.is_some_and(|ends_at| ends_at <= now) {
                let zone = match zones.get(&after.account_id) {
                    Some(zone) => *zone,
                    None => *zones.entry(after.account_id).or_insert(zone_of(conn, after.account_id)?),
                };
                after.advance(zone, now);
            }
            for (place, amount) in used.get(&before.id).into_iter().flatten() {
                after.count(amount.bytes(), place.at);
            }
            lifecycle::write(conn, &before, &after, now)?;
        }
    }
    Ok(())
}
