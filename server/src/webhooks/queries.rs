//! SQL about webhooks and their deliveries. Every row returned to a user is found by its account.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, page_of_rows};
use crate::outbound::send::Header;
use crate::outbound::signature::new_secret;
use crate::schema::{events, webhook_attempts, webhook_deliveries, webhooks};
use crate::security::SecretKey;
use crate::webhooks::lifecycle::{self, EventToDeliver, KEPT_ATTEMPTS, Recipient, newly_enabled};
use crate::webhooks::types::{AddWebhook, AttemptView, DeliveryDetail, DeliveryFilter, DeliveryView, WebhookView};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::code::Code;
use postern_core::event::EventKind;
use postern_core::list::DELIVERIES;
use postern_core::time::to_wire;
use postern_core::webhook::WebhookForm;
use postern_core::webhook_delivery::{
    COUNTED_ATTEMPTS, DeliveryProblem, DeliveryState, OLD_SECRET_HOURS, WebhookState,
};
use serde_json::json;

fn events_column(form: &WebhookForm) -> Result<Option<String>, AppError> {
    Ok(form.events.as_ref().map(serde_json::to_string).transpose()?)
}

/// The number of an account's webhooks.
pub fn count(conn: &mut Conn, account_id: i64) -> Result<i64, AppError> {
    let own = webhooks::table.filter(webhooks::account_id.eq(account_id));
    Ok(own.filter(webhooks::deleted_at.is_null()).count().get_result(conn)?)
}

pub fn insert(
    conn: &mut Conn,
    account_id: i64,
    new: &AddWebhook,
    secret_sealed: &str,
    now: NaiveDateTime,
) -> Result<i64, AppError> {
    let form = &new.form;
    let row = (
        webhooks::account_id.eq(account_id),
        webhooks::is_of_shop.eq(new.is_of_shop),
        webhooks::url.eq(&form.url),
        webhooks::description.eq(&form.description),
        webhooks::events.eq(events_column(form)?),
        newly_enabled(),
        webhooks::secret_sealed.eq(secret_sealed),
        webhooks::created_at.eq(now),
    );
    Ok(diesel::insert_into(webhooks::table).values(row).returning(webhooks::id).get_result(conn)?)
}

/// The kinds of events that a webhook receives; `None` for all.
pub fn events_of(conn: &mut Conn, webhook_id: i64) -> Result<Option<Vec<EventKind>>, AppError> {
    let events: Option<String> = webhooks::table.find(webhook_id).select(webhooks::events).first(conn)?;
    Ok(events.as_deref().map(serde_json::from_str).transpose()?)
}

/// Changes a locked webhook. A new URL resets its failure count.
pub fn update(conn: &mut Conn, row: &lifecycle::Locked, form: &WebhookForm) -> Result<(), AppError> {
    let changed = (
        webhooks::url.eq(&form.url),
        webhooks::description.eq(&form.description),
        webhooks::events.eq(events_column(form)?),
    );
    diesel::update(webhooks::table.find(row.id)).set(changed).execute(conn)?;
    if row.url != form.url {
        diesel::update(webhooks::table.find(row.id)).set(lifecycle::new_beginning()).execute(conn)?;
    }
    Ok(())
}

/// Replaces the secret of a locked webhook; returns until when requests are also signed with the previous one.
pub fn rotate(
    conn: &mut Conn,
    webhook_id: i64,
    secret_sealed: &str,
    now: NaiveDateTime,
) -> Result<NaiveDateTime, AppError> {
    let until = now + TimeDelta::hours(OLD_SECRET_HOURS);
    let this = webhooks::table.find(webhook_id);
    let old: String = this.select(webhooks::secret_sealed).first(conn)?;
    let rotated = (
        webhooks::secret_sealed.eq(secret_sealed),
        webhooks::old_secret_sealed.eq(old),
        webhooks::old_secret_until.eq(until),
    );
    diesel::update(this).set(rotated).execute(conn)?;
    Ok(until)
}

/// Replaces the secrets of all webhooks of the shop, after its secret key was lost; previous ones that were still used end. Returns the account of each.
pub fn replace_all_secrets(conn: &mut Conn, key: &SecretKey) -> Result<Vec<i64>, AppError> {
    let alive = webhooks::table.filter(webhooks::deleted_at.is_null()).order(webhooks::id);
    let alive: Vec<(i64, i64)> = alive.select((webhooks::id, webhooks::account_id)).load(conn)?;
    for (id, _) in &alive {
        let replaced = (
            webhooks::secret_sealed.eq(key.seal(&new_secret()).map_err(AppError::Internal)?),
            webhooks::old_secret_sealed.eq(None::<String>),
            webhooks::old_secret_until.eq(None::<NaiveDateTime>),
        );
        diesel::update(webhooks::table.find(id)).set(replaced).execute(conn)?;
    }
    Ok(alive.into_iter().map(|webhook| webhook.1).collect())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = webhooks)]
struct WebhookRow {
    id: i64,
    url: String,
    description: String,
    events: Option<String>,
    state: WebhookState,
    is_of_shop: bool,
    failing_since: Option<NaiveDateTime>,
    old_secret_until: Option<NaiveDateTime>,
    created_at: NaiveDateTime,
}

/// The webhooks of an account, oldest first, with the results of their latest attempts.
pub fn list(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<WebhookView>, AppError> {
    let rows: Vec<WebhookRow> = webhooks::table
        .filter(webhooks::account_id.eq(account_id))
        .filter(webhooks::deleted_at.is_null())
        .order(webhooks::id)
        .select(WebhookRow::as_select())
        .load(conn)?;
    rows.into_iter().map(|row| view(conn, row, now)).collect()
}

fn view(conn: &mut Conn, row: WebhookRow, now: NaiveDateTime) -> Result<WebhookView, AppError> {
    type Recent = (NaiveDateTime, Option<i32>, Option<DeliveryProblem>);
    let recent: Vec<Recent> = webhook_attempts::table
        .filter(webhook_attempts::webhook_id.eq(row.id))
        .order(webhook_attempts::id.desc())
        .limit(COUNTED_ATTEMPTS)
        .select((webhook_attempts::attempted_at, webhook_attempts::status, webhook_attempts::problem))
        .load(conn)?;
    let last = recent.first().copied();
    Ok(WebhookView {
        webhook_id: row.id,
        url: row.url,
        description: row.description,
        events: row.events.as_deref().map(serde_json::from_str::<Vec<EventKind>>).transpose()?,
        state: row.state,
        is_of_shop: row.is_of_shop,
        created_at: to_wire(row.created_at),
        failing_since: row.failing_since.map(to_wire),
        old_secret_until: row.old_secret_until.filter(|until| now < *until).map(to_wire),
        last_attempt_at: last.map(|last| to_wire(last.0)),
        last_status: last.and_then(|last| last.1),
        last_problem: last.and_then(|last| last.2),
        recent_attempts: recent.len(),
        recent_failures: recent.iter().filter(|attempt| attempt.2.is_some()).count(),
    })
}

/// Creates a delivery of a test event to one webhook; returns its id.
pub fn insert_test(conn: &mut Conn, account_id: i64, webhook_id: i64, now: NaiveDateTime) -> Result<i64, AppError> {
    let data = json!({ "WebhookId": webhook_id }).to_string();
    let row = (
        events::account_id.eq(account_id),
        events::kind.eq(EventKind::WebhookTest),
        events::data.eq(&data),
        events::created_at.eq(now),
        events::is_dispatched.eq(true),
    );
    let id: i64 = diesel::insert_into(events::table).values(row).returning(events::id).get_result(conn)?;
    let event = EventToDeliver { id, account_id, kind: EventKind::WebhookTest, data, created_at: now };
    lifecycle::begin(conn, &lifecycle::deliveries_of(&event, &[Recipient { webhook_id, account_id }])?, now)?;
    lifecycle::wake(conn, &[webhook_id], now)?;
    let this = webhook_deliveries::table
        .filter(webhook_deliveries::event_id.eq(id))
        .filter(webhook_deliveries::webhook_id.eq(webhook_id));
    Ok(this.select(webhook_deliveries::id).first(conn)?)
}

/// A due delivery.
#[derive(Queryable)]
pub struct Due {
    pub id: i64,
    pub message_id: String,
    pub body: String,
}

/// Due deliveries of a webhook, longest overdue first.
pub fn due(conn: &mut Conn, webhook_id: i64, most: i64, now: NaiveDateTime) -> Result<Vec<Due>, AppError> {
    Ok(webhook_deliveries::table
        .filter(webhook_deliveries::webhook_id.eq(webhook_id))
        .filter(webhook_deliveries::next_attempt_at.le(now))
        .order(webhook_deliveries::next_attempt_at)
        .limit(most)
        .select((webhook_deliveries::id, webhook_deliveries::message_id, webhook_deliveries::body))
        .load(conn)?)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = webhook_deliveries)]
struct DeliveryRow {
    id: i64,
    webhook_id: i64,
    message_id: String,
    kind: EventKind,
    state: DeliveryState,
    attempts: i32,
    created_at: NaiveDateTime,
    last_attempt_at: Option<NaiveDateTime>,
    next_attempt_at: Option<NaiveDateTime>,
    last_status: Option<i32>,
    last_problem: Option<DeliveryProblem>,
    last_duration_ms: Option<i32>,
}

impl DeliveryRow {
    fn view(self) -> DeliveryView {
        DeliveryView {
            delivery_id: self.id,
            webhook_id: self.webhook_id,
            message_id: self.message_id,
            kind: self.kind,
            state: self.state,
            attempts: self.attempts,
            created_at: to_wire(self.created_at),
            last_attempt_at: self.last_attempt_at.map(to_wire),
            next_attempt_at: self.next_attempt_at.map(to_wire),
            status: self.last_status,
            problem: self.last_problem,
            duration_ms: self.last_duration_ms,
        }
    }
}

/// A page of an account's deliveries, newest first.
pub fn deliveries(conn: &mut Conn, account_id: i64, list: &ListRequest) -> Result<Page<DeliveryView>, AppError> {
    let filter: DeliveryFilter = list.filters()?;
    let asked = list.asked(&DELIVERIES)?;
    let narrowed = || {
        let mut query = webhook_deliveries::table.filter(webhook_deliveries::account_id.eq(account_id)).into_boxed();
        if let Some(webhook_id) = filter.webhook_id {
            query = query.filter(webhook_deliveries::webhook_id.eq(webhook_id));
        }
        if let Some(state) = filter.state {
            query = query.filter(webhook_deliveries::state.eq(state));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: DeliveryRow| narrowed().select(DeliveryRow::as_select()),
        counted: narrowed().select(webhook_deliveries::id), number: webhook_deliveries::id => row.id, fields: {}
    );
    page.map(DeliveryRow::view)
}

/// The kind of the event of one of the account's deliveries, and whether its webhook is one of the shop.
pub fn kind_of_delivery(conn: &mut Conn, account_id: i64, delivery_id: i64) -> Result<(EventKind, bool), AppError> {
    let own = webhook_deliveries::table
        .inner_join(webhooks::table.on(webhooks::id.eq(webhook_deliveries::webhook_id)))
        .filter(webhook_deliveries::id.eq(delivery_id))
        .filter(webhook_deliveries::account_id.eq(account_id));
    let kind = own.select((webhook_deliveries::kind, webhooks::is_of_shop)).first(conn).optional()?;
    kind.ok_or_else(|| AppError::code(Code::NotFound))
}

/// One of the account's deliveries, with its latest attempts.
pub fn delivery(conn: &mut Conn, account_id: i64, delivery_id: i64) -> Result<DeliveryDetail, AppError> {
    let found: Option<(DeliveryRow, String, bool, String)> = webhook_deliveries::table
        .inner_join(webhooks::table.on(webhooks::id.eq(webhook_deliveries::webhook_id)))
        .filter(webhook_deliveries::id.eq(delivery_id))
        .filter(webhook_deliveries::account_id.eq(account_id))
        .filter(webhooks::deleted_at.is_null())
        .select((DeliveryRow::as_select(), webhooks::url, webhooks::is_of_shop, webhook_deliveries::body))
        .first(conn)
        .optional()?;
    let (row, url, is_of_shop, body) = found.ok_or_else(|| AppError::code(Code::NotFound))?;
    type Row = (NaiveDateTime, i32, Option<i32>, Option<DeliveryProblem>, String, String, String);
    let attempts: Vec<Row> = webhook_attempts::table
        .filter(webhook_attempts::delivery_id.eq(delivery_id))
        .order(webhook_attempts::id.desc())
        .limit(KEPT_ATTEMPTS)
        .select((
            webhook_attempts::attempted_at,
            webhook_attempts::duration_ms,
            webhook_attempts::status,
            webhook_attempts::problem,
            webhook_attempts::request_headers,
            webhook_attempts::answer_headers,
            webhook_attempts::answer,
        ))
        .load(conn)?;
    let headers = |json: &str| serde_json::from_str::<Vec<Header>>(json);
    let view = |(attempted_at, duration_ms, status, problem, request, answered, answer): Row| {
        Ok(AttemptView {
            attempted_at: to_wire(attempted_at),
            duration_ms,
            status,
            problem,
            request_headers: headers(&request)?,
            answer_headers: headers(&answered)?,
            answer,
        })
    };
    let attempts: Result<Vec<AttemptView>, AppError> = attempts.into_iter().map(view).collect();
    Ok(DeliveryDetail { delivery: row.view(), url, is_of_shop, body, attempts: attempts? })
}
