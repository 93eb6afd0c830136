//! Creates the deliveries of events, in the transaction that marks them as dispatched.
use crate::accounts::queries::emails_of;
use crate::accounts::staff;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{events, webhooks};
use crate::state::App;
use crate::webhooks::lifecycle::{self, EventToDeliver, Recipient};
use chrono::NaiveDateTime;
use diesel::dsl::{not, sql};
use diesel::sql_query;
use diesel::sql_types::{BigInt, Bool};
use postern_core::event::EventKind;
use postern_core::webhook::{receives, shop_receives};
use postern_core::webhook_delivery::WebhookState;
use serde_json::{Map, Value};
use std::collections::HashMap;

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

/// Marks a chunk of events of accounts without an enabled webhook as dispatched, unless the shop has one.
fn mark_unsubscribed(conn: &mut Conn) -> Result<usize, AppError> {
    let text = |lock: &str, bind: &str| {
        format!(
            "UPDATE events SET is_dispatched = TRUE WHERE id IN (SELECT events.id FROM events WHERE NOT events.is_dispatched \
             AND NOT EXISTS (SELECT 1 FROM webhooks WHERE webhooks.account_id = events.account_id AND webhooks.state = '{enabled}') \
             AND NOT EXISTS (SELECT 1 FROM webhooks WHERE is_of_shop AND webhooks.state = '{enabled}') \
             ORDER BY events.id LIMIT {bind} {lock})",
            enabled = WebhookState::Enabled.as_str()
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

/// An enabled webhook and what it receives.
#[derive(Queryable, Selectable)]
#[diesel(table_name = webhooks)]
struct Subscription {
    id: i64,
    account_id: i64,
    is_of_shop: bool,
    events: Option<String>,
    created_at: NaiveDateTime,
}

impl Subscription {
    fn receives(&self, event: &EventToDeliver) -> Result<bool, AppError> {
        let chosen: Option<Vec<EventKind>> = self.events.as_deref().map(serde_json::from_str).transpose()?;
        let is_chosen = match self.is_of_shop {
            true => shop_receives(chosen.as_deref(), event.kind),
            false => self.account_id == event.account_id && receives(chosen.as_deref(), event.kind),
        };
        Ok(is_chosen && event.created_at >= self.created_at)
    }
}

/// The enabled webhooks of these accounts and of the shop, locked.
fn subscriptions(conn: &mut Conn, account_ids: &[i64]) -> Result<Vec<Subscription>, AppError> {
    let operators = staff::operators(conn)?;
    let of_accounts = not(webhooks::is_of_shop).and(webhooks::account_id.eq_any(account_ids));
    // Written as in the partial index.
    let of_shop = sql::<Bool>("is_of_shop").and(webhooks::account_id.eq_any(operators));
    let mut ids: Vec<i64> = webhooks::table.filter(of_accounts).select(webhooks::id).load(conn)?;
    ids.extend(webhooks::table.filter(of_shop).select(webhooks::id).load::<i64>(conn)?);
    let enabled = webhooks::table.filter(webhooks::id.eq_any(ids)).filter(webhooks::state.eq(WebhookState::Enabled));
    // Lock in the order of ids, before updating them.
    Ok(enabled.order(webhooks::id).select(Subscription::as_select()).locked().load(conn)?)
}

/// Creates the deliveries of the oldest events; returns how many events there were.
fn dispatch_some(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    let waiting = events::table.filter(not(events::is_dispatched)).order(events::id).limit(BATCH);
    let waiting = waiting.select((events::id, events::account_id, events::kind, events::data, events::created_at));
    let to_deliver: Vec<EventToDeliver> = waiting.locked_if_free().load(conn)?;
    let mut account_ids: Vec<i64> = to_deliver.iter().map(|event| event.account_id).collect();
    account_ids.sort_unstable();
    account_ids.dedup();
    let subscriptions = subscriptions(conn, &account_ids)?;
    let is_shop_told = subscriptions.iter().any(|subscription| subscription.is_of_shop);
    let emails = if is_shop_told { emails_of(conn, &account_ids)? } else { HashMap::new() };
    let mut deliveries = Vec::new();
    for event in &to_deliver {
        let (mut own, mut of_shop) = (Vec::new(), Vec::new());
        for subscription in &subscriptions {
            if subscription.receives(event)? {
                let recipient = Recipient { webhook_id: subscription.id, account_id: subscription.account_id };
                if subscription.is_of_shop { of_shop.push(recipient) } else { own.push(recipient) }
            }
        }
        deliveries.extend(lifecycle::deliveries_of(event, &own)?);
        if !of_shop.is_empty() {
            let email = emails.get(&event.account_id).map_or("", String::as_str);
            deliveries.extend(lifecycle::deliveries_of(&with_account(event, email)?, &of_shop)?);
        }
    }
    lifecycle::begin(conn, &deliveries, now)?;
    let ids: Vec<i64> = to_deliver.iter().map(|event| event.id).collect();
    diesel::update(events::table.filter(events::id.eq_any(&ids))).set(events::is_dispatched.eq(true)).execute(conn)?;
    Ok(ids.len())
}

/// The event with the account that it happened to.
fn with_account(event: &EventToDeliver, email: &str) -> Result<EventToDeliver, AppError> {
    let mut data: Map<String, Value> = serde_json::from_str(&event.data)?;
    data.insert("AccountId".to_owned(), event.account_id.into());
    data.insert("Email".to_owned(), email.into());
    Ok(EventToDeliver { data: Value::Object(data).to_string(), ..event.clone() })
}
