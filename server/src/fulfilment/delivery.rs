//! Delivers a paid order of traffic: its batch, and the mail that confirms it.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::mails;
use crate::order_rows::rows::{LineRow, OrderRow};
use crate::schema::traffic_batches;
use crate::traffic_batches::{lock_account, record_access_change, signed};
use chrono::NaiveDateTime;
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use postern_core::time::to_wire;
use postern_core::traffic::{batch_end, bytes_of, next_batch_reminder};
use serde_json::json;

/// Creates the batch of a locked order. Its validity period begins now, regardless of the time of the order.
pub fn deliver(conn: &mut Conn, order: &OrderRow, lines: &[LineRow], now: NaiveDateTime) -> Result<(), AppError> {
    let gigabytes = lines.first().ok_or_else(|| AppError::internal("traffic without a line"))?.quantity()?;
    let period_days = order.period()?;
    let ends_at = batch_end(period_days, now);
    if period_days > 0 && ends_at.is_none() {
        return Err(AppError::internal("a period is too long"));
    }
    lock_account(conn, order.account_id)?;
    let batch = (
        traffic_batches::account_id.eq(order.account_id),
        traffic_batches::order_id.eq(order.id),
        traffic_batches::bought_bytes.eq(signed(bytes_of(gigabytes))?),
        traffic_batches::begins_at.eq(now),
        traffic_batches::ends_at.eq(ends_at),
        traffic_batches::next_reminder_at.eq(next_batch_reminder(ends_at, now)),
    );
    diesel::insert_into(traffic_batches::table).values(batch).execute(conn)?;
    record_access_change(conn, order.account_id, now)?;
    let parameters = json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Gigabytes": gigabytes,
        "ValidityKey": if ends_at.is_some() { "invoices:validity.until" } else { "invoices:validity.never" },
        "Days": period_days,
        "EndsAt": ends_at.map(to_wire),
        "Total": Money::from_minor(order.total_minor).display(order.currency),
    });
    mails::queue_for_account(
        conn,
        order.account_id,
        EventKind::OrderPaid,
        MailTemplate::TrafficPurchased,
        &parameters,
        now,
    )
}
