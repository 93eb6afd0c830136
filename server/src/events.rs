//! Records what happened to an account, in the transaction that caused it. Notifications and webhooks are made of it later.
use crate::db::Conn;
use crate::error::AppError;
use crate::schema::events::dsl;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::event::EventKind;
use serde_json::Value;

/// `data` is an object with the fields that `kind` documents. Its money is text with two digits, its times are UTC as on the wire.
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
