//! Creates the deliveries of events, in the transaction that marks them as dispatched.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{events, webhooks};
use crate::state::App;
use crate::webhooks::lifecycle::{self, EventToDeliver};
use chrono::NaiveDateTime;
use diesel::dsl::not;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use postern_core::event::EventKind;
use postern_core::webhook::receives;
use postern_core::webhook_delivery::WebhookState;

/// Events per transaction.
const BATCH: i64 = 500;

/// Events per transaction that no webhook receives: they only need the mark.
const UNSUBSCRIBED_BATCH: i64 = 5_000;

pub async fn dispatch(app: &App) -> Result<(), AppError> {
    loop {
        if !app.db.read(has_waiting).await? {
            return Ok(());
        }
        let now = app.clock.now();
        let is_all = app.db.write(move |conn| {
            let unsubscribed = mark_unsubscribed(conn)?;
            Ok(dispatch_some(conn, now)? < BATCH as usize && unsubscribed < UNSUBSCRIBED_BATCH as usize)
        });
        if is_all.await? {
            return Ok(());
        }
    }
}

fn has_waiting(conn: &mut Conn) -> Result<bool, AppError> {
    let waiting = events::table.filter(not(events::is_dispatched)).select(events::id);
    Ok(waiting.first::<i64>(conn).optional()?.is_some())
}

/// Marks a chunk of events of accounts without an enabled webhook as dispatched.
fn mark_unsubscribed(conn: &mut Conn) -> Result<usize, AppError> {
    let text = |lock: &str, bind: &str| {
        format!(
            "UPDATE events SET is_dispatched = TRUE WHERE id IN (SELECT events.id FROM events WHERE NOT events.is_dispatched \
             AND NOT EXISTS (SELECT 1 FROM webhooks WHERE webhooks.account_id = events.account_id AND webhooks.state = '{}') \
             ORDER BY events.id LIMIT {bind} {lock})",
            WebhookState::Enabled.as_str()
        )
    };
    Ok(match conn {
        Conn::Postgres(conn) => {
            let text = text("FOR UPDATE OF events SKIP LOCKED", "$1");
            sql_query(text).bind::<BigInt, _>(UNSUBSCRIBED_BATCH).execute(conn)?
        }
        Conn::Sqlite(conn) => sql_query(text("", "?")).bind::<BigInt, _>(UNSUBSCRIBED_BATCH).execute(conn)?,
    })
}

type Subscription = (i64, i64, Option<String>, NaiveDateTime);

/// Creates the deliveries of the oldest events; returns how many events there were.
fn dispatch_some(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    let waiting = events::table.filter(not(events::is_dispatched)).order(events::id).limit(BATCH);
    let waiting = waiting.select((events::id, events::account_id, events::kind, events::data, events::created_at));
    let to_deliver: Vec<EventToDeliver> = waiting.locked_if_free().load(conn)?;
    let mut account_ids: Vec<i64> = to_deliver.iter().map(|event| event.account_id).collect();
    account_ids.sort_unstable();
    account_ids.dedup();
    let subscriptions = webhooks::table
        .filter(webhooks::account_id.eq_any(account_ids))
        .filter(webhooks::state.eq(WebhookState::Enabled))
        .order(webhooks::id)
        .select((webhooks::id, webhooks::account_id, webhooks::events, webhooks::created_at));
    // Lock in the order of ids, before updating them.
    let subscriptions: Vec<Subscription> = subscriptions.locked().load(conn)?;
    let mut deliveries = Vec::new();
    for event in &to_deliver {
        let mut ids = Vec::new();
        for (webhook_id, account_id, chosen, created_at) in &subscriptions {
            let chosen: Option<Vec<EventKind>> = chosen.as_deref().map(serde_json::from_str).transpose()?;
            let is_later = event.created_at >= *created_at;
            if *account_id == event.account_id && is_later && receives(chosen.as_deref(), event.kind) {
                ids.push(*webhook_id);
            }
        }
        deliveries.extend(lifecycle::deliveries_of(event, &ids)?);
    }
    lifecycle::begin(conn, &deliveries, now)?;
    let ids: Vec<i64> = to_deliver.iter().map(|event| event.id).collect();
    diesel::update(events::table.filter(events::id.eq_any(&ids))).set(events::is_dispatched.eq(true)).execute(conn)?;
    Ok(ids.len())
}
