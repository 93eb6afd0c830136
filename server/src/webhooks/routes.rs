//! The calls of the group `Webhooks`.
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, SignedIn, Write, once, once_sealed};
use crate::ledger::lock_wallet;
use crate::outbound::signature::new_secret;
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::throttle;
use crate::webhooks::lifecycle::{self, Locked};
use crate::webhooks::queries;
use crate::webhooks::types::*;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::account::Throttle;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::calls::Scope;
use postern_core::event::EventKind;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use postern_core::security_log::SecurityKind;
use postern_core::time::to_wire;
use postern_core::web_address::WebAddress;
use postern_core::webhook::{MAX_WEBHOOKS, WebhookForm, receives_amounts, validate_webhook};
use postern_core::webhook_delivery::{WEBHOOK_SAVES, WEBHOOK_SENDS, WebhookState};
use serde_json::Value;

type AppData = web::Data<App>;

/// Counts a call that makes this server send requests or resolve names, for its rate limit.
async fn count(app: &App, account_id: i64, what: &str, throttle: Throttle) -> Result<(), AppError> {
    let (bucket, now) = (format!("{what} {account_id}"), app.clock.now());
    app.db.write(move |conn| throttle::hit(conn, &bucket, throttle, now)).await
}

/// Validates a form; refuses it if the host currently resolves to a private address.
async fn checked(app: &App, account_id: i64, form: &WebhookForm) -> Result<WebhookForm, AppError> {
    let guard = &app.webhooks.sender.guard;
    let form = validate_webhook(form, guard.reach(&form.url))?;
    count(app, account_id, "webhook saves", WEBHOOK_SAVES).await?;
    match guard.is_private(&form.url).await {
        true => Err(FieldErrors::one("Url", Rule::WebhookPrivate, &[]).into()),
        false => Ok(form),
    }
}

/// Refuses a key without the scope for billing that would let a webhook receive amounts.
fn check_amounts(who: &SignedIn, events: Option<&[EventKind]>) -> Result<(), AppError> {
    if receives_amounts(events) { who.require(Scope::ReadBilling) } else { Ok(()) }
}

/// Refuses others than operators, if the webhook tells of all accounts.
fn check_shop(who: &SignedIn, is_of_shop: bool) -> Result<(), AppError> {
    if is_of_shop { who.require_operator() } else { Ok(()) }
}

/// What the audit log says of an address: its path may contain a secret, and accountants read the log.
fn host_of(url: &str) -> String {
    WebAddress::parse(url).map(|address| address.host.to_string()).unwrap_or_default()
}

/// Records a change of a webhook of the shop in the audit log; others are their owner's own.
fn note_shop(
    conn: &mut Conn,
    actor: &Actor,
    webhook: &Locked,
    (action, change): (AuditAction, Option<AuditChange>),
    now: NaiveDateTime,
) -> Result<(), AppError> {
    if !webhook.is_of_shop {
        return Ok(());
    }
    audit::record(conn, actor, Entry::new(action).subject(host_of(&webhook.url)).changes(change), now)
}

async fn list(app: &App, account_id: i64) -> Answered<WebhookList> {
    let now = app.clock.now();
    let webhooks = app.db.read(move |conn| queries::list(conn, account_id, now)).await?;
    let test_hosts = app.webhooks.sender.guard.test_hosts().to_vec();
    answer(WebhookList { webhooks, max_webhooks: MAX_WEBHOOKS, test_hosts })
}

/// Lists the webhooks with the results of their latest deliveries, oldest first.
#[utoipa::path(responses((status = 200, body = Answer<WebhookList>)))]
#[post("/Webhooks/GetWebhookList")]
pub async fn get_webhook_list(app: AppData, who: SignedIn) -> Answered<WebhookList> {
    list(&app, who.account_id).await
}

/// Adds a webhook: an HTTPS URL that receives events, signed by Standard Webhooks.
///
/// Without `Events` it receives all events. `Secret` is returned only here. URLs outside the public internet are refused. An API key needs
/// `billing:read` for events that tell amounts. With `IsOfShop`, which is for operators, it receives the events of all accounts.
#[utoipa::path(request_body = AddWebhook, responses((status = 200, body = Answer<WebhookSecret>)))]
#[post("/Webhooks/AddWebhook")]
pub async fn add_webhook(app: AppData, who: SignedIn, actor: Actor, write: Write<AddWebhook>) -> Answered<Value> {
    check_shop(&who, write.body.is_of_shop)?;
    let form = checked(&app, who.account_id, &write.body.form).await?;
    check_amounts(&who, form.events.as_deref())?;
    let new = AddWebhook { is_of_shop: write.body.is_of_shop, form };
    let (now, key) = (app.clock.now(), app.key.clone());
    let added = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once_sealed(conn, &key, who.account_id, &write.repeat, now, |conn| {
            if queries::count(conn, who.account_id)? >= i64::from(MAX_WEBHOOKS) {
                return Err(FieldErrors::one("Url", Rule::TooManyItems, &[("Max", MAX_WEBHOOKS.to_string())]).into());
            }
            let secret = new_secret();
            let sealed = key.seal(&secret).map_err(AppError::Internal)?;
            let url = AuditChange::new(AuditField::Host, host_of(&new.form.url));
            let webhook_id = queries::insert(conn, who.account_id, &new, &sealed, now)?;
            let webhook = lifecycle::lock_own(conn, who.account_id, webhook_id)?;
            note_shop(conn, &actor, &webhook, (AuditAction::WebhookAdded, Some(url)), now)?;
            Ok(WebhookSecret { webhook_id, secret, old_secret_until: None })
        })
    });
    answer(added.await?)
}

/// Changes a webhook's URL, description and events. Its secret stays unchanged.
#[utoipa::path(request_body = EditWebhook, responses((status = 200, body = Answer<WebhookList>)))]
#[post("/Webhooks/EditWebhook")]
pub async fn edit_webhook(
    app: AppData,
    who: SignedIn,
    actor: Actor,
    Body(edit): Body<EditWebhook>,
) -> Answered<WebhookList> {
    let form = checked(&app, who.account_id, &edit.form).await?;
    check_amounts(&who, form.events.as_deref())?;
    let (account_id, now) = (who.account_id, app.clock.now());
    let edited = app.db.write(move |conn| {
        let webhook = lifecycle::lock_own(conn, who.account_id, edit.webhook_id)?;
        check_shop(&who, webhook.is_of_shop)?;
        // What it received so far would go to another URL.
        check_amounts(&who, queries::events_of(conn, webhook.id)?.as_deref())?;
        queries::update(conn, &webhook, &form)?;
        let url = AuditChange::between(AuditField::Host, host_of(&webhook.url), host_of(&form.url));
        note_shop(conn, &actor, &webhook, (AuditAction::WebhookChanged, url), now)
    });
    edited.await?;
    list(&app, account_id).await
}

/// Deletes a webhook and its deliveries. Nothing more is sent to it.
#[utoipa::path(request_body = WebhookRef, responses((status = 200, body = Answer<WebhookList>)))]
#[post("/Webhooks/DeleteWebhook")]
pub async fn delete_webhook(
    app: AppData,
    who: SignedIn,
    actor: Actor,
    Body(webhook): Body<WebhookRef>,
) -> Answered<WebhookList> {
    let (account_id, now) = (who.account_id, app.clock.now());
    let deleted = app.db.write(move |conn| {
        let webhook = lifecycle::lock_own(conn, who.account_id, webhook.webhook_id)?;
        lifecycle::delete(conn, &webhook, now)?;
        note_shop(conn, &actor, &webhook, (AuditAction::WebhookDeleted, None), now)
    });
    deleted.await?;
    list(&app, account_id).await
}

/// Enables or disables a webhook. A disabled webhook misses events, and its pending deliveries are cancelled; they can be resent.
#[utoipa::path(request_body = EnableWebhook, responses((status = 200, body = Answer<WebhookList>)))]
#[post("/Webhooks/EnableWebhook")]
pub async fn enable_webhook(
    app: AppData,
    who: SignedIn,
    actor: Actor,
    Body(switch): Body<EnableWebhook>,
) -> Answered<WebhookList> {
    let (account_id, now) = (who.account_id, app.clock.now());
    let switched = app.db.write(move |conn| {
        let webhook = lifecycle::lock_own(conn, who.account_id, switch.webhook_id)?;
        check_shop(&who, webhook.is_of_shop)?;
        lifecycle::switch(conn, &webhook, switch.is_enabled, now)?;
        let state = if switch.is_enabled { WebhookState::Enabled } else { WebhookState::Paused };
        let state = AuditChange::between(AuditField::State, webhook.state.as_str(), state.as_str());
        note_shop(conn, &actor, &webhook, (AuditAction::WebhookChanged, state), now)
    });
    switched.await?;
    list(&app, account_id).await
}

/// Replaces a webhook's secret; the new one is returned only here. For 24 hours requests are signed with both, so that receivers can change over.
#[utoipa::path(request_body = WebhookRef, responses((status = 200, body = Answer<WebhookSecret>)))]
#[post("/Webhooks/RotateWebhookSecret")]
pub async fn rotate_webhook_secret(
    app: AppData,
    who: SignedIn,
    actor: Actor,
    visitor: Visitor,
    write: Write<WebhookRef>,
) -> Answered<Value> {
    let (now, key) = (app.clock.now(), app.key.clone());
    let rotated = app.db.write(move |conn| {
        let webhook = lifecycle::lock_own(conn, who.account_id, write.body.webhook_id)?;
        once_sealed(conn, &key, who.account_id, &write.repeat, now, |conn| {
            check_shop(&who, webhook.is_of_shop)?;
            let secret = new_secret();
            let sealed = key.seal(&secret).map_err(AppError::Internal)?;
            let changed = AuditChange::new(AuditField::Secret, "…");
            note_shop(conn, &actor, &webhook, (AuditAction::WebhookChanged, Some(changed)), now)?;
            let until = queries::rotate(conn, webhook.id, &sealed, now)?;
            security_log::note_own(conn, &who, SecurityKind::WebhookSecretRotated, &visitor, &webhook.url, now)?;
            Ok(WebhookSecret { webhook_id: webhook.id, secret, old_secret_until: Some(to_wire(until)) })
        })
    });
    answer(rotated.await?)
}

/// Sends the event `webhook.test` to one webhook, regardless of its chosen events. The result is in its delivery.
#[utoipa::path(request_body = WebhookRef, responses((status = 200, body = Answer<DeliveryRef>)))]
#[post("/Webhooks/SendTestEvent")]
pub async fn send_test_event(app: AppData, who: SignedIn, write: Write<WebhookRef>) -> Answered<Value> {
    count(&app, who.account_id, "webhook sends", WEBHOOK_SENDS).await?;
    let now = app.clock.now();
    let sent = app.db.write(move |conn| {
        let webhook = lifecycle::lock_own(conn, who.account_id, write.body.webhook_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            check_shop(&who, webhook.is_of_shop)?;
            if webhook.state != WebhookState::Enabled {
                return Err(AppError::state_forbids(webhook.state.as_str()));
            }
            Ok(DeliveryRef { delivery_id: queries::insert_test(conn, who.account_id, webhook.id, now)? })
        })
    });
    answer(sent.await?)
}

/// Lists deliveries, newest first. Filters by `WebhookId` and `State`. Deliveries are kept for 30 days.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<DeliveryView>>)))]
#[post("/Webhooks/GetDeliveryList")]
pub async fn get_delivery_list(
    app: AppData,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<DeliveryView>> {
    answer(app.db.read(move |conn| queries::deliveries(conn, who.account_id, &list)).await?)
}

/// Returns a delivery with the headers and body of its requests, and the start of each response. If it tells amounts, an API key needs `billing:read`.
#[utoipa::path(request_body = DeliveryRef, responses((status = 200, body = Answer<DeliveryDetail>)))]
#[post("/Webhooks/GetDelivery")]
pub async fn get_delivery(app: AppData, who: SignedIn, Body(delivery): Body<DeliveryRef>) -> Answered<DeliveryDetail> {
    let account_id = who.account_id;
    let found = app.db.read(move |conn| queries::delivery(conn, account_id, delivery.delivery_id)).await?;
    check_amounts(&who, Some(&[found.delivery.kind]))?;
    check_shop(&who, found.is_of_shop)?;
    answer(found)
}

/// Resends a delivery in any state, with the same `webhook-id`. If it fails, it is retried like a new one.
#[utoipa::path(request_body = DeliveryRef, responses((status = 200, body = Answer<DeliveryRef>)))]
#[post("/Webhooks/ResendDelivery")]
pub async fn resend_delivery(app: AppData, who: SignedIn, write: Write<DeliveryRef>) -> Answered<Value> {
    count(&app, who.account_id, "webhook sends", WEBHOOK_SENDS).await?;
    let now = app.clock.now();
    let resent = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let (kind, is_of_shop) = queries::kind_of_delivery(conn, who.account_id, write.body.delivery_id)?;
            check_amounts(&who, Some(&[kind]))?;
            check_shop(&who, is_of_shop)?;
            lifecycle::resend(conn, who.account_id, write.body.delivery_id, now)?;
            Ok(write.body)
        })
    });
    answer(resent.await?)
}
