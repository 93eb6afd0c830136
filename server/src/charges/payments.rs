//! Payments as rows: attempts to pay an order. SQL only, and the only writer of a payment's state.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::order_rows::rows::OrderRow;
use crate::schema::{orders, payments};
use crate::security::{is_token, new_token};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::code::Code;
use postern_core::exchange::Rate;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::order::{
    OrderKind, PaymentEvent, PaymentMethod, PaymentState, payment_transition, query_delay_seconds,
};

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = payments)]
pub struct PaymentRow {
    pub id: i64,
    pub public_id: String,
    pub account_id: i64,
    pub order_id: i64,
    pub payment_method: PaymentMethod,
    pub state: PaymentState,
    pub amount_minor: i64,
    pub currency: Currency,
    pub language: Language,
    /// The gateway's id of the payment, once known.
    pub charge_id: Option<String>,
    /// The saved card that an automatic top-up is charged to.
    pub card_id: Option<i64>,
    pub created_at: NaiveDateTime,
    /// What is charged at the gateway, if that is another currency.
    pub charged_minor: Option<i64>,
    pub charged_currency: Option<Currency>,
    pub rate_micro: Option<i64>,
}

impl PaymentRow {
    /// What the gateway charges.
    pub fn charged(&self) -> (Money, Currency) {
        match (self.charged_minor, self.charged_currency) {
            (Some(minor), Some(currency)) => (Money::from_minor(minor), currency),
            _ => (Money::from_minor(self.amount_minor), self.currency),
        }
    }

    /// The exchange rate, if the gateway charges another currency.
    pub fn rate(&self) -> Option<Rate> {
        self.rate_micro.and_then(Rate::from_micro)
    }

    /// Whether this is an automatic top-up, which is charged to a saved card.
    pub fn is_automatic(&self) -> bool {
        self.card_id.is_some()
    }
}

/// The data of a new payment besides its order and amount.
pub struct NewPayment {
    pub method: PaymentMethod,
    pub language: Language,
    pub state: PaymentState,
    pub card_id: Option<i64>,
    pub next_query_at: Option<NaiveDateTime>,
    /// The currency that the gateway charges, if it is another one, and its rate.
    pub exchange: Option<(Currency, Rate)>,
}

impl NewPayment {
    pub fn pending(method: PaymentMethod, language: Language) -> NewPayment {
        NewPayment {
            method,
            language,
            state: PaymentState::Pending,
            card_id: None,
            next_query_at: None,
            exchange: None,
        }
    }
}

pub fn insert(
    conn: &mut Conn,
    order: &OrderRow,
    amount: Money,
    new: &NewPayment,
    now: NaiveDateTime,
) -> Result<PaymentRow, AppError> {
    let is_pending = new.state == PaymentState::Pending;
    let public_id = new_token();
    let charged = new.exchange.map(|(currency, rate)| Ok::<_, AppError>((rate.charge(amount)?, currency, rate)));
    let charged = charged.transpose()?;
    let (charged_minor, charged_currency) = (charged.map(|one| one.0.minor()), charged.map(|one| one.1));
    let rate_micro = charged.map(|one| one.2.micro());
    let id = diesel::insert_into(payments::table)
        .values((
            payments::public_id.eq(&public_id),
            payments::account_id.eq(order.account_id),
            payments::order_id.eq(order.id),
            payments::payment_method.eq(new.method),
            payments::state.eq(new.state),
            payments::amount_minor.eq(amount.minor()),
            payments::currency.eq(order.currency),
            payments::language.eq(new.language),
            payments::card_id.eq(new.card_id),
            payments::created_at.eq(now),
            payments::settled_at.eq((!is_pending).then_some(now)),
            payments::next_query_at.eq(new.next_query_at),
            (
                payments::charged_minor.eq(charged_minor),
                payments::charged_currency.eq(charged_currency),
                payments::rate_micro.eq(rate_micro),
            ),
        ))
        .returning(payments::id)
        .get_result(conn)?;
    Ok(PaymentRow {
        id,
        public_id,
        account_id: order.account_id,
        order_id: order.id,
        payment_method: new.method,
        state: new.state,
        amount_minor: amount.minor(),
        currency: order.currency,
        language: new.language,
        charge_id: None,
        card_id: new.card_id,
        created_at: now,
        charged_minor,
        charged_currency,
        rate_micro,
    })
}

/// Changes the amount of a payment to what has arrived. It must not have succeeded yet.
pub fn set_amount(conn: &mut Conn, payment_id: i64, amount: Money) -> Result<(), AppError> {
    let amount = payments::amount_minor.eq(amount.minor());
    diesel::update(payments::table.find(payment_id)).set(amount).execute(conn)?;
    Ok(())
}

pub fn next_query(created_at: NaiveDateTime, now: NaiveDateTime) -> Option<NaiveDateTime> {
    query_delay_seconds((now - created_at).num_seconds()).map(|seconds| now + TimeDelta::seconds(seconds))
}

/// Ends a payment; its gateway may still be polled.
pub fn end(conn: &mut Conn, payment_id: i64, event: PaymentEvent, now: NaiveDateTime) -> Result<(), AppError> {
    let (from, to) = payment_transition(event);
    let payment = payments::table.find(payment_id).filter(payments::state.eq_any(from));
    let ended = (payments::state.eq(to), payments::settled_at.eq(now));
    if diesel::update(payment).set(ended).execute(conn)? == 1 { Ok(()) } else { Err(AppError::concurrent_change()) }
}

/// Fails an account's automatic top-ups whose charge has not begun; returns their orders.
pub fn fail_unstarted(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<i64>, AppError> {
    let (from, to) = payment_transition(PaymentEvent::Fail);
    let unstarted = payments::table
        .filter(payments::account_id.eq(account_id))
        .filter(payments::card_id.is_not_null())
        .filter(payments::state.eq_any(from))
        .filter(payments::next_query_at.le(payments::created_at.nullable()));
    let ended =
        (payments::state.eq(to), payments::settled_at.eq(now), payments::next_query_at.eq(None::<NaiveDateTime>));
    Ok(diesel::update(unstarted).set(ended).returning(payments::order_id).get_results(conn)?)
}

/// Has a payment's gateway polled from this time on, also if it has ended.
pub fn poll_at(conn: &mut Conn, payment_id: i64, at: NaiveDateTime) -> Result<(), AppError> {
    diesel::update(payments::table.find(payment_id)).set(payments::next_query_at.eq(at)).execute(conn)?;
    Ok(())
}

/// Stops polling the gateway. A poll that is due stays: something has happened since the gateway answered what is known now.
pub fn stop_polling(conn: &mut Conn, payment_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let payment = payments::table.find(payment_id).filter(payments::next_query_at.gt(now));
    diesel::update(payment).set(payments::next_query_at.eq(None::<NaiveDateTime>)).execute(conn)?;
    Ok(())
}

/// Ends a payment and stops polling its gateway.
pub fn finish(conn: &mut Conn, payment_id: i64, event: PaymentEvent, now: NaiveDateTime) -> Result<(), AppError> {
    end(conn, payment_id, event, now)?;
    stop_polling(conn, payment_id, now)
}

pub fn public_id_of(conn: &mut Conn, payment_id: i64) -> Result<String, AppError> {
    Ok(payments::table.find(payment_id).select(payments::public_id).first(conn)?)
}

pub fn by_public_id(conn: &mut Conn, public_id: &str) -> Result<Option<PaymentRow>, AppError> {
    if !is_token(public_id) {
        return Ok(None);
    }
    let query = payments::table.filter(payments::public_id.eq(public_id)).select(PaymentRow::as_select());
    Ok(query.first(conn).optional()?)
}

/// The payment with this public id, if it belongs to this account.
pub fn find_own(conn: &mut Conn, account_id: i64, public_id: &str) -> Result<PaymentRow, AppError> {
    let payment = by_public_id(conn, public_id)?.filter(|payment| payment.account_id == account_id);
    payment.ok_or_else(|| AppError::code(Code::NotFound))
}

/// Records the gateway's id of a payment. If several record one concurrently, the first wins; returns the recorded id.
pub fn record_charge_id(conn: &mut Conn, payment_id: i64, charge_id: &str) -> Result<Option<String>, AppError> {
    let unknown = payments::table.find(payment_id).filter(payments::charge_id.is_null());
    diesel::update(unknown).set(payments::charge_id.eq(charge_id)).execute(conn)?;
    Ok(payments::table.find(payment_id).select(payments::charge_id).first(conn)?)
}

/// Ends those payments of an order that are not polled; they end with their order.
pub fn end_with_order(conn: &mut Conn, order_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let (from, to) = payment_transition(PaymentEvent::Expire);
    let open = payments::table
        .filter(payments::order_id.eq(order_id))
        .filter(payments::state.eq_any(from))
        .filter(payments::next_query_at.is_null());
    let ended = (payments::state.eq(to), payments::settled_at.eq(now));
    diesel::update(open).set(ended).execute(conn)?;
    Ok(())
}

/// Whether any payment is due for polling.
pub fn has_due(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    let due = payments::table.filter(payments::next_query_at.le(now)).select(payments::id);
    Ok(due.first::<i64>(conn).optional()?.is_some())
}

/// Payments polled per batch.
pub const TAKEN_AT_ONCE: i64 = 50;

/// When a payment is polled again whose last poll failed. A callback may have asked for that one, and nobody else asks about an old payment.
const AFTER_FAILURE: TimeDelta = TimeDelta::hours(6);

/// Claims the payments that are due for polling; the next poll time is set at once, so that several processes share the work. The flag says whether
/// this is the payment's last poll, if it succeeds.
pub fn claim_due(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<(PaymentRow, bool)>, AppError> {
    // Longest overdue first, so that none starves.
    let due = payments::table.filter(payments::next_query_at.le(now)).order(payments::next_query_at);
    let due = due.select(payments::id).limit(TAKEN_AT_ONCE);
    let due: Vec<i64> = due.locked_if_free().load(conn)?;
    let due: Vec<PaymentRow> =
        payments::table.filter(payments::id.eq_any(due)).select(PaymentRow::as_select()).load(conn)?;
    let mut taken = Vec::with_capacity(due.len());
    for payment in due {
        let next = next_query(payment.created_at, now);
        // A saved card is not charged again: its gateway may no longer know the attempt.
        let after_failure = payment.card_id.is_none().then_some(now + AFTER_FAILURE);
        let again = payments::next_query_at.eq(next.or(after_failure));
        diesel::update(payments::table.find(payment.id)).set(again).execute(conn)?;
        taken.push((payment, next.is_none()));
    }
    Ok(taken)
}

/// The screen that shows a payment's outcome.
pub fn return_path(conn: &mut Conn, payment: &PaymentRow) -> Result<String, AppError> {
    let kind: OrderKind = orders::table.find(payment.order_id).select(orders::kind).first(conn)?;
    if kind == OrderKind::TopUp {
        return Ok(format!("/billing/wallet?PaymentId={}", payment.public_id));
    }
    Ok(format!("/order?OrderId={}&PaymentId={}", payment.order_id, payment.public_id))
}
