//! Sends due deliveries. A webhook is leased by one process at a time, which sends it a few deliveries concurrently: a hanging endpoint delays only
//! its own deliveries.
use crate::accounts::staff;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::outbound::send::Message;
use crate::schema::webhooks;
use crate::state::App;
use crate::webhooks::lifecycle::{self, Attempt};
use crate::webhooks::queries::{self, Due};
use chrono::{NaiveDateTime, TimeDelta};
use futures_util::future::join_all;
use postern_core::webhook_delivery::{WebhookState, deliveries_at_once};
use std::time::{Duration, Instant};

/// The lease of a webhook, after which another process takes over from a crashed one.
const HELD_SECONDS: i64 = 60;

/// How often a process checks for more while it is sending.
const PAUSE: Duration = Duration::from_millis(100);

/// A round ends after this long; its deliveries in flight continue.
const ROUND: Duration = Duration::from_secs(2);

/// One round: sends the deliveries that are due or become due meanwhile.
pub async fn deliver(app: &App) -> Result<(), AppError> {
    let began = Instant::now();
    loop {
        let began_some = begin_due(app).await?;
        let is_idle = app.webhooks.is_idle_within(PAUSE).await;
        if (is_idle && !began_some) || began.elapsed() > ROUND {
            return Ok(());
        }
    }
}

/// Begins to deliver to due webhooks, up to the limit. Returns whether there were any.
async fn begin_due(app: &App) -> Result<bool, AppError> {
    let now = app.clock.now();
    if !app.webhooks.has_room() || !app.db.read(move |conn| has_due(conn, now)).await? {
        return Ok(false);
    }
    let permits = app.webhooks.room();
    let room = permits.len() as i64;
    let taken = app.db.write(move |conn| take_due(conn, room, now)).await?;
    let began_some = !taken.is_empty();
    for (webhook, permit) in taken.into_iter().zip(permits) {
        let app = app.clone();
        tokio::spawn(async move {
            let webhook_id = webhook.id;
            if let Err(error) = send_due(&app, webhook).await {
                tracing::error!(webhook_id, %error, "deliveries to a webhook could not be processed");
            }
            drop(permit);
        });
    }
    Ok(began_some)
}

fn has_due(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    let due = webhooks::table.filter(webhooks::next_look_at.le(now)).select(webhooks::id);
    Ok(due.first::<i64>(conn).optional()?.is_some())
}

/// A webhook leased by this process.
#[derive(Queryable, Selectable)]
#[diesel(table_name = webhooks)]
struct Held {
    id: i64,
    account_id: i64,
    is_of_shop: bool,
    url: String,
    state: WebhookState,
    secret_sealed: String,
    old_secret_sealed: Option<String>,
    old_secret_until: Option<NaiveDateTime>,
    failures_in_row: i32,
}

/// Leases due webhooks, until they are released or the lease expires.
fn take_due(conn: &mut Conn, room: i64, now: NaiveDateTime) -> Result<Vec<Held>, AppError> {
    let due = webhooks::table.filter(webhooks::next_look_at.le(now)).order(webhooks::next_look_at).limit(room);
    let ids: Vec<i64> = due.select(webhooks::id).locked_if_free().load(conn)?;
    let until = now + TimeDelta::seconds(HELD_SECONDS);
    let these = webhooks::table.filter(webhooks::id.eq_any(&ids));
    diesel::update(these).set((webhooks::held_until.eq(until), webhooks::next_look_at.eq(until))).execute(conn)?;
    let these = webhooks::table.filter(webhooks::id.eq_any(&ids));
    Ok(these.order(webhooks::id).select(Held::as_select()).load(conn)?)
}

/// Sends a few of the due deliveries of a webhook concurrently.
async fn send_due(app: &App, webhook: Held) -> Result<(), AppError> {
    let (webhook_id, now) = (webhook.id, app.clock.now());
    let account_id = webhook.account_id;
    let is_operators = move |conn: &mut Conn| Ok(staff::operators(conn)?.contains(&account_id));
    // What was queued for an operator is not for one who is none any more.
    let has_lost_owner = webhook.is_of_shop && !app.db.read(is_operators).await?;
    if webhook.state != WebhookState::Enabled || has_lost_owner {
        return app.db.write(move |conn| lifecycle::cancel_pending(conn, webhook_id, now)).await;
    }
    let secrets = secrets_of(app, &webhook, now)?;
    let most = deliveries_at_once(webhook.failures_in_row.unsigned_abs()) as i64;
    let due = app.db.read(move |conn| queries::due(conn, webhook_id, most, now)).await?;
    let send = async |delivery: Due| {
        let Due { id: delivery_id, message_id, body } = delivery;
        let message = Message { url: &webhook.url, secrets: &secrets, message_id: &message_id, body };
        Ok(Attempt { delivery_id, sent: app.webhooks.sender.send(message, now).await? })
    };
    let attempts: Result<Vec<Attempt>, AppError> = join_all(due.into_iter().map(send)).await.into_iter().collect();
    let (attempts, done_at) = (attempts?, app.clock.now());
    app.db.write(move |conn| lifecycle::record(conn, webhook_id, &attempts, now, done_at)).await
}

/// The currently valid signing secrets, newest first.
fn secrets_of(app: &App, webhook: &Held, now: NaiveDateTime) -> Result<Vec<String>, AppError> {
    let old = webhook.old_secret_sealed.as_ref().filter(|_| webhook.old_secret_until.is_some_and(|until| now < until));
    let sealed = std::iter::once(&webhook.secret_sealed).chain(old);
    sealed.map(|sealed| app.key.open(sealed).map_err(AppError::Internal)).collect()
}
