//! The demo customer's webhook: disabled, so that the demo sends no requests, with the deliveries of the last two weeks.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::outbound::signature::new_secret;
use crate::schema::{webhook_attempts, webhook_deliveries, webhooks};
use crate::security::SecretKey;
use chrono::{NaiveDateTime, SecondsFormat, TimeDelta};
use postern_core::event::EventKind;
use postern_core::webhook_delivery::{DeliveryProblem, DeliveryState, WebhookState};
use serde_json::{Value, json};

const URL: &str = "https://hooks.example.com/postern";

/// The result of a delivery.
#[derive(Clone, Copy)]
enum Outcome {
    Succeeded,
    /// Failed once, then succeeded.
    SucceededLater,
    /// Failed at every attempt.
    Failed,
}

/// An event, with its age in hours.
type PastEvent = (i64, EventKind, Value, Outcome);

fn past_events() -> Vec<PastEvent> {
    let order = |id: i64, total: &str| json!({"OrderId": id, "OrderNumber": format!("PO2611{id:06}"), "Kind": "purchase", "Total": total, "Currency": "USD"});
    let low = json!({"Balance": "8.40", "Threshold": "20.00", "Currency": "USD"});
    let charged = json!({"Amount": "100.00", "Balance": "108.40", "Currency": "USD", "Card": "Visa 4242"});
    vec![
        (318, EventKind::OrderPaid, order(2, "120.00"), Outcome::Succeeded),
        (290, EventKind::ProxiesSwitched, json!({"OldIp": "127.16.4.17", "NewIp": "127.16.9.201"}), Outcome::Succeeded),
        (241, EventKind::WalletLow, low.clone(), Outcome::SucceededLater),
        (241, EventKind::AutoTopUpDone, charged, Outcome::Succeeded),
        (196, EventKind::OrderPaid, order(5, "45.00"), Outcome::Succeeded),
        (
            170,
            EventKind::ProxyUserLimitReached,
            json!({"ProxyUserId": 3, "Name": "crawler_eu", "LimitBytes": 5_000_000_000_i64}),
            Outcome::Failed,
        ),
        (122, EventKind::ProxiesRenewed, json!({"Count": 12, "Total": "60.00", "Currency": "USD"}), Outcome::Succeeded),
        (76, EventKind::ProxiesEnding, json!({"Count": 4, "EndsAt": "2026-12-01 09:30:00"}), Outcome::Succeeded),
        (
            49,
            EventKind::OrderRefunded,
            json!({"OrderId": 5, "OrderNumber": "PO2611000005", "Amount": "15.00", "Currency": "USD", "CreditNote": "CN-2026-000003", "Count": 3}),
            Outcome::SucceededLater,
        ),
        (20, EventKind::OrderPaid, order(9, "220.50"), Outcome::Succeeded),
    ]
}

/// Seeds the webhook of an account.
pub fn seed_webhook(conn: &mut Conn, key: &SecretKey, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    // The secret is unknown: rotate it to use this webhook.
    let secret = key.seal(&new_secret()).map_err(AppError::Internal)?;
    let row = (
        webhooks::account_id.eq(account_id),
        webhooks::url.eq(URL),
        webhooks::description.eq("Bookkeeping"),
        webhooks::state.eq(WebhookState::Paused),
        webhooks::secret_sealed.eq(secret),
        webhooks::created_at.eq(now - TimeDelta::days(20)),
    );
    let webhook_id: i64 = diesel::insert_into(webhooks::table).values(row).returning(webhooks::id).get_result(conn)?;
    for (number, event) in (1..).zip(past_events()) {
        seed_delivery(conn, account_id, webhook_id, number, event, now)?;
    }
    Ok(())
}

fn seed_delivery(
    conn: &mut Conn,
    account_id: i64,
    webhook_id: i64,
    number: i64,
    (hours, kind, data, outcome): PastEvent,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let at = now - TimeDelta::hours(hours) - TimeDelta::seconds(number * 37);
    let timestamp = at.and_utc().to_rfc3339_opts(SecondsFormat::Millis, true);
    let body = format!(r#"{{"type":"{}","timestamp":"{timestamp}","data":{data}}}"#, kind.as_str());
    let message_id = format!("msg_demo{number:016}");
    let ok = (Some(204), None, 86 + i32::try_from(number).unwrap_or_default() * 9);
    let refused = (Some(503), Some(DeliveryProblem::BadStatus), 41);
    let missed = (None, Some(DeliveryProblem::Timeout), 10_003);
    let (state, made) = match outcome {
        Outcome::Succeeded => (DeliveryState::Delivered, vec![ok]),
        Outcome::SucceededLater => (DeliveryState::Delivered, vec![refused, ok]),
        Outcome::Failed => (DeliveryState::Failed, vec![missed; 10]),
    };
    let last_at = |index: usize| at + TimeDelta::seconds(if index == 0 { 1 } else { 6 + 18_000 * (index as i64 - 1) });
    let (status, problem, duration_ms) = made[made.len() - 1];
    let row = (
        webhook_deliveries::webhook_id.eq(webhook_id),
        webhook_deliveries::account_id.eq(account_id),
        // The event no longer exists.
        webhook_deliveries::event_id.eq(-number),
        webhook_deliveries::message_id.eq(&message_id),
        webhook_deliveries::kind.eq(kind),
        webhook_deliveries::state.eq(state),
        webhook_deliveries::body.eq(body),
        webhook_deliveries::attempts.eq(made.len() as i32),
        webhook_deliveries::attempts_in_series.eq(made.len() as i32),
        webhook_deliveries::last_attempt_at.eq(last_at(made.len() - 1)),
        webhook_deliveries::last_status.eq(status),
        webhook_deliveries::last_problem.eq(problem),
        webhook_deliveries::last_duration_ms.eq(duration_ms),
        webhook_deliveries::created_at.eq(at),
    );
    let insert = diesel::insert_into(webhook_deliveries::table).values(row).returning(webhook_deliveries::id);
    let delivery_id: i64 = insert.get_result(conn)?;
    for (index, (status, problem, duration_ms)) in made.into_iter().enumerate() {
        let attempted_at = last_at(index);
        let headers = json!([
            {"Name": "content-type", "Value": "application/json"},
            {"Name": "webhook-id", "Value": message_id},
            {"Name": "webhook-timestamp", "Value": attempted_at.and_utc().timestamp().to_string()},
        ]);
        let answered = if status.is_some() { json!([{"Name": "server", "Value": "nginx"}]) } else { json!([]) };
        let answer = if status == Some(503) { "upstream is restarting" } else { "" };
        let row = (
            webhook_attempts::delivery_id.eq(delivery_id),
            webhook_attempts::webhook_id.eq(webhook_id),
            webhook_attempts::attempted_at.eq(attempted_at),
            webhook_attempts::duration_ms.eq(duration_ms),
            webhook_attempts::status.eq(status),
            webhook_attempts::problem.eq(problem),
            webhook_attempts::request_headers.eq(headers.to_string()),
            webhook_attempts::answer_headers.eq(answered.to_string()),
            webhook_attempts::answer.eq(answer),
        );
        diesel::insert_into(webhook_attempts::table).values(row).execute(conn)?;
    }
    Ok(())
}
