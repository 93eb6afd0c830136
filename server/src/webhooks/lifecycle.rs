//! The state machines of webhooks and deliveries and their only writer: rows are locked, moved by core's tables, and written back.
use crate::accounts::staff;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::mails;
use crate::outbound::send::Sent;
use crate::outbound::signature::new_message_id;
use crate::schema::{webhook_attempts, webhook_deliveries, webhooks};
use crate::security::random;
use chrono::{NaiveDateTime, SecondsFormat};
use postern_core::code::Code;
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::webhook_delivery::{
    DISABLED_AFTER_DAYS, DeliveryEvent, DeliveryState, WebhookChange, WebhookState, backoff_after, next_delivery_state,
    next_webhook_state, retry_after, should_disable_webhook,
};
use serde_json::json;
use serde_json::value::RawValue;

/// Attempts stored per delivery.
pub const KEPT_ATTEMPTS: i64 = 20;

/// Deliveries cancelled per transaction.
const CANCELLED_AT_ONCE: i64 = 1_000;

/// The fields of a webhook that decide about its deliveries, locked until the transaction ends.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = webhooks)]
pub struct Locked {
    pub id: i64,
    pub account_id: i64,
    pub url: String,
    pub state: WebhookState,
    pub is_of_shop: bool,
    pub failing_since: Option<NaiveDateTime>,
    pub failures_in_row: i32,
}

fn lock(conn: &mut Conn, webhook_id: i64) -> Result<Option<Locked>, AppError> {
    let row = webhooks::table.find(webhook_id);
    Ok(row.select(Locked::as_select()).locked().get_result(conn).optional()?)
}

/// Locks one of the account's webhooks; a deleted one is not found.
pub fn lock_own(conn: &mut Conn, account_id: i64, webhook_id: i64) -> Result<Locked, AppError> {
    let found = lock(conn, webhook_id)?;
    let own = found.filter(|row| row.account_id == account_id && row.state != WebhookState::Deleted);
    own.ok_or_else(|| AppError::code(Code::NotFound))
}

/// The state of a new webhook.
pub fn newly_enabled() -> diesel::dsl::Eq<webhooks::state, WebhookState> {
    webhooks::state.eq(WebhookState::Enabled)
}

/// Enables or disables a locked webhook. Enabling resets its failure count; after disabling, the sender cancels its deliveries.
pub fn switch(conn: &mut Conn, row: &Locked, is_enabled: bool, now: NaiveDateTime) -> Result<(), AppError> {
    let change = if is_enabled { WebhookChange::Enable } else { WebhookChange::Pause };
    let state = next_webhook_state(row.state, change).map_err(|_| AppError::state_forbids(row.state.as_str()))?;
    diesel::update(webhooks::table.find(row.id)).set((webhooks::state.eq(state), new_beginning())).execute(conn)?;
    wake(conn, &[row.id], now)
}

/// Pauses all enabled webhooks of an account, and returns their addresses.
pub fn pause_all(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<String>, AppError> {
    let own = webhooks::table.filter(webhooks::account_id.eq(account_id));
    let enabled = own.filter(webhooks::state.eq(WebhookState::Enabled)).order(webhooks::id).select(webhooks::id);
    let mut paused = Vec::new();
    for webhook_id in enabled.load::<i64>(conn)? {
        let row = lock_own(conn, account_id, webhook_id)?;
        // It may have failed meanwhile.
        if row.state == WebhookState::Enabled {
            switch(conn, &row, false, now)?;
            paused.push(row.url);
        }
    }
    Ok(paused)
}

/// The columns of a webhook without failures.
type Beginning = (
    diesel::dsl::Eq<webhooks::failing_since, Option<NaiveDateTime>>,
    diesel::dsl::Eq<webhooks::failures_in_row, i32>,
    diesel::dsl::Eq<webhooks::rests_until, Option<NaiveDateTime>>,
);

pub fn new_beginning() -> Beginning {
    (
        webhooks::failing_since.eq(None::<NaiveDateTime>),
        webhooks::failures_in_row.eq(0),
        webhooks::rests_until.eq(None::<NaiveDateTime>),
    )
}

/// Deletes a locked webhook: its secrets at once, its deliveries by a job.
pub fn delete(conn: &mut Conn, row: &Locked, now: NaiveDateTime) -> Result<(), AppError> {
    let state = next_webhook_state(row.state, WebhookChange::Delete);
    let state = state.map_err(|_| AppError::state_forbids(row.state.as_str()))?;
    let deleted = (
        webhooks::state.eq(state),
        webhooks::secret_sealed.eq(""),
        webhooks::old_secret_sealed.eq(None::<String>),
        webhooks::old_secret_until.eq(None::<NaiveDateTime>),
        webhooks::next_look_at.eq(None::<NaiveDateTime>),
        webhooks::deleted_at.eq(now),
    );
    diesel::update(webhooks::table.find(row.id)).set(deleted).execute(conn)?;
    Ok(())
}

/// Schedules webhooks for the sender, at once or when their lease ends.
pub fn wake(conn: &mut Conn, ids: &[i64], now: NaiveDateTime) -> Result<(), AppError> {
    let these = webhooks::table.filter(webhooks::id.eq_any(ids));
    diesel::update(these).set(webhooks::next_look_at.eq(now)).execute(conn)?;
    let held = webhooks::table.filter(webhooks::id.eq_any(ids)).filter(webhooks::held_until.gt(now));
    diesel::update(held).set(webhooks::next_look_at.eq(webhooks::held_until)).execute(conn)?;
    Ok(())
}

/// The same, but webhooks that are backing off after failures keep their pause.
pub fn resume_backed_off(conn: &mut Conn, ids: &[i64], now: NaiveDateTime) -> Result<(), AppError> {
    wake(conn, ids, now)?;
    let resting = webhooks::table
        .filter(webhooks::id.eq_any(ids))
        .filter(webhooks::rests_until.gt(now))
        .filter(webhooks::held_until.is_null());
    diesel::update(resting).set(webhooks::next_look_at.eq(webhooks::rests_until)).execute(conn)?;
    Ok(())
}

/// An event to deliver.
#[derive(Clone, Queryable)]
pub struct EventToDeliver {
    pub id: i64,
    pub account_id: i64,
    pub kind: EventKind,
    pub data: String,
    pub created_at: NaiveDateTime,
}

/// The body of a message, as defined by Standard Webhooks.
#[derive(serde::Serialize)]
struct Payload<'a> {
    #[serde(rename = "type")]
    kind: EventKind,
    timestamp: String,
    data: &'a RawValue,
}

pub struct NewDelivery {
    webhook_id: i64,
    account_id: i64,
    event_id: i64,
    message_id: String,
    kind: EventKind,
    body: String,
}

/// A webhook that receives an event, and the account that has it.
#[derive(Clone, Copy)]
pub struct Recipient {
    pub webhook_id: i64,
    pub account_id: i64,
}

/// The new deliveries of an event, one per webhook.
pub fn deliveries_of(event: &EventToDeliver, recipients: &[Recipient]) -> Result<Vec<NewDelivery>, AppError> {
    let timestamp = event.created_at.and_utc().to_rfc3339_opts(SecondsFormat::Millis, true);
    let body = Payload { kind: event.kind, timestamp, data: serde_json::from_str(&event.data)? };
    let (body, message_id) = (serde_json::to_string(&body)?, new_message_id());
    let delivery = |recipient: &Recipient| NewDelivery {
        webhook_id: recipient.webhook_id,
        account_id: recipient.account_id,
        event_id: event.id,
        message_id: message_id.clone(),
        kind: event.kind,
        body: body.clone(),
    };
    Ok(recipients.iter().map(delivery).collect())
}

/// Stores new deliveries and schedules their webhooks.
pub fn begin(conn: &mut Conn, deliveries: &[NewDelivery], now: NaiveDateTime) -> Result<(), AppError> {
    // PostgreSQL takes at most 65,535 values per statement.
    for some in deliveries.chunks(1_000) {
        let row = |new: &NewDelivery| {
            (
                webhook_deliveries::webhook_id.eq(new.webhook_id),
                webhook_deliveries::account_id.eq(new.account_id),
                webhook_deliveries::event_id.eq(new.event_id),
                webhook_deliveries::message_id.eq(new.message_id.clone()),
                webhook_deliveries::kind.eq(new.kind),
                webhook_deliveries::state.eq(DeliveryState::Pending),
                webhook_deliveries::body.eq(new.body.clone()),
                webhook_deliveries::next_attempt_at.eq(now),
                webhook_deliveries::created_at.eq(now),
            )
        };
        let rows: Vec<_> = some.iter().map(row).collect();
        match conn {
            Conn::Postgres(conn) => diesel::insert_into(webhook_deliveries::table).values(rows).execute(conn)?,
            Conn::Sqlite(conn) => diesel::insert_into(webhook_deliveries::table).values(rows).execute_each(conn)?,
        };
    }
    let mut ids: Vec<i64> = deliveries.iter().map(|delivery| delivery.webhook_id).collect();
    ids.sort_unstable();
    ids.dedup();
    resume_backed_off(conn, &ids, now)
}

/// Restarts a delivery in any state; its webhook must be enabled.
pub fn resend(conn: &mut Conn, account_id: i64, delivery_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let own = webhook_deliveries::table.find(delivery_id).filter(webhook_deliveries::account_id.eq(account_id));
    let webhook_id = own.select(webhook_deliveries::webhook_id).first(conn).optional()?;
    let webhook = lock_own(conn, account_id, webhook_id.ok_or_else(|| AppError::code(Code::NotFound))?)?;
    if webhook.state != WebhookState::Enabled {
        return Err(AppError::state_forbids(webhook.state.as_str()));
    }
    let state: DeliveryState =
        webhook_deliveries::table.find(delivery_id).select(webhook_deliveries::state).first(conn)?;
    let state = next_delivery_state(state, DeliveryEvent::Resend);
    let state = state.map_err(|refused| AppError::state_forbids(refused.state.as_str()))?;
    diesel::update(webhook_deliveries::table.find(delivery_id))
        .set((
            webhook_deliveries::state.eq(state),
            webhook_deliveries::attempts_in_series.eq(0),
            webhook_deliveries::next_attempt_at.eq(now),
        ))
        .execute(conn)?;
    wake(conn, &[webhook.id], now)
}

/// An attempt at a delivery, and its result.
pub struct Attempt {
    pub delivery_id: i64,
    pub sent: Sent,
}

/// Records attempts at a webhook's deliveries, and releases the webhook.
pub fn record(
    conn: &mut Conn,
    webhook_id: i64,
    attempts: &[Attempt],
    attempted_at: NaiveDateTime,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let Some(mut webhook) = lock(conn, webhook_id)? else { return Ok(()) };
    for attempt in attempts {
        record_one(conn, webhook_id, attempt, attempted_at, now)?;
    }
    if attempts.iter().any(|attempt| attempt.sent.problem.is_none()) {
        (webhook.failing_since, webhook.failures_in_row) = (None, 0);
    } else if let Some(last) = attempts.last() {
        webhook.failures_in_row = webhook.failures_in_row.saturating_add(1);
        let since = *webhook.failing_since.get_or_insert(attempted_at);
        if should_disable_webhook(since, last.sent.status, now)
            && let Ok(state) = next_webhook_state(webhook.state, WebhookChange::Fail)
        {
            webhook.state = state;
            tell_owner(conn, &webhook, now)?;
        }
    }
    let rest = backoff_after(webhook.failures_in_row.unsigned_abs());
    let rests_until = (webhook.failures_in_row > 0).then(|| now + rest);
    let counted = (
        webhooks::state.eq(webhook.state),
        webhooks::failing_since.eq(webhook.failing_since),
        webhooks::failures_in_row.eq(webhook.failures_in_row),
        webhooks::rests_until.eq(rests_until),
    );
    diesel::update(webhooks::table.find(webhook_id)).set(counted).execute(conn)?;
    release(conn, &webhook, rests_until, now)
}

fn record_one(
    conn: &mut Conn,
    webhook_id: i64,
    attempt: &Attempt,
    attempted_at: NaiveDateTime,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let row = webhook_deliveries::table.find(attempt.delivery_id).select((
        webhook_deliveries::state,
        webhook_deliveries::attempts,
        webhook_deliveries::attempts_in_series,
        webhook_deliveries::next_attempt_at,
    ));
    type Row = (DeliveryState, i32, i32, Option<NaiveDateTime>);
    let row: Option<Row> = row.locked().get_result(conn).optional()?;
    // It has been deleted with its webhook.
    let Some((mut state, attempts, in_series, mut next_attempt_at)) = row else { return Ok(()) };
    let Attempt { delivery_id, sent } = attempt;
    let status = sent.status.map(i32::from);
    let made = (
        webhook_attempts::delivery_id.eq(delivery_id),
        webhook_attempts::webhook_id.eq(webhook_id),
        webhook_attempts::attempted_at.eq(attempted_at),
        webhook_attempts::duration_ms.eq(sent.duration_ms),
        webhook_attempts::status.eq(status),
        webhook_attempts::problem.eq(sent.problem),
        webhook_attempts::request_headers.eq(serde_json::to_string(&sent.request_headers)?),
        webhook_attempts::answer_headers.eq(serde_json::to_string(&sent.answer_headers)?),
        webhook_attempts::answer.eq(&sent.answer),
    );
    diesel::insert_into(webhook_attempts::table).values(made).execute(conn)?;
    if i64::from(attempts) >= KEPT_ATTEMPTS {
        forget_old_attempts(conn, *delivery_id)?;
    }
    let in_series = in_series + 1;
    let pause = retry_after(in_series.unsigned_abs(), u32::from_ne_bytes(random()));
    let (event, next) = match (sent.problem, pause) {
        (None, _) => (DeliveryEvent::Succeed, None),
        (Some(_), Some(pause)) => (DeliveryEvent::Retry, Some(now + pause)),
        (Some(_), None) => (DeliveryEvent::GiveUp, None),
    };
    // If two processes sent it because the first one was slow, the successful one counts.
    if let Ok(moved) = next_delivery_state(state, event) {
        (state, next_attempt_at) = (moved, next);
    }
    diesel::update(webhook_deliveries::table.find(delivery_id))
        .set((
            webhook_deliveries::state.eq(state),
            webhook_deliveries::attempts.eq(attempts + 1),
            webhook_deliveries::attempts_in_series.eq(in_series),
            webhook_deliveries::next_attempt_at.eq(next_attempt_at),
            webhook_deliveries::last_attempt_at.eq(attempted_at),
            webhook_deliveries::last_status.eq(status),
            webhook_deliveries::last_problem.eq(sent.problem),
            webhook_deliveries::last_duration_ms.eq(sent.duration_ms),
        ))
        .execute(conn)?;
    Ok(())
}

/// Deletes all but the latest attempts of a delivery that was resent many times.
fn forget_old_attempts(conn: &mut Conn, delivery_id: i64) -> Result<(), AppError> {
    let of_delivery = webhook_attempts::table.filter(webhook_attempts::delivery_id.eq(delivery_id));
    let oldest: Option<i64> = of_delivery
        .order(webhook_attempts::id.desc())
        .offset(KEPT_ATTEMPTS - 1)
        .select(webhook_attempts::id)
        .first(conn)
        .optional()?;
    if let Some(oldest) = oldest {
        diesel::delete(of_delivery.filter(webhook_attempts::id.lt(oldest))).execute(conn)?;
    }
    Ok(())
}

/// Notifies the owner, on screen and by mail, that a webhook was disabled.
fn tell_owner(conn: &mut Conn, webhook: &Locked, now: NaiveDateTime) -> Result<(), AppError> {
    let data = json!({ "WebhookId": webhook.id, "Url": webhook.url });
    events::record(conn, webhook.account_id, EventKind::WebhookDisabled, &data, now)?;
    let parameters = json!({ "Url": webhook.url, "Days": DISABLED_AFTER_DAYS });
    let (kind, template) = (EventKind::WebhookDisabled, MailTemplate::WebhookDisabled);
    mails::queue_for_account(conn, webhook.account_id, kind, template, &parameters, now)
}

/// Releases a locked webhook until its next delivery is due and its pause is over.
fn release(
    conn: &mut Conn,
    webhook: &Locked,
    rests_until: Option<NaiveDateTime>,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let next: Option<Option<NaiveDateTime>> = webhook_deliveries::table
        .filter(webhook_deliveries::webhook_id.eq(webhook.id))
        .filter(webhook_deliveries::next_attempt_at.is_not_null())
        .order(webhook_deliveries::next_attempt_at)
        .select(webhook_deliveries::next_attempt_at)
        .first(conn)
        .optional()?;
    let next_look_at = match (next.flatten(), webhook.state) {
        (None, _) | (_, WebhookState::Deleted) => None,
        (Some(next), WebhookState::Enabled) => Some(rests_until.map_or(next, |rested| next.max(rested))),
        // Pending deliveries are to be cancelled.
        (Some(_), WebhookState::Paused | WebhookState::Failed) => Some(now),
    };
    let free = (webhooks::held_until.eq(None::<NaiveDateTime>), webhooks::next_look_at.eq(next_look_at));
    diesel::update(webhooks::table.find(webhook.id)).set(free).execute(conn)?;
    Ok(())
}

/// Cancels a chunk of the pending deliveries of a webhook that is disabled, or of the shop and no operator's any more.
pub fn cancel_pending(conn: &mut Conn, webhook_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let Some(webhook) = lock(conn, webhook_id)? else { return Ok(()) };
    let owner = webhooks::table.find(webhook_id).select((webhooks::is_of_shop, webhooks::account_id));
    let (is_of_shop, account_id): (bool, i64) = owner.first(conn)?;
    let has_lost_owner = is_of_shop && !staff::operators(conn)?.contains(&account_id);
    if webhook.state != WebhookState::Enabled || has_lost_owner {
        let pending: Vec<i64> = webhook_deliveries::table
            .filter(webhook_deliveries::webhook_id.eq(webhook_id))
            .filter(webhook_deliveries::next_attempt_at.is_not_null())
            .limit(CANCELLED_AT_ONCE)
            .select(webhook_deliveries::id)
            .load(conn)?;
        let state = next_delivery_state(DeliveryState::Pending, DeliveryEvent::Cancel);
        let state = state.map_err(|refused| AppError::state_forbids(refused.state.as_str()))?;
        diesel::update(webhook_deliveries::table.filter(webhook_deliveries::id.eq_any(pending)))
            .set((webhook_deliveries::state.eq(state), webhook_deliveries::next_attempt_at.eq(None::<NaiveDateTime>)))
            .execute(conn)?;
    }
    release(conn, &webhook, None, now)
}
