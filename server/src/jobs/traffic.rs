//! Reminds the owners of traffic that expires soon, and runs automatic reorders.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::mails;
use crate::schema::traffic_batches;
use crate::state::App;
use crate::traffic::reorders;
use crate::traffic_batches::{lock_account, unsigned};
use chrono::NaiveDateTime;
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::proxy_user::format_gigabytes;
use postern_core::time::to_wire;
use postern_core::traffic::{Batch, left_now, next_batch_reminder};
use serde_json::json;
use std::collections::BTreeSet;

/// Batches examined per round; each account gets one mail for all of its due batches.
const BATCHES: i64 = 500;

/// One transaction per account, so that a failing one does not block the others.
pub async fn remind(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = app.db.read(move |conn| {
        let due = traffic_batches::table.filter(traffic_batches::next_reminder_at.le(now));
        let due = due.order(traffic_batches::next_reminder_at).limit(BATCHES).select(traffic_batches::account_id);
        Ok(due.load::<i64>(conn)?.into_iter().collect::<BTreeSet<i64>>())
    });
    let mut result = Ok(());
    for account_id in due.await? {
        if let Err(error) = app.db.write(move |conn| remind_account(conn, account_id, now)).await {
            tracing::error!(account_id, %error, "an owner of traffic could not be reminded");
            result = Err(error);
        }
    }
    result
}

/// One mail for all due batches of an account with unused bytes. Reminders missed while no server ran are combined into one.
fn remind_account(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    lock_account(conn, account_id)?;
    type Row = (i64, i64, i64, i64, NaiveDateTime, Option<NaiveDateTime>);
    let rows: Vec<Row> = traffic_batches::table
        .filter(traffic_batches::account_id.eq(account_id))
        .filter(traffic_batches::next_reminder_at.le(now))
        .select((
            traffic_batches::id,
            traffic_batches::bought_bytes,
            traffic_batches::used_bytes,
            traffic_batches::returned_bytes,
            traffic_batches::begins_at,
            traffic_batches::ends_at,
        ))
        .load(conn)?;
    let mut ending = Vec::new();
    for (id, bought, used, returned, begins_at, ends_at) in rows {
        let next = traffic_batches::next_reminder_at.eq(next_batch_reminder(ends_at, now));
        diesel::update(traffic_batches::table.find(id)).set(next).execute(conn)?;
        let batch = Batch { id, left_bytes: unsigned(bought - used - returned)?, begins_at, ends_at };
        if !batch.is_over(now) {
            ending.push(batch);
        }
    }
    let Some(first) = ending.iter().filter_map(|batch| batch.ends_at).min() else { return Ok(()) };
    let left = left_now(&ending, now);
    let data = json!({ "Bytes": left, "EndsAt": to_wire(first) });
    events::record(conn, account_id, EventKind::TrafficEnding, &data, now)?;
    let parameters = json!({ "Gigabytes": format_gigabytes(left), "EndsAt": to_wire(first) });
    mails::queue_for_account(conn, account_id, EventKind::TrafficEnding, MailTemplate::TrafficEnding, &parameters, now)
}

pub async fn reorder(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let mut result = Ok(());
    for account_id in app.db.read(move |conn| reorders::due(conn, now)).await? {
        let key = app.key.clone();
        if let Err(error) = app.db.write(move |conn| reorders::check_account(conn, &key, account_id, now)).await {
            tracing::error!(account_id, %error, "traffic could not be reordered");
            result = Err(error);
        }
    }
    result
}
