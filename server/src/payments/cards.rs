//! Cards saved for automatic top-ups: at most one per account. The shop stores the gateway's reference, encrypted, and the details by which its owner
//! recognises the card.
use crate::charges::cards::{CardRequest, by_public_id, reference};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::gateways::{self, CardOutcome, NewCard};
use crate::http::answer::{Answer, Answered, answer, language_of};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::ledger::lock_wallet;
use crate::order_rows::limits;
use crate::payments::{auto_top_up_results, auto_top_ups, begin};
use crate::schema::{card_requests, payments as payment_rows, remembered_cards};
use crate::security::{SecretKey, new_token};
use crate::state::App;
use crate::wallet::watching;
use actix_web::{HttpRequest, post, web};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::language::Language;
use postern_core::order::{PaymentMethod, PaymentState, query_delay_seconds};
use postern_core::rule::Rule;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// How long a process leases a card while it asks the gateway to delete it.
const FORGET_LEASE_MINUTES: i64 = 10;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RememberCard {
    /// One of `Methods` of `Wallet/GetAutoTopUp`.
    #[schema(value_type = PaymentMethod)]
    pub payment_method: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CardRequestRef {
    pub card_request_id: String,
}

/// A request to save a card.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CardRequestView {
    pub card_request_id: String,
    pub state: PaymentState,
    /// The page on which the customer enters the card, while the request is pending.
    pub card_url: Option<String>,
}

fn view(request: CardRequest) -> CardRequestView {
    let cards = gateways::cards_of(request.payment_method).filter(|_| request.is_pending());
    let card_url = cards.map(|cards| cards.card_path(&request.public_id, request.language));
    CardRequestView { card_request_id: request.public_id, state: request.state, card_url }
}

/// Begins a request to save a card for automatic top-ups: redirect the customer to `CardUrl`. Nothing is charged, and an earlier card is kept until
/// the new one is entered. Refused with 3333 if too many card requests are open.
#[utoipa::path(request_body = RememberCard, responses((status = 200, body = Answer<CardRequestView>)))]
#[post("/Wallet/RememberCard")]
pub async fn remember_card(
    app: web::Data<App>,
    request: HttpRequest,
    who: SignedIn,
    write: Write<RememberCard>,
) -> Answered<Value> {
    let method = PaymentMethod::from_wire(&write.body.payment_method)
        .filter(|method| gateways::saving_cards(&app.config).contains(method))
        .ok_or_else(|| FieldErrors::one("PaymentMethod", Rule::UnknownPaymentMethod, &[]))?;
    let (now, language) = (app.clock.now(), language_of(&request));
    let begun = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| begin(conn, who.account_id, method, language, now))
    });
    answer(begun.await?)
}

/// Returns the state of a card request. A pending request is first polled at its gateway.
#[utoipa::path(request_body = CardRequestRef, responses((status = 200, body = Answer<CardRequestView>)))]
#[post("/Wallet/GetCardRequest")]
pub async fn get_card_request(
    app: web::Data<App>,
    who: SignedIn,
    Body(asked): Body<CardRequestRef>,
) -> Answered<CardRequestView> {
    let find = move |conn: &mut Conn| {
        let found = by_public_id(conn, &asked.card_request_id)?;
        found.filter(|one| one.account_id == who.account_id).ok_or_else(|| AppError::code(Code::NotFound))
    };
    let found = app.db.read(find.clone()).await?;
    poll(&app, found).await?;
    answer(view(app.db.read(find).await?))
}

/// Deletes the saved card, here and at its gateway, and turns automatic top-ups off. A charge that has already begun is completed.
#[utoipa::path(responses((status = 200, body = Answer<auto_top_ups::AutoTopUpView>)))]
#[post("/Wallet/ForgetCard")]
pub async fn forget_card(app: web::Data<App>, who: SignedIn, write: Write<Nothing>) -> Answered<Value> {
    let (now, methods) = (app.clock.now(), gateways::saving_cards(&app.config));
    let forgotten = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            if forget_current(conn, who.account_id, now)? == 0 {
                return Err(AppError::code(Code::NotFound));
            }
            auto_top_ups::turn_off(conn, who.account_id, now)?;
            auto_top_ups::view(conn, who.account_id, &methods, now)
        })
    });
    answer(forgotten.await?)
}

/// A request without fields.
#[derive(Clone, Deserialize)]
pub struct Nothing {}

fn begin(
    conn: &mut Conn,
    account_id: i64,
    method: PaymentMethod,
    language: Language,
    now: NaiveDateTime,
) -> Result<CardRequestView, AppError> {
    limits::check_card_requests(conn, account_id)?;
    let public_id = new_token();
    diesel::insert_into(card_requests::table)
        .values((
            card_requests::public_id.eq(&public_id),
            card_requests::account_id.eq(account_id),
            card_requests::payment_method.eq(method),
            card_requests::state.eq(PaymentState::Pending),
            card_requests::language.eq(language),
            card_requests::created_at.eq(now),
            card_requests::next_query_at.eq(next_query(now, now)),
        ))
        .execute(conn)?;
    let cards = gateways::cards_of(method).ok_or_else(|| AppError::internal("this method saves no cards"))?;
    cards.open_request(conn, &public_id)?;
    let begun = by_public_id(conn, &public_id)?.ok_or_else(|| AppError::internal("a card's request is gone"))?;
    Ok(view(begun))
}

fn next_query(created_at: NaiveDateTime, now: NaiveDateTime) -> Option<NaiveDateTime> {
    query_delay_seconds((now - created_at).num_seconds()).map(|seconds| now + TimeDelta::seconds(seconds))
}

/// Polls the gateway about a card request, and stores the card once the gateway has it. No transaction is open while waiting for the response.
async fn poll(app: &App, request: CardRequest) -> Result<(), AppError> {
    let cards = gateways::offered_cards(&app.config, request.payment_method).filter(|_| request.is_pending());
    let Some(cards) = cards else { return Ok(()) };
    let Some(outcome) = cards.card_of(app, &request).await? else { return Ok(()) };
    let (key, now) = (app.key.clone(), app.clock.now());
    app.db.write(move |conn| finish(conn, &key, &request, &outcome, now)).await
}

fn finish(
    conn: &mut Conn,
    key: &SecretKey,
    request: &CardRequest,
    outcome: &CardOutcome,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    lock_wallet(conn, request.account_id)?;
    let state = match outcome {
        CardOutcome::Saved(_) => PaymentState::Succeeded,
        CardOutcome::Refused => PaymentState::Failed,
    };
    // Of several concurrent polls, only one stores the card.
    if end(conn, request.id, state)?
        && let CardOutcome::Saved(card) = outcome
    {
        forget_current(conn, request.account_id, now)?;
        keep(conn, key, request, card, now)?;
        auto_top_up_results::reset_failures(conn, request.account_id)?;
        watching::begin_or_end(conn, request.account_id, now)?;
    }
    Ok(())
}

/// Ends a pending request; returns whether it was pending.
fn end(conn: &mut Conn, request_id: i64, state: PaymentState) -> Result<bool, AppError> {
    let pending = card_requests::table.find(request_id).filter(card_requests::state.eq(PaymentState::Pending));
    let ended = (card_requests::state.eq(state), card_requests::next_query_at.eq(None::<NaiveDateTime>));
    Ok(diesel::update(pending).set(ended).execute(conn)? == 1)
}

fn keep(
    conn: &mut Conn,
    key: &SecretKey,
    request: &CardRequest,
    card: &NewCard,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    diesel::insert_into(remembered_cards::table)
        .values((
            remembered_cards::account_id.eq(request.account_id),
            remembered_cards::payment_method.eq(request.payment_method),
            remembered_cards::reference_sealed.eq(key.seal(&card.reference).map_err(AppError::Internal)?),
            remembered_cards::brand.eq(&card.brand),
            remembered_cards::last_four.eq(&card.last_four),
            remembered_cards::expires_month.eq(card.expires_month),
            remembered_cards::expires_year.eq(card.expires_year),
            remembered_cards::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Forgets the account's card, if any, and cancels automatic top-ups whose charge has not begun; a job deletes the card at the gateway.
fn forget_current(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<usize, AppError> {
    begin::cancel_unstarted(conn, account_id, now)?;
    let current = remembered_cards::table
        .filter(remembered_cards::account_id.eq(account_id))
        .filter(remembered_cards::forgotten_at.is_null());
    let forgotten = (remembered_cards::forgotten_at.eq(now), remembered_cards::forget_at.eq(now));
    Ok(diesel::update(current).set(forgotten).execute(conn)?)
}

/// Forgets the card of an account that is being closed, and ends its card requests. The wallet must be locked.
pub fn forget_all(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let pending = card_requests::table
        .filter(card_requests::account_id.eq(account_id))
        .filter(card_requests::state.eq(PaymentState::Pending));
    for request_id in pending.select(card_requests::id).load::<i64>(conn)? {
        end(conn, request_id, PaymentState::Expired)?;
    }
    forget_current(conn, account_id, now)?;
    Ok(())
}

/// Forgets all cards of the shop, after its secret key was lost: their references cannot be read, here or to delete them at the gateway. Turns off the
/// automatic top-ups of their accounts, which it returns.
pub fn forget_unreadable(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<i64>, AppError> {
    let kept = remembered_cards::table.filter(remembered_cards::forgotten_at.is_null());
    let owners: Vec<i64> = kept.order(remembered_cards::account_id).select(remembered_cards::account_id).load(conn)?;
    for account_id in &owners {
        lock_wallet(conn, *account_id)?;
        forget_current(conn, *account_id, now)?;
        auto_top_ups::turn_off(conn, *account_id, now)?;
    }
    let unreadable = remembered_cards::table.filter(remembered_cards::reference_sealed.is_not_null());
    let gone =
        (remembered_cards::reference_sealed.eq(None::<String>), remembered_cards::forget_at.eq(None::<NaiveDateTime>));
    diesel::update(unreadable).set(gone).execute(conn)?;
    Ok(owners)
}

/// When a card request is polled again whose last poll failed.
const AFTER_FAILURE: TimeDelta = TimeDelta::hours(6);

/// Polls all card requests that are due. A request without a card after one day expires.
pub async fn poll_due(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = move |conn: &mut Conn| {
        let due = card_requests::table.filter(card_requests::next_query_at.le(now));
        Ok(due.select(CardRequest::as_select()).limit(50).load(conn)?)
    };
    let mut result = Ok(());
    for request in app.db.read(due).await? {
        let (id, created_at) = (request.id, request.created_at);
        let next = next_query(created_at, now);
        // The process that sets the next poll time polls; several processes share the work.
        let take = move |conn: &mut Conn| {
            let due = card_requests::table.find(id).filter(card_requests::next_query_at.le(now));
            // If the last poll fails, another one comes: a request that never ends would count against the limit.
            let again = next.or(Some(now + AFTER_FAILURE));
            Ok(diesel::update(due).set(card_requests::next_query_at.eq(again)).execute(conn)?)
        };
        if app.db.write(take).await? == 0 {
            continue;
        }
        let polled = match poll(app, request).await {
            Ok(()) if next.is_none() => app.db.write(move |conn| end(conn, id, PaymentState::Expired)).await.map(drop),
            polled => polled,
        };
        if let Err(error) = polled {
            tracing::error!(card_request_id = id, %error, "a gateway could not be polled about a card");
            result = Err(error);
        }
    }
    result
}

/// Asks gateways to delete forgotten cards, retrying until they have. A card that is being charged waits.
pub async fn delete_forgotten(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = move |conn: &mut Conn| {
        let due = remembered_cards::table.filter(remembered_cards::forget_at.le(now));
        let columns = (remembered_cards::id, remembered_cards::account_id, remembered_cards::payment_method);
        Ok(due.select(columns).limit(50).load::<(i64, i64, PaymentMethod)>(conn)?)
    };
    let mut result = Ok(());
    for (card_id, account_id, method) in app.db.read(due).await? {
        let key = app.key.clone();
        let again_at = now + TimeDelta::minutes(FORGET_LEASE_MINUTES);
        let taken = app.db.write(move |conn| take_to_forget(conn, &key, card_id, account_id, now, again_at)).await?;
        let cards = gateways::cards_of(method);
        let (Some(reference), Some(cards)) = (taken, cards) else { continue };
        let forgotten = match cards.forget(app, &reference).await {
            Ok(()) => app.db.write(move |conn| note_forgotten(conn, card_id)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = forgotten {
            tracing::error!(card_id, %error, "a card could not be deleted at its gateway");
            result = Err(error);
        }
    }
    result
}

fn take_to_forget(
    conn: &mut Conn,
    key: &SecretKey,
    card_id: i64,
    account_id: i64,
    now: NaiveDateTime,
    again_at: NaiveDateTime,
) -> Result<Option<String>, AppError> {
    let due = remembered_cards::table.find(card_id).filter(remembered_cards::forget_at.le(now));
    let is_taken = diesel::update(due).set(remembered_cards::forget_at.eq(again_at)).execute(conn)? == 1;
    let charged_now = payment_rows::table
        .filter(payment_rows::account_id.eq(account_id))
        .filter(payment_rows::card_id.is_not_null())
        .filter(payment_rows::card_id.eq(card_id))
        .filter(payment_rows::state.eq(PaymentState::Pending));
    let charged_now: Option<i64> = charged_now.select(payment_rows::id).first(conn).optional()?;
    if is_taken && charged_now.is_none() { reference(conn, key, card_id) } else { Ok(None) }
}

fn note_forgotten(conn: &mut Conn, card_id: i64) -> Result<(), AppError> {
    let forgotten =
        (remembered_cards::reference_sealed.eq(None::<String>), remembered_cards::forget_at.eq(None::<NaiveDateTime>));
    diesel::update(remembered_cards::table.find(card_id)).set(forgotten).execute(conn)?;
    Ok(())
}
