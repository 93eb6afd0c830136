//! Records an account's events, in the transaction that caused them. Notifications and webhooks are generated from them later.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::events::dsl;
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
