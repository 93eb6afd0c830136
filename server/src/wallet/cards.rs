//! Cards that a gateway remembers for automatic top-ups: an account has one at most. The shop keeps what the gateway calls it, sealed,
//! and what its owner knows it by.
use super::ledger::lock_wallet;
use super::{auto_top_ups, watching};
use crate::answer::{Answer, Answered, answer, language_of};
use crate::db::Conn;
use crate::error::AppError;
use crate::gateways::{self, CardOutcome, NewCard};
use crate::orders::payments;
use crate::request::{Body, SignedIn, Write, once};
use crate::schema::{card_requests, payments as payment_rows, remembered_cards};
use crate::security::{SecretKey, new_token};
use crate::state::App;
use actix_web::{HttpRequest, post, web};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use postern_core::auto_top_up::card_name;
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::order::{PaymentMethod, PaymentState, query_delay_seconds};
use postern_core::validate::FieldErrors;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// While one process asks a gateway to forget a card, no other does.
const FORGET_LEASE_MINUTES: i64 = 10;

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config.service(remember_card).service(get_card_request).service(forget_card);
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RememberCard {
    /// One of `Methods` of `Wallet/GetAutoTopUp`.
    pub payment_method: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CardRequestRef {
    pub card_request_id: String,
}

/// A card that is to be remembered.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CardRequestView {
    pub card_request_id: String,
    /// `pending`, `succeeded`, `failed` or `expired`.
    pub state: String,
    /// Where the customer enters the card, while it is pending.
    pub card_url: Option<String>,
}

/// A card that the gateway remembers, as its owner knows it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CardView {
    /// Such as `Visa •••• 4242`.
    pub name: String,
    pub payment_method: String,
    /// Such as `visa`.
    pub brand: String,
    pub last_four: String,
    pub expires_month: i32,
    pub expires_year: i32,
}

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = remembered_cards)]
pub struct RememberedCard {
    pub id: i64,
    pub payment_method: String,
    pub brand: String,
    pub last_four: String,
    pub expires_month: i32,
    pub expires_year: i32,
}

impl RememberedCard {
    pub fn view(self) -> CardView {
        let name = card_name(&self.brand, &self.last_four);
        let RememberedCard { payment_method, brand, last_four, expires_month, expires_year, .. } = self;
        CardView { name, payment_method, brand, last_four, expires_month, expires_year }
    }
}

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = card_requests)]
pub struct CardRequest {
    pub id: i64,
    pub public_id: String,
    pub account_id: i64,
    pub payment_method: String,
    pub state: String,
    pub language: String,
    /// What the gateway calls it, once it knows of it.
    pub session_id: Option<String>,
    pub created_at: NaiveDateTime,
}

impl CardRequest {
    pub fn method(&self) -> Result<PaymentMethod, AppError> {
        PaymentMethod::from_wire(&self.payment_method).ok_or_else(|| AppError::internal("a card of an unknown method"))
    }

    pub fn is_pending(&self) -> bool {
        self.state == PaymentState::Pending.as_str()
    }

    /// Which screen shows what became of it.
    pub fn return_path(&self) -> String {
        format!("/billing/wallet?CardRequestId={}", self.public_id)
    }

    fn view(self) -> Result<CardRequestView, AppError> {
        let cards = gateways::cards_of(self.method()?).filter(|_| self.is_pending());
        let language = Language::from_choice(&self.language);
        let card_url = cards.map(|cards| cards.remember_path(&self.public_id, language));
        Ok(CardRequestView { card_request_id: self.public_id, state: self.state, card_url })
    }
}

/// Begins to remember a card for automatic top-ups: `CardUrl` is where the customer enters it. Nothing is charged, and an earlier card is
/// kept until the new one is there.
#[utoipa::path(
    tag = "Wallet", request_body = RememberCard, responses((status = 200, body = Answer<CardRequestView>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/Wallet/RememberCard")]
async fn remember_card(
    app: web::Data<App>,
    request: HttpRequest,
    who: SignedIn,
    write: Write<RememberCard>,
) -> Answered<Value> {
    let method = PaymentMethod::from_wire(&write.body.payment_method)
        .filter(|method| gateways::remembering(&app.config).contains(method))
        .ok_or_else(|| FieldErrors::one("PaymentMethod", "unknownPaymentMethod", &[]))?;
    let (now, language) = (app.clock.now(), language_of(&request));
    let begun = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| begin(conn, who.account_id, method, language, now))
    });
    answer(begun.await?)
}

/// What became of a card that was to be remembered. While it is pending its gateway is asked first.
#[utoipa::path(tag = "Wallet", request_body = CardRequestRef, responses((status = 200, body = Answer<CardRequestView>)), security(("Token" = [])))]
#[post("/Wallet/GetCardRequest")]
async fn get_card_request(
    app: web::Data<App>,
    who: SignedIn,
    Body(asked): Body<CardRequestRef>,
) -> Answered<CardRequestView> {
    let find = move |conn: &mut Conn| {
        let found = by_public_id(conn, &asked.card_request_id)?;
        found.filter(|one| one.account_id == who.account_id).ok_or_else(|| AppError::code(Code::NotFound))
    };
    let found = app.db.read(find.clone()).await?;
    ask(&app, found).await?;
    answer(app.db.read(find).await?.view()?)
}

/// Forgets the card, here and at its gateway, and turns automatic top-ups off. A charge that is under way already is still made.
#[utoipa::path(
    tag = "Wallet", responses((status = 200, body = Answer<auto_top_ups::AutoTopUpView>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/Wallet/ForgetCard")]
async fn forget_card(app: web::Data<App>, who: SignedIn, write: Write<Nothing>) -> Answered<Value> {
    let (now, methods) = (app.clock.now(), gateways::remembering(&app.config));
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

/// A body without fields.
#[derive(Clone, Deserialize)]
pub struct Nothing {}

fn begin(
    conn: &mut Conn,
    account_id: i64,
    method: PaymentMethod,
    language: Language,
    now: NaiveDateTime,
) -> Result<CardRequestView, AppError> {
    let public_id = new_token();
    diesel::insert_into(card_requests::table)
        .values((
            card_requests::public_id.eq(&public_id),
            card_requests::account_id.eq(account_id),
            card_requests::payment_method.eq(method.as_str()),
            card_requests::state.eq(PaymentState::Pending.as_str()),
            card_requests::language.eq(language.as_str()),
            card_requests::created_at.eq(now),
            card_requests::next_query_at.eq(next_query(now, now)),
        ))
        .execute(conn)?;
    let cards = gateways::cards_of(method).ok_or_else(|| AppError::internal("this method remembers no cards"))?;
    cards.open_request(conn, &public_id)?;
    let begun = by_public_id(conn, &public_id)?.ok_or_else(|| AppError::internal("a card's request is gone"))?;
    begun.view()
}

fn next_query(created_at: NaiveDateTime, now: NaiveDateTime) -> Option<NaiveDateTime> {
    query_delay_seconds((now - created_at).num_seconds()).map(|seconds| now + TimeDelta::seconds(seconds))
}

pub fn by_public_id(conn: &mut Conn, public_id: &str) -> Result<Option<CardRequest>, AppError> {
    let query = card_requests::table.filter(card_requests::public_id.eq(public_id)).select(CardRequest::as_select());
    Ok(query.first(conn).optional()?)
}

/// Notes what the gateway calls a request. Of several who note it at once, the first one's stays, and is returned.
pub fn note_session(conn: &mut Conn, request_id: i64, session_id: &str) -> Result<Option<String>, AppError> {
    let unknown = card_requests::table.find(request_id).filter(card_requests::session_id.is_null());
    diesel::update(unknown).set(card_requests::session_id.eq(session_id)).execute(conn)?;
    Ok(card_requests::table.find(request_id).select(card_requests::session_id).first(conn)?)
}

/// Asks the gateway what became of a card, and keeps it if the gateway remembers it now. No transaction waits for the answer.
async fn ask(app: &App, request: CardRequest) -> Result<(), AppError> {
    let cards = gateways::offered_cards(&app.config, request.method()?).filter(|_| request.is_pending());
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
        CardOutcome::Remembered(_) => PaymentState::Succeeded,
        CardOutcome::Refused => PaymentState::Failed,
    };
    // Of several who ask at once, one keeps the card.
    if end(conn, request.id, state)?
        && let CardOutcome::Remembered(card) = outcome
    {
        forget_current(conn, request.account_id, now)?;
        keep(conn, key, request, card, now)?;
        auto_top_ups::begin_anew(conn, request.account_id)?;
        watching::begin_or_end(conn, request.account_id, now)?;
    }
    Ok(())
}

/// Ends a request that is pending; says whether it was.
fn end(conn: &mut Conn, request_id: i64, state: PaymentState) -> Result<bool, AppError> {
    let pending = card_requests::table.find(request_id).filter(card_requests::state.eq(PaymentState::Pending.as_str()));
    let ended = (card_requests::state.eq(state.as_str()), card_requests::next_query_at.eq(None::<NaiveDateTime>));
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
            remembered_cards::payment_method.eq(&request.payment_method),
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

/// Forgets the account's card, if it has one, and takes back what nobody has begun to charge it with; its gateway is told by a job.
fn forget_current(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<usize, AppError> {
    payments::withdraw_unbegun(conn, account_id, now)?;
    let current = remembered_cards::table
        .filter(remembered_cards::account_id.eq(account_id))
        .filter(remembered_cards::forgotten_at.is_null());
    let forgotten = (remembered_cards::forgotten_at.eq(now), remembered_cards::forget_at.eq(now));
    Ok(diesel::update(current).set(forgotten).execute(conn)?)
}

/// The card that the account's automatic top-ups are charged to.
pub fn current(conn: &mut Conn, account_id: i64) -> Result<Option<RememberedCard>, AppError> {
    let current = remembered_cards::table
        .filter(remembered_cards::account_id.eq(account_id))
        .filter(remembered_cards::forgotten_at.is_null());
    Ok(current.select(RememberedCard::as_select()).first(conn).optional()?)
}

/// A card by its id, forgotten or not.
pub fn find(conn: &mut Conn, card_id: i64) -> Result<RememberedCard, AppError> {
    Ok(remembered_cards::table.find(card_id).select(RememberedCard::as_select()).first(conn)?)
}

/// What the gateway needs to charge a card; `None` once it has forgotten it.
pub fn reference(conn: &mut Conn, key: &SecretKey, card_id: i64) -> Result<Option<String>, AppError> {
    let sealed: Option<String> =
        remembered_cards::table.find(card_id).select(remembered_cards::reference_sealed).first(conn)?;
    sealed.map(|sealed| key.open(&sealed).map_err(AppError::Internal)).transpose()
}

/// Asks about every card that is to be remembered and is due. Whose customer has not entered one for a day expires.
pub async fn ask_due(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = move |conn: &mut Conn| {
        let due = card_requests::table.filter(card_requests::next_query_at.le(now));
        Ok(due.select(CardRequest::as_select()).limit(50).load(conn)?)
    };
    let mut result = Ok(());
    for request in app.db.read(due).await? {
        let (id, created_at) = (request.id, request.created_at);
        let next = next_query(created_at, now);
        // Whoever sets the next time asks; several processes share the work.
        let take = move |conn: &mut Conn| {
            let due = card_requests::table.find(id).filter(card_requests::next_query_at.le(now));
            Ok(diesel::update(due).set(card_requests::next_query_at.eq(next)).execute(conn)?)
        };
        if app.db.write(take).await? == 0 {
            continue;
        }
        let asked = match ask(app, request).await {
            Ok(()) if next.is_none() => app.db.write(move |conn| end(conn, id, PaymentState::Expired)).await.map(drop),
            asked => asked,
        };
        if let Err(error) = asked {
            tracing::error!(card_request_id = id, %error, "a gateway could not be asked about a card");
            result = Err(error);
        }
    }
    result
}

/// Tells gateways to forget the cards that customers have forgotten, until they have. A card that is just being charged waits.
pub async fn forget_due(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = move |conn: &mut Conn| {
        let due = remembered_cards::table.filter(remembered_cards::forget_at.le(now));
        let columns = (remembered_cards::id, remembered_cards::account_id, remembered_cards::payment_method);
        Ok(due.select(columns).limit(50).load::<(i64, i64, String)>(conn)?)
    };
    let mut result = Ok(());
    for (card_id, account_id, method) in app.db.read(due).await? {
        let key = app.key.clone();
        let again_at = now + TimeDelta::minutes(FORGET_LEASE_MINUTES);
        let taken = app.db.write(move |conn| take_to_forget(conn, &key, card_id, account_id, now, again_at)).await?;
        let cards = PaymentMethod::from_wire(&method).and_then(gateways::cards_of);
        let (Some(reference), Some(cards)) = (taken, cards) else { continue };
        let forgotten = match cards.forget(app, &reference).await {
            Ok(()) => app.db.write(move |conn| note_forgotten(conn, card_id)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = forgotten {
            tracing::error!(card_id, %error, "a gateway could not be told to forget a card");
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
        .filter(payment_rows::state.eq(PaymentState::Pending.as_str()));
    let charged_now: Option<i64> = charged_now.select(payment_rows::id).first(conn).optional()?;
    if is_taken && charged_now.is_none() { reference(conn, key, card_id) } else { Ok(None) }
}

fn note_forgotten(conn: &mut Conn, card_id: i64) -> Result<(), AppError> {
    let forgotten =
        (remembered_cards::reference_sealed.eq(None::<String>), remembered_cards::forget_at.eq(None::<NaiveDateTime>));
    diesel::update(remembered_cards::table.find(card_id)).set(forgotten).execute(conn)?;
    Ok(())
}
