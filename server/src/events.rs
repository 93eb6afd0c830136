//! Records an account's events, in the transaction that caused them. Notifications and webhooks are generated from them later.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::events::dsl;
use crate::schema::{notification_reads, users};
use chrono::NaiveDateTime;
use postern_core::event::EventKind;
use serde_json::Value;

/// `data` is an object with the fields documented for `kind`. Amounts are text with two digits, times are UTC in wire format.
pub fn record(
    conn: &mut Conn,
    account_id: i64,
    kind: EventKind,
    data: &Value,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let row =
        (dsl::account_id.eq(account_id), dsl::kind.eq(kind), dsl::data.eq(data.to_string()), dsl::created_at.eq(now));
    diesel::insert_into(dsl::events).values(row).execute(conn)?;
    Ok(())
}

/// Marks the latest `count` events of a kind as read by the person who has just caused them: nobody's bell rings for what they know. Mails and
/// webhooks do not depend on it. The caller holds a lock of the account, or has just recorded them.
pub fn known_to(conn: &mut Conn, user_id: i64, account_id: i64, kind: EventKind, count: usize) -> Result<(), AppError> {
    let latest = dsl::events
        .filter(dsl::account_id.eq(account_id))
        .filter(dsl::kind.eq(kind))
        .order(dsl::id.desc())
        .limit(i64::try_from(count).unwrap_or(i64::MAX))
        .select(dsl::id);
    let latest: Vec<i64> = latest.load(conn)?;
    for event_id in latest {
        let row = (notification_reads::user_id.eq(user_id), notification_reads::event_id.eq(event_id));
        let insert = diesel::insert_into(notification_reads::table).values(row).on_conflict_do_nothing();
        on_either!(conn, insert.execute(conn)?);
    }
    Ok(())
}

/// Marks the account's events of this kind as known to all its users.
pub fn known_to_account(conn: &mut Conn, account_id: i64, kind: EventKind) -> Result<(), AppError> {
    let all: Vec<i64> = users::table.filter(users::account_id.eq(account_id)).select(users::id).load(conn)?;
    all.into_iter().try_for_each(|user_id| known_to(conn, user_id, account_id, kind, 1))
}
