//! The traffic batches of accounts, as rows. Changing an account's batches requires its lock, which is taken after the wallet's lock, and for several
//! accounts in the order of their ids.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{traffic_accounts, traffic_batches, traffic_reorders};
use chrono::{DateTime, NaiveDateTime};
use diesel::dsl::exists;
use postern_core::auto_top_up::month_around;
use postern_core::traffic::Batch;
use postern_core::usage::{MAX_SUM_BYTES, add_bytes};

pub fn signed(bytes: u64) -> Result<i64, AppError> {
    i64::try_from(bytes).map_err(|_| AppError::internal("more bytes than a column holds"))
}

pub fn unsigned(bytes: i64) -> Result<u64, AppError> {
    u64::try_from(bytes).map_err(|_| AppError::internal("a number of bytes is below zero"))
}

/// Locks an account's traffic until the transaction ends.
pub fn lock_account(conn: &mut Conn, account_id: i64) -> Result<(), AppError> {
    if is_locked(conn, account_id)? {
        return Ok(());
    }
    // A new row has no changes for caches to notice.
    let never = traffic_accounts::changed_at.eq(DateTime::UNIX_EPOCH.naive_utc());
    let row = (traffic_accounts::account_id.eq(account_id), never);
    let insert = diesel::insert_into(traffic_accounts::table).values(row).on_conflict_do_nothing();
    on_either!(conn, insert.execute(conn)?);
    if is_locked(conn, account_id)? { Ok(()) } else { Err(AppError::concurrent_change()) }
}

fn is_locked(conn: &mut Conn, account_id: i64) -> Result<bool, AppError> {
    let account = traffic_accounts::table.find(account_id).select(traffic_accounts::account_id);
    let found: Option<i64> = account.locked().get_result(conn).optional()?;
    Ok(found.is_some())
}

/// The batches of an account with bytes left, including expired ones: a late record is taken from the batch that was valid at its time. To change
/// them, the account must be locked.
pub fn batches_of(conn: &mut Conn, account_id: i64) -> Result<Vec<Batch>, AppError> {
    batches_since(conn, account_id, DateTime::UNIX_EPOCH.naive_utc())
}

/// The same, without batches that ended before this time.
pub fn batches_since(conn: &mut Conn, account_id: i64, since: NaiveDateTime) -> Result<Vec<Batch>, AppError> {
    let left = traffic_batches::bought_bytes - traffic_batches::used_bytes - traffic_batches::returned_bytes;
    let rows: Vec<(i64, i64, NaiveDateTime, Option<NaiveDateTime>)> = traffic_batches::table
        .filter(traffic_batches::account_id.eq(account_id))
        .filter(left.gt(0))
        .filter(traffic_batches::ends_at.is_null().or(traffic_batches::ends_at.gt(since)))
        .order(traffic_batches::id)
        .select((traffic_batches::id, left, traffic_batches::begins_at, traffic_batches::ends_at))
        .load(conn)?;
    let batch = |(id, left, begins_at, ends_at)| Ok(Batch { id, left_bytes: unsigned(left)?, begins_at, ends_at });
    rows.into_iter().map(batch).collect()
}

/// Whether the account has ever bought traffic that was not returned completely.
pub fn has_bought(conn: &mut Conn, account_id: i64) -> Result<bool, AppError> {
    let own = traffic_batches::table.filter(traffic_batches::account_id.eq(account_id));
    let kept = own.filter(traffic_batches::bought_bytes.gt(traffic_batches::returned_bytes));
    Ok(kept.select(traffic_batches::id).first::<i64>(conn).optional()?.is_some())
}

/// Takes used bytes from a batch. The account must be locked, and the batch must have that many left.
pub fn use_bytes(conn: &mut Conn, batch_id: i64, bytes: u64) -> Result<(), AppError> {
    let used = traffic_batches::used_bytes.eq(traffic_batches::used_bytes + signed(bytes)?);
    let changed = diesel::update(traffic_batches::table.find(batch_id)).set(used).execute(conn)?;
    if changed == 1 { Ok(()) } else { Err(AppError::internal("a batch is gone")) }
}

/// Adds bytes that were used beyond all batches. The account must be locked.
pub fn add_overdraft(conn: &mut Conn, account_id: i64, bytes: u64) -> Result<(), AppError> {
    let account = traffic_accounts::table.find(account_id);
    let before: i64 = account.select(traffic_accounts::overdraft_bytes).first(conn)?;
    let overdraft = add_bytes(before, i64::try_from(bytes).unwrap_or(MAX_SUM_BYTES));
    diesel::update(account).set(traffic_accounts::overdraft_bytes.eq(overdraft)).execute(conn)?;
    Ok(())
}

/// Records a change of whether the account's proxy users may connect: traffic was bought, refunded or used up.
pub fn record_access_change(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let changed = traffic_accounts::changed_at.eq(now);
    diesel::update(traffic_accounts::table.find(account_id)).set(changed).execute(conn)?;
    Ok(())
}

/// Call after taking bytes, with the bytes left in all running batches. Schedules a check of the account if they are below the threshold of its
/// automatic reorder. An account whose latest reorder failed is checked when the job retries it, and one that has reached its monthly limit after the
/// month.
pub fn record_left_bytes(
    conn: &mut Conn,
    account_id: i64,
    left_bytes: u64,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let asks = traffic_reorders::table
        .filter(traffic_reorders::account_id.eq(account_id))
        .filter(traffic_reorders::is_on.eq(true))
        .filter(traffic_reorders::threshold_bytes.gt(signed(left_bytes)?))
        .filter(traffic_reorders::failed_at.is_null())
        .filter(traffic_reorders::limit_told_at.is_null().or(traffic_reorders::limit_told_at.lt(month_around(now).0)));
    let account = traffic_accounts::table.find(account_id).filter(exists(asks));
    diesel::update(account).set(traffic_accounts::next_look_at.eq(now)).execute(conn)?;
    Ok(())
}
