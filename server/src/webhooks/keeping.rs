//! Deletes deliveries past their retention, and those of deleted webhooks.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{webhook_attempts, webhook_deliveries, webhooks};
use crate::state::App;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::webhook_delivery::DELIVERIES_KEPT_DAYS;

/// Deliveries per transaction.
const BATCH: i64 = 1_000;

pub async fn forget(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    while app.db.write(move |conn| forget_some(conn, now)).await? {}
    Ok(())
}

/// Deletes a chunk of deliveries; true if there may be more.
fn forget_some(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    let before = now - TimeDelta::days(DELIVERIES_KEPT_DAYS);
    let old = webhook_deliveries::table.filter(webhook_deliveries::created_at.lt(before));
    let mut ids: Vec<i64> = old.select(webhook_deliveries::id).limit(BATCH).load(conn)?;
    // Wait for deliveries in flight to be recorded.
    let deleted = webhooks::table.filter(webhooks::deleted_at.lt(now - TimeDelta::minutes(10)));
    let deleted: Vec<i64> = deleted.select(webhooks::id).limit(10).load(conn)?;
    for webhook_id in deleted {
        let of_webhook = webhook_deliveries::table.filter(webhook_deliveries::webhook_id.eq(webhook_id));
        let left: Vec<i64> = of_webhook.select(webhook_deliveries::id).limit(BATCH).load(conn)?;
        if left.is_empty() {
            diesel::delete(webhooks::table.find(webhook_id)).execute(conn)?;
        }
        ids.extend(left);
    }
    let attempts = webhook_attempts::table.filter(webhook_attempts::delivery_id.eq_any(&ids));
    diesel::delete(attempts).execute(conn)?;
    let forgotten =
        diesel::delete(webhook_deliveries::table.filter(webhook_deliveries::id.eq_any(&ids))).execute(conn)?;
    Ok(forgotten > 0)
}
