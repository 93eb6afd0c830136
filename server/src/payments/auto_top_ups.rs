//! Automatic top-ups: when the balance falls below the customer's threshold, a saved card is charged.
use crate::charges::cards::{self, CardView, SavedCard};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{SignedIn, Write, once};
use crate::ledger::{LockedWallet, lock_wallet};
use crate::order_rows::rows;
use crate::payments::auto_top_up_results::{Row, find, reset_failures};
use crate::payments::begin;
use crate::schema::{accounts, auto_top_ups, payments as payment_rows, users, wallets};
use crate::state::App;
use crate::wallet::watching;
use crate::{gateways, mails};
use actix_web::{post, web};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::AccountState;
use postern_core::auto_top_up::{AutoTopUp, auto_top_up_due};
use postern_core::auto_top_up::{
    AutoTopUpState, AutoTopUpStatus, CHARGES_HOURS, CardFailure, MAX_CHARGES, SUSPENDED_HOURS, auto_top_up_state,
    is_paused, month_around,
};
use postern_core::event::EventKind;
use postern_core::field_errors::FieldErrors;
use postern_core::language::Language;
use postern_core::mail::MailTemplate;
use postern_core::money::{Currency, Money};
use postern_core::order::{PaymentMethod, PaymentState};
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use postern_core::top_up::{MAX_TOP_UP, MIN_TOP_UP};
use postern_core::wallet_forms::{AutoTopUpForm, validate_auto_top_up};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// Automatic top-ups: settings, state, and card.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AutoTopUpView {
    pub state: AutoTopUpState,
    pub currency: Currency,
    /// The latest settings, also while turned off; absent until first set.
    pub settings: Option<AutoTopUpSettings>,
    /// The card that is charged; absent until one is saved.
    pub card: Option<CardView>,
    /// The methods that can save a card in this shop; may be empty.
    pub methods: Vec<PaymentMethod>,
    /// The amount charged or pending in this calendar month (UTC).
    pub charged_this_month: Money,
    /// When the next month begins.
    pub month_ends_at: String,
    /// Why the latest charge failed, if still relevant.
    pub failure: Option<CardFailure>,
    /// When the charge is retried, in the state `retrying`.
    pub next_try_at: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AutoTopUpSettings {
    pub threshold: Money,
    pub amount: Money,
    pub monthly_limit: Money,
}

/// Returns automatic top-ups: settings, state, and card.
#[utoipa::path(responses((status = 200, body = Answer<AutoTopUpView>)))]
#[post("/Wallet/GetAutoTopUp")]
pub async fn get_auto_top_up(app: web::Data<App>, who: SignedIn) -> Answered<AutoTopUpView> {
    let (now, methods) = (app.clock.now(), gateways::saving_cards(&app.config));
    answer(app.db.read(move |conn| view(conn, who.account_id, &methods, now)).await?)
}

/// Sets automatic top-ups, or turns them off. Turning them on is the customer's consent to off-session charges: it requires a saved card (an error at
/// the field `Card`), and ends a pause. Nothing is charged while the balance is at or above the threshold.
#[utoipa::path(request_body = AutoTopUpForm, responses((status = 200, body = Answer<AutoTopUpView>)))]
#[post("/Wallet/SetAutoTopUp")]
pub async fn set_auto_top_up(app: web::Data<App>, who: SignedIn, write: Write<AutoTopUpForm>) -> Answered<Value> {
    let settings = validate_auto_top_up(&write.body, MIN_TOP_UP, MAX_TOP_UP)?;
    let (now, methods) = (app.clock.now(), gateways::saving_cards(&app.config));
    let set = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            match &settings {
                Some(settings) => turn_on(conn, who.account_id, settings, now)?,
                None => turn_off(conn, who.account_id, now)?,
            }
            view(conn, who.account_id, &methods, now)
        })
    });
    answer(set.await?)
}

pub fn view(
    conn: &mut Conn,
    account_id: i64,
    methods: &[PaymentMethod],
    now: NaiveDateTime,
) -> Result<AutoTopUpView, AppError> {
    let row = find(conn, account_id)?;
    let (month_began_at, month_ends_at) = month_around(now);
    let charged_this_month = charged_since(conn, account_id, month_began_at)?;
    let currency = currency_of(conn, account_id)?;
    let is_charging = is_charging(conn, account_id)?;
    let status = row.as_ref().map(|row| AutoTopUpStatus {
        is_on: row.is_on,
        is_charging,
        failures: row.failures,
        failure: row.failure(),
        settings: row.settings(),
        charged_this_month,
    });
    let state = status.map_or(AutoTopUpState::Off, |status| auto_top_up_state(&status));
    let has_failed = matches!(state, AutoTopUpState::Retrying | AutoTopUpState::Paused);
    let failed = row.as_ref().filter(|_| has_failed);
    Ok(AutoTopUpView {
        state,
        currency,
        failure: failed.and_then(Row::failure),
        next_try_at: failed.and_then(Row::next_attempt).map(to_wire),
        settings: row.as_ref().map(Row::settings).map(|kept| AutoTopUpSettings {
            threshold: kept.threshold,
            amount: kept.amount,
            monthly_limit: kept.monthly_limit,
        }),
        card: cards::current(conn, account_id)?.map(SavedCard::view),
        methods: methods.to_vec(),
        charged_this_month,
        month_ends_at: to_wire(month_ends_at),
    })
}

fn turn_on(conn: &mut Conn, account_id: i64, settings: &AutoTopUp, now: NaiveDateTime) -> Result<(), AppError> {
    if cards::current(conn, account_id)?.is_none() {
        return Err(FieldErrors::one("Card", Rule::CardMissing, &[]).into());
    }
    begin::cancel_unstarted(conn, account_id, now)?;
    let set = (
        auto_top_ups::is_on.eq(true),
        auto_top_ups::threshold_minor.eq(settings.threshold.minor()),
        auto_top_ups::amount_minor.eq(settings.amount.minor()),
        auto_top_ups::monthly_limit_minor.eq(settings.monthly_limit.minor()),
        auto_top_ups::agreed_at.eq(now),
    );
    if diesel::update(auto_top_ups::table.find(account_id)).set(set).execute(conn)? == 0 {
        // The wallet's lock prevents duplicates.
        let row = (auto_top_ups::account_id.eq(account_id), set);
        diesel::insert_into(auto_top_ups::table).values(row).execute(conn)?;
    }
    reset_failures(conn, account_id)?;
    watching::begin_or_end(conn, account_id, now)
}

/// Turns automatic top-ups off; the settings are kept for the next time. The wallet must be locked.
pub fn turn_off(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    begin::cancel_unstarted(conn, account_id, now)?;
    diesel::update(auto_top_ups::table.find(account_id)).set(auto_top_ups::is_on.eq(false)).execute(conn)?;
    watching::begin_or_end(conn, account_id, now)
}

/// The amount charged since then, including pending charges: everything that has not definitely failed.
fn charged_since(conn: &mut Conn, account_id: i64, since: NaiveDateTime) -> Result<Money, AppError> {
    let amounts: Vec<i64> = payment_rows::table
        .filter(payment_rows::account_id.eq(account_id))
        .filter(payment_rows::card_id.is_not_null())
        .filter(payment_rows::created_at.ge(since))
        .filter(payment_rows::state.ne(PaymentState::Failed))
        .select(payment_rows::amount_minor)
        .load(conn)?;
    Ok(Money::sum(amounts.into_iter().map(Money::from_minor))?)
}

/// The number of automatic top-ups begun since then.
fn begun_since(conn: &mut Conn, account_id: i64, since: NaiveDateTime) -> Result<i64, AppError> {
    let begun = payment_rows::table
        .filter(payment_rows::account_id.eq(account_id))
        .filter(payment_rows::card_id.is_not_null())
        .filter(payment_rows::created_at.gt(since));
    Ok(begun.count().get_result(conn)?)
}

/// Whether an automatic top-up of this account is under way.
pub fn is_charging(conn: &mut Conn, account_id: i64) -> Result<bool, AppError> {
    let pending = payment_rows::table
        .filter(payment_rows::account_id.eq(account_id))
        .filter(payment_rows::card_id.is_not_null())
        .filter(payment_rows::state.eq(PaymentState::Pending));
    Ok(pending.select(payment_rows::id).first::<i64>(conn).optional()?.is_some())
}

/// Begins an automatic top-up if one is due, and returns when to check again even if the balance does not change. The wallet must be
/// locked: with the index that allows one per account at a time, every drop below the threshold is charged once.
pub fn begin_if_due(
    conn: &mut Conn,
    account_id: i64,
    wallet: &LockedWallet,
    now: NaiveDateTime,
) -> Result<Option<NaiveDateTime>, AppError> {
    // No card is charged for what its owner may have disputed. The wallet is evaluated again when the debt is paid.
    if !wallet.owed.is_zero() {
        return Ok(None);
    }
    let balance = wallet.balance;
    let Some(row) = find(conn, account_id)?.filter(|row| row.is_on) else { return Ok(None) };
    let settings = row.settings();
    // The outcome of a pending charge triggers the next evaluation.
    let is_idle = balance >= settings.threshold || is_paused(row.failures, row.failure());
    if is_idle || is_charging(conn, account_id)? {
        return Ok(None);
    }
    let Some(card) = cards::current(conn, account_id)? else { return Ok(None) };
    if let Some(next_attempt_at) = row.next_attempt().filter(|next| now < *next) {
        return Ok(Some(next_attempt_at));
    }
    let account_state: AccountState = accounts::table.find(account_id).select(accounts::state).first(conn)?;
    if account_state != AccountState::Active {
        return Ok(Some(now + TimeDelta::hours(SUSPENDED_HOURS)));
    }
    let (month_began_at, month_ends_at) = month_around(now);
    let charged = charged_since(conn, account_id, month_began_at)?;
    let Some(amount) = auto_top_up_due(&settings, balance, charged) else {
        if row.limit_told_at.is_none_or(|told_at| told_at < month_began_at) {
            mail_limit_reached(conn, account_id, &settings, charged, balance, now)?;
        }
        return Ok(Some(month_ends_at));
    };
    let charges_began_at = now - TimeDelta::hours(CHARGES_HOURS);
    if begun_since(conn, account_id, charges_began_at)? >= MAX_CHARGES {
        return Ok(Some(now + TimeDelta::hours(1)));
    }
    let language = users::table.filter(users::account_id.eq(account_id)).order(users::id).select(users::language);
    let language: Language = language.first(conn)?;
    let order = rows::insert_top_up(conn, account_id, amount, card.payment_method, now)?;
    begin::begin_automatic(conn, &order, card.payment_method, card.id, language, now)?;
    Ok(None)
}

fn currency_of(conn: &mut Conn, account_id: i64) -> Result<Currency, AppError> {
    Ok(wallets::table.find(account_id).select(wallets::currency).first(conn)?)
}

fn mail_limit_reached(
    conn: &mut Conn,
    account_id: i64,
    settings: &AutoTopUp,
    charged: Money,
    balance: Money,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let told = auto_top_ups::limit_told_at.eq(now);
    diesel::update(auto_top_ups::table.find(account_id)).set(told).execute(conn)?;
    let currency = currency_of(conn, account_id)?;
    let limit = settings.monthly_limit;
    let data = json!({ "Balance": balance, "Charged": charged, "Limit": limit, "Currency": currency });
    events::record(conn, account_id, EventKind::AutoTopUpLimit, &data, now)?;
    let parameters = json!({
        "Balance": balance.display(currency),
        "Charged": charged.display(currency),
        "Limit": limit.display(currency),
        "Amount": settings.amount.display(currency),
    });
    mails::queue_for_account(
        conn,
        account_id,
        EventKind::AutoTopUpLimit,
        MailTemplate::AutoTopUpLimit,
        &parameters,
        now,
    )
}
