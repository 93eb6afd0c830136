//! SQL about callbacks: signed ones are stored in full and never deleted, unsigned ones in short form.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::{AppError, Refusal};
use crate::gateways::StoredCallback;
use crate::schema::{forged_callbacks, gateway_callbacks};
use crate::security::sha256;
use crate::throttle;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::Throttle;
use postern_core::callback::{
    FORGED_PER_SENDER, KEEP_FORGED_DAYS, STORED_IN_TOTAL, STORED_PER_SENDER, can_replay, excerpt,
};
use postern_core::code::Code;
use postern_core::network::sender_key;
use postern_core::order::{PaymentMethod, Verdict};
use std::net::IpAddr;

/// The short form of a body: enough to identify it.
#[derive(Clone)]
pub struct ShortForm {
    size_bytes: i64,
    sha256: String,
    beginning: String,
}

impl ShortForm {
    pub fn of(body: &[u8]) -> ShortForm {
        let size_bytes = i64::try_from(body.len()).unwrap_or(i64::MAX);
        ShortForm { size_bytes, sha256: sha256(body), beginning: excerpt(body) }
    }
}

/// Stores a callback in full, before it is processed. It has a valid signature, or is an operator's confirmation.
pub fn store(
    conn: &mut Conn,
    gateway: PaymentMethod,
    body: &[u8],
    signature: &str,
    sender: &str,
    now: NaiveDateTime,
) -> Result<StoredCallback, AppError> {
    let short = ShortForm::of(body);
    let id = diesel::insert_into(gateway_callbacks::table)
        .values((
            gateway_callbacks::gateway.eq(gateway),
            gateway_callbacks::body.eq(body),
            gateway_callbacks::size_bytes.eq(short.size_bytes),
            gateway_callbacks::body_sha256.eq(short.sha256),
            gateway_callbacks::beginning.eq(short.beginning),
            gateway_callbacks::signature.eq(signature),
            gateway_callbacks::sender.eq(sender),
            gateway_callbacks::received_at.eq(now),
        ))
        .returning(gateway_callbacks::id)
        .get_result(conn)?;
    Ok(StoredCallback { id, gateway, body: body.to_vec(), signature: signature.to_owned(), received_at: now })
}

/// Counts an unsigned callback, and stores its short form unless the day's quota is used up. If its sender is rate-limited, returns the wait in
/// milliseconds.
pub fn note_forged(
    conn: &mut Conn,
    gateway: PaymentMethod,
    short: &ShortForm,
    sender: IpAddr,
    now: NaiveDateTime,
) -> Result<Option<u64>, AppError> {
    count_forged(conn, gateway, now)?;
    let key = sender_key(sender);
    let retry_after_ms = over(conn, &format!("forged callbacks {key}"), FORGED_PER_SENDER, now)?;
    if over(conn, &format!("kept callbacks {key}"), STORED_PER_SENDER, now)?.is_none()
        && over(conn, "kept callbacks", STORED_IN_TOTAL, now)?.is_none()
    {
        diesel::insert_into(gateway_callbacks::table)
            .values((
                gateway_callbacks::gateway.eq(gateway),
                gateway_callbacks::size_bytes.eq(short.size_bytes),
                gateway_callbacks::body_sha256.eq(&short.sha256),
                gateway_callbacks::beginning.eq(&short.beginning),
                gateway_callbacks::signature.eq(""),
                gateway_callbacks::sender.eq(sender.to_string()),
                gateway_callbacks::verdict.eq(Verdict::BadSignature),
                gateway_callbacks::received_at.eq(now),
                gateway_callbacks::judged_at.eq(now),
            ))
            .execute(conn)?;
    }
    Ok(retry_after_ms)
}

/// Counts a hit in the database: above the limit, returns the milliseconds until the bucket resets.
fn over(conn: &mut Conn, bucket: &str, throttle: Throttle, now: NaiveDateTime) -> Result<Option<u64>, AppError> {
    match throttle::hit(conn, bucket, throttle, now) {
        Ok(()) => Ok(None),
        Err(AppError::Answer(Refusal { code: Code::TooManyRequests, data })) => {
            Ok(Some(data["RetryAfterMs"].as_u64().unwrap_or_default()))
        }
        Err(error) => Err(error),
    }
}

fn count_forged(conn: &mut Conn, gateway: PaymentMethod, now: NaiveDateTime) -> Result<(), AppError> {
    let first =
        (forged_callbacks::day.eq(now.date()), forged_callbacks::gateway.eq(gateway), forged_callbacks::arrived.eq(1));
    let count = diesel::insert_into(forged_callbacks::table)
        .values(first)
        .on_conflict((forged_callbacks::day, forged_callbacks::gateway))
        .do_update()
        .set(forged_callbacks::arrived.eq(forged_callbacks::arrived + 1));
    on_either!(conn, count.execute(conn)?);
    Ok(())
}

/// The number of recent unsigned callbacks, stored or not.
pub fn forged_lately(conn: &mut Conn, now: NaiveDateTime) -> Result<i64, AppError> {
    let since = (now - TimeDelta::days(KEEP_FORGED_DAYS)).date();
    let counts = forged_callbacks::table.filter(forged_callbacks::day.ge(since)).select(forged_callbacks::arrived);
    Ok(counts.load::<i64>(conn)?.into_iter().sum())
}

/// Deletes old unsigned callbacks and their counts. Other callbacks are never deleted.
pub fn forget_forged(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    let before = now - TimeDelta::days(KEEP_FORGED_DAYS);
    let forged = gateway_callbacks::table
        .filter(gateway_callbacks::body.is_null())
        .filter(gateway_callbacks::received_at.lt(before));
    let counts = forged_callbacks::table.filter(forged_callbacks::day.lt(before.date()));
    Ok(diesel::delete(forged).execute(conn)? + diesel::delete(counts).execute(conn)?)
}

/// Records a verdict. If several processes handle one callback concurrently, the first verdict stays.
pub fn record_verdict(
    conn: &mut Conn,
    callback_id: i64,
    payment_id: Option<i64>,
    verdict: Verdict,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let unprocessed = gateway_callbacks::table.find(callback_id).filter(gateway_callbacks::judged_at.is_null());
    diesel::update(unprocessed)
        .set((
            gateway_callbacks::payment_id.eq(payment_id),
            gateway_callbacks::verdict.eq(verdict),
            gateway_callbacks::judged_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// A callback that can be replayed. Refused with `callbackNotReplayable` for others.
pub fn replayable(conn: &mut Conn, callback_id: i64) -> Result<StoredCallback, AppError> {
    type Columns = (Option<Vec<u8>>, PaymentMethod, String, NaiveDateTime, Option<Verdict>);
    let columns = (
        gateway_callbacks::body,
        gateway_callbacks::gateway,
        gateway_callbacks::signature,
        gateway_callbacks::received_at,
        gateway_callbacks::verdict,
    );
    let found: Option<Columns> = gateway_callbacks::table.find(callback_id).select(columns).first(conn).optional()?;
    let (body, gateway, signature, received_at, verdict) = found.ok_or_else(|| AppError::code(Code::NotFound))?;
    let body = body.filter(|_| can_replay(gateway, verdict, true)).ok_or_else(not_replayable)?;
    Ok(StoredCallback { id: callback_id, gateway, body, signature, received_at })
}

fn not_replayable() -> AppError {
    AppError::in_place("callbackNotReplayable")
}

/// Locks a refused callback, which another operator may have replayed meanwhile; returns its verdict.
pub fn lock_refused(conn: &mut Conn, callback_id: i64) -> Result<Verdict, AppError> {
    let row =
        gateway_callbacks::table.find(callback_id).select((gateway_callbacks::gateway, gateway_callbacks::verdict));
    let (gateway, verdict): (PaymentMethod, Option<Verdict>) = row.locked().get_result(conn)?;
    verdict.filter(|verdict| can_replay(gateway, Some(*verdict), true)).ok_or_else(not_replayable)
}

/// Replaces the verdict on a locked callback.
pub fn replace_verdict(
    conn: &mut Conn,
    callback_id: i64,
    payment_id: Option<i64>,
    verdict: Verdict,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    diesel::update(gateway_callbacks::table.find(callback_id))
        .set((
            gateway_callbacks::payment_id.eq(payment_id),
            gateway_callbacks::verdict.eq(verdict),
            gateway_callbacks::judged_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Callbacks without a verdict received before this time.
pub fn unprocessed(conn: &mut Conn, before: NaiveDateTime) -> Result<Vec<StoredCallback>, AppError> {
    let unprocessed = gateway_callbacks::table
        .filter(gateway_callbacks::judged_at.is_null())
        .filter(gateway_callbacks::received_at.lt(before));
    let oldest = unprocessed.filter(gateway_callbacks::body.is_not_null()).order(gateway_callbacks::received_at);
    let columns = (
        gateway_callbacks::id,
        gateway_callbacks::gateway,
        gateway_callbacks::body.assume_not_null(),
        gateway_callbacks::signature,
        gateway_callbacks::received_at,
    );
    Ok(oldest.select(columns).limit(100).load(conn)?)
}
