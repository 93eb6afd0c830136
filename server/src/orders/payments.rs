//! Payments: attempts to pay an order, and the one function that settles them.
use super::customer::Customer;
use super::fulfil::{Delivered, PaidOrder, charge, deliver, end_unpaid, finish_top_up, hand_over, pay_from_wallet};
use super::queries::{HeldNode, LineRow, OrderRow, lock};
use super::types::PaymentView;
use crate::config::Config;
use crate::db::Conn;
use crate::error::AppError;
use crate::gateways::{self, Charged};
use crate::jobs::mails;
use crate::schema::{gateway_callbacks, orders, payments};
use crate::security::{SecretKey, new_token};
use crate::state::App;
use crate::wallet::ledger::{LockedWallet, Movement, lock_wallet, move_money_of};
use crate::wallet::{auto_top_ups, cards};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use postern_core::auto_top_up::CardFailure;
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::{Money, gateway_part};
use postern_core::order::{
    GatewayReport, OrderEvent, OrderKind, OrderState, PaymentMethod, PaymentState, Verdict, accepts, judge_report,
    order_actions, query_delay_seconds,
};
use postern_core::time::to_wire;
use serde_json::json;
use std::collections::HashMap;

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = payments)]
pub struct PaymentRow {
    pub id: i64,
    pub public_id: String,
    pub account_id: i64,
    pub order_id: i64,
    pub payment_method: String,
    pub state: String,
    pub amount_minor: i64,
    pub currency: String,
    pub language: String,
    /// What the gateway calls it, once it knows of it.
    pub charge_id: Option<String>,
    /// The remembered card that an automatic top-up is charged to.
    pub card_id: Option<i64>,
    pub created_at: NaiveDateTime,
}

impl PaymentRow {
    /// Is it an automatic top-up, which nobody pays by hand?
    pub fn is_automatic(&self) -> bool {
        self.card_id.is_some()
    }

    pub fn state(&self) -> Result<PaymentState, AppError> {
        PaymentState::from_wire(&self.state).ok_or_else(|| AppError::internal("a payment has an unknown state"))
    }

    pub fn method(&self) -> Result<PaymentMethod, AppError> {
        PaymentMethod::from_wire(&self.payment_method)
            .ok_or_else(|| AppError::internal("a payment has an unknown method"))
    }

    pub fn view(self) -> PaymentView {
        let is_automatic = self.is_automatic();
        let is_payable = self.state == PaymentState::Pending.as_str() && !is_automatic;
        let language = Language::from_choice(&self.language);
        PaymentView {
            is_automatic,
            pay_url: is_payable.then(|| gateways::pay_path(&self.payment_method, &self.public_id, language)).flatten(),
            payment_id: self.public_id,
            order_id: self.order_id,
            payment_method: self.payment_method,
            state: self.state,
            amount: Money::from_minor(self.amount_minor),
            currency: self.currency,
            created_at: to_wire(self.created_at),
        }
    }
}

/// How an order is to be paid: through what, in the customer's language, in which shop, when.
pub struct Paying<'a> {
    pub method: PaymentMethod,
    /// The wallet pays what it has, and the method the rest.
    pub use_wallet: bool,
    pub language: Language,
    pub config: &'a Config,
    pub key: &'a SecretKey,
    pub now: NaiveDateTime,
}

/// Begins to pay an order through a gateway: the customer goes on at the payment's address.
pub fn begin(conn: &mut Conn, order: &OrderRow, amount: Money, paying: &Paying) -> Result<PaymentView, AppError> {
    let gateway = gateways::of_method(paying.method).filter(|gateway| gateway.is_offered(paying.config));
    let gateway = gateway.ok_or_else(|| AppError::internal("this method begins no payment"))?;
    let next_query_at = if gateway.can_be_asked() { next_query(paying.now, paying.now) } else { None };
    let new = NewPayment { next_query_at, ..NewPayment::pending(paying.method, paying.language) };
    let payment = insert(conn, order, amount, &new, paying.now)?;
    gateway.open_charge(conn, &payment)?;
    Ok(payment.view())
}

/// Begins to charge an order to a remembered card: nothing is asked of the gateway before this is in the database, and from then on the
/// job that asks gateways charges it, under the payment's id, until it is known what became of it.
pub fn begin_automatic(
    conn: &mut Conn,
    order: &OrderRow,
    method: PaymentMethod,
    card_id: i64,
    language: Language,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let pending = NewPayment::pending(method, language);
    let new = NewPayment { card_id: Some(card_id), next_query_at: Some(now), ..pending };
    insert(conn, order, Money::from_minor(order.total_minor), &new, now)?;
    Ok(())
}

/// Takes back automatic top-ups of an account that nobody has begun to charge.
pub fn withdraw_unbegun(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let unbegun = payments::table
        .filter(payments::account_id.eq(account_id))
        .filter(payments::card_id.is_not_null())
        .filter(payments::state.eq(PaymentState::Pending.as_str()))
        .filter(payments::next_query_at.le(payments::created_at.nullable()));
    let ended = (
        payments::state.eq(PaymentState::Failed.as_str()),
        payments::settled_at.eq(now),
        payments::next_query_at.eq(None::<NaiveDateTime>),
    );
    let orders: Vec<i64> = diesel::update(unbegun).set(ended).returning(payments::order_id).get_results(conn)?;
    for order_id in orders {
        let order = lock(conn, order_id)?;
        end_unpaid(conn, &order, OrderEvent::Cancel, now)?;
    }
    Ok(())
}

/// Pays an order, which must be locked: from the wallet at once, and then its invoice is to be issued; through a gateway by beginning
/// a payment there.
pub fn pay(
    conn: &mut Conn,
    wallet: LockedWallet,
    order: &OrderRow,
    paying: &Paying,
) -> Result<(PaymentView, Option<Delivered>), AppError> {
    if !order_actions(order.state()?, order.seconds_left(paying.now)).can_pay {
        return Err(AppError::state_forbids(&order.state));
    }
    let total = Money::from_minor(order.total_minor);
    let is_shared = paying.use_wallet && accepts(order.kind()?, PaymentMethod::Wallet);
    let amount = if is_shared { gateway_part(wallet.balance, total)? } else { total };
    if paying.method != PaymentMethod::Wallet && !amount.is_zero() {
        return Ok((begin(conn, order, amount, paying)?, None));
    }
    let payment = insert_paid(conn, order, paying)?;
    Ok((payment.view(), Some(deliver(conn, paying.key, wallet, order, paying.now)?)))
}

/// Pays an order from the wallet in the transaction that creates it. `hold` takes its nodes off the shelf: should the transaction fail
/// after all, others have passed over them meanwhile, so it comes as late as it can.
pub fn buy(
    conn: &mut Conn,
    wallet: LockedWallet,
    customer: Customer,
    order: &OrderRow,
    lines: Vec<LineRow>,
    paying: &Paying,
    hold: impl FnOnce(&mut Conn) -> Result<Vec<HeldNode>, AppError>,
) -> Result<Delivered, AppError> {
    let mut payments = Vec::new();
    if order.total_minor > 0 {
        payments.push(insert_paid(conn, order, paying)?.view());
        charge(conn, wallet, order, paying.now)?;
    }
    hand_over(conn, paying.key, PaidOrder { order, customer, lines, payments }, hold, paying.now)
}

fn insert_paid(conn: &mut Conn, order: &OrderRow, paying: &Paying) -> Result<PaymentRow, AppError> {
    let pending = NewPayment::pending(PaymentMethod::Wallet, paying.language);
    let paid = NewPayment { state: PaymentState::Succeeded, ..pending };
    insert(conn, order, Money::from_minor(order.total_minor), &paid, paying.now)
}

/// What a payment is besides its order and its amount.
struct NewPayment {
    method: PaymentMethod,
    language: Language,
    state: PaymentState,
    card_id: Option<i64>,
    next_query_at: Option<NaiveDateTime>,
}

impl NewPayment {
    fn pending(method: PaymentMethod, language: Language) -> NewPayment {
        NewPayment { method, language, state: PaymentState::Pending, card_id: None, next_query_at: None }
    }
}

fn insert(
    conn: &mut Conn,
    order: &OrderRow,
    amount: Money,
    new: &NewPayment,
    now: NaiveDateTime,
) -> Result<PaymentRow, AppError> {
    let is_pending = new.state == PaymentState::Pending;
    let public_id = new_token();
    let id = diesel::insert_into(payments::table)
        .values((
            payments::public_id.eq(&public_id),
            payments::account_id.eq(order.account_id),
            payments::order_id.eq(order.id),
            payments::payment_method.eq(new.method.as_str()),
            payments::state.eq(new.state.as_str()),
            payments::amount_minor.eq(amount.minor()),
            payments::currency.eq(&order.currency),
            payments::language.eq(new.language.as_str()),
            payments::card_id.eq(new.card_id),
            payments::created_at.eq(now),
            payments::settled_at.eq((!is_pending).then_some(now)),
            payments::next_query_at.eq(new.next_query_at),
        ))
        .returning(payments::id)
        .get_result(conn)?;
    Ok(PaymentRow {
        id,
        public_id,
        account_id: order.account_id,
        order_id: order.id,
        payment_method: new.method.as_str().to_owned(),
        state: new.state.as_str().to_owned(),
        amount_minor: amount.minor(),
        currency: order.currency.clone(),
        language: new.language.as_str().to_owned(),
        charge_id: None,
        card_id: new.card_id,
        created_at: now,
    })
}

fn next_query(created_at: NaiveDateTime, now: NaiveDateTime) -> Option<NaiveDateTime> {
    query_delay_seconds((now - created_at).num_seconds()).map(|seconds| now + TimeDelta::seconds(seconds))
}

/// Under which reference the ledger has the money of a payment.
pub fn reference(payment_id: i64) -> String {
    format!("payment {payment_id} received")
}

/// Judges what a gateway says about a payment, and does what follows. Called by callbacks, by asking the gateway, and
/// any number of times: it takes effect once. `failure` is why a remembered card was not charged, if that is known.
pub fn settle(
    conn: &mut Conn,
    key: &SecretKey,
    payment_id: i64,
    report: &GatewayReport,
    failure: Option<CardFailure>,
    now: NaiveDateTime,
) -> Result<Verdict, AppError> {
    // Always in the same order, so that no two transactions wait for each other: wallet, order, payment.
    let (account_id, order_id): (i64, i64) =
        payments::table.find(payment_id).select((payments::account_id, payments::order_id)).first(conn)?;
    let wallet = lock_wallet(conn, account_id)?;
    let order = lock(conn, order_id)?;
    let payment: PaymentRow = payments::table.find(payment_id).select(PaymentRow::as_select()).first(conn)?;
    let amount = Money::from_minor(payment.amount_minor);
    let verdict = judge_report(report, payment.state()?, order.state()?, amount, &payment.currency)
        .if_covered(wallet.balance.checked_add(amount)?, Money::from_minor(order.total_minor));
    let late = verdict == Verdict::CreditWallet;
    match verdict {
        Verdict::Settle | Verdict::CreditWallet => {
            finish(conn, payment_id, PaymentState::Succeeded, now)?;
            let is_top_up = order.kind()? == OrderKind::TopUp;
            let credit = Movement {
                account_id,
                kind: if late {
                    EntryKind::LatePayment
                } else if is_top_up && payment.is_automatic() {
                    EntryKind::AutoTopUp
                } else if is_top_up {
                    EntryKind::TopUp
                } else {
                    EntryKind::Payment
                },
                source: Book::Gateway,
                amount,
                reference: reference(payment_id),
                order_id: Some(order_id),
            };
            move_money_of(conn, wallet, &credit, now)?;
            if late {
                // An automatic top-up has a mail of its own.
                if !payment.is_automatic() {
                    let parameters = json!({ "OrderNumber": order.order_number, "Amount": amount });
                    mails::tell_account(conn, account_id, "late_payment", &parameters, now)?;
                }
            } else if is_top_up {
                finish_top_up(conn, &order, now)?;
            } else {
                pay_from_wallet(conn, key, &order, now)?;
            }
            if payment.is_automatic() {
                auto_top_ups::note_success(conn, &payment, now)?;
            }
        }
        // Nobody is at the gateway's page to try another card: it has failed, and its order with it.
        Verdict::Fail if payment.is_automatic() => {
            end_automatic(conn, &order, payment_id, PaymentState::Failed, now)?;
            auto_top_ups::note_failure(conn, &payment, failure.unwrap_or(CardFailure::Declined), now)?;
        }
        // Another attempt may follow on the gateway's page: it is still asked, until it says itself that this one failed.
        Verdict::Fail => end(conn, payment_id, PaymentState::Failed, now)?,
        _ => {}
    }
    Ok(verdict)
}

fn end(conn: &mut Conn, payment_id: i64, state: PaymentState, now: NaiveDateTime) -> Result<(), AppError> {
    let ended = (payments::state.eq(state.as_str()), payments::settled_at.eq(now));
    diesel::update(payments::table.find(payment_id)).set(ended).execute(conn)?;
    Ok(())
}

fn ask_no_more(conn: &mut Conn, payment_id: i64) -> Result<(), AppError> {
    let payment = payments::table.find(payment_id);
    diesel::update(payment).set(payments::next_query_at.eq(None::<NaiveDateTime>)).execute(conn)?;
    Ok(())
}

/// Ends a payment, about which nobody is asked any more.
fn finish(conn: &mut Conn, payment_id: i64, state: PaymentState, now: NaiveDateTime) -> Result<(), AppError> {
    end(conn, payment_id, state, now)?;
    ask_no_more(conn, payment_id)
}

fn end_automatic(
    conn: &mut Conn,
    order: &OrderRow,
    payment_id: i64,
    state: PaymentState,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    finish(conn, payment_id, state, now)?;
    if order.state()? == OrderState::Unpaid { end_unpaid(conn, order, OrderEvent::Cancel, now) } else { Ok(()) }
}

/// Stores a callback as it came, before anybody looks at it.
pub fn store_callback(
    conn: &mut Conn,
    gateway: &str,
    body: String,
    signature: String,
    now: NaiveDateTime,
) -> Result<StoredCallback, AppError> {
    let id = diesel::insert_into(gateway_callbacks::table)
        .values((
            gateway_callbacks::gateway.eq(gateway),
            gateway_callbacks::body.eq(&body),
            gateway_callbacks::signature.eq(&signature),
            gateway_callbacks::received_at.eq(now),
        ))
        .returning(gateway_callbacks::id)
        .get_result(conn)?;
    Ok(StoredCallback { id, gateway: gateway.to_owned(), body, signature, received_at: now })
}

/// Of several who judge one callback at once, the first one's verdict stays.
pub fn note_verdict(
    conn: &mut Conn,
    callback_id: i64,
    payment_id: Option<i64>,
    verdict: Verdict,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let unjudged = gateway_callbacks::table.find(callback_id).filter(gateway_callbacks::judged_at.is_null());
    diesel::update(unjudged)
        .set((
            gateway_callbacks::payment_id.eq(payment_id),
            gateway_callbacks::verdict.eq(verdict.as_str()),
            gateway_callbacks::judged_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// A callback as it was stored.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = gateway_callbacks)]
pub struct StoredCallback {
    pub id: i64,
    pub gateway: String,
    pub body: String,
    pub signature: String,
    pub received_at: NaiveDateTime,
}

/// Callbacks that came before the time given and that nobody has judged.
pub fn unjudged_callbacks(conn: &mut Conn, before: NaiveDateTime) -> Result<Vec<StoredCallback>, AppError> {
    let unjudged = gateway_callbacks::table
        .filter(gateway_callbacks::judged_at.is_null())
        .filter(gateway_callbacks::received_at.lt(before));
    let oldest = unjudged.order(gateway_callbacks::received_at).select(StoredCallback::as_select());
    Ok(oldest.limit(100).load(conn)?)
}

pub fn by_public_id(conn: &mut Conn, public_id: &str) -> Result<Option<PaymentRow>, AppError> {
    let query = payments::table.filter(payments::public_id.eq(public_id)).select(PaymentRow::as_select());
    Ok(query.first(conn).optional()?)
}

/// The payment with this public id, if it is this account's.
pub fn find_own(conn: &mut Conn, account_id: i64, public_id: &str) -> Result<PaymentRow, AppError> {
    let payment = by_public_id(conn, public_id)?.filter(|payment| payment.account_id == account_id);
    payment.ok_or_else(|| AppError::code(Code::NotFound))
}

pub fn view_own(conn: &mut Conn, account_id: i64, public_id: &str) -> Result<PaymentView, AppError> {
    Ok(find_own(conn, account_id, public_id)?.view())
}

/// Asks the gateway how a payment stands that has not succeeded yet, and settles it if there is news. No transaction waits for the
/// answer.
pub async fn ask_gateway(app: &App, payment: PaymentRow) -> Result<(), AppError> {
    if payment.state()? == PaymentState::Succeeded {
        return Ok(());
    }
    if let Some(card_id) = payment.card_id {
        return charge_card(app, payment, card_id).await;
    }
    let Some(gateway) = gateways::of_method(payment.method()?) else { return Ok(()) };
    let Some(report) = gateway.query(app, &payment).await? else { return Ok(()) };
    let (key, now) = (app.key.clone(), app.clock.now());
    let settle = move |conn: &mut Conn| {
        settle(conn, &key, payment.id, &report, None, now)?;
        // What the gateway answers is how it stands there, unlike a callback, which may be older than another on its way.
        if report.succeeded { Ok(()) } else { ask_no_more(conn, payment.id) }
    };
    app.db.write(settle).await
}

/// Charges an automatic top-up to its card, or finds out what became of an earlier attempt: both are the same request. No transaction waits
/// for the answer.
async fn charge_card(app: &App, payment: PaymentRow, card_id: i64) -> Result<(), AppError> {
    let (key, now) = (app.key.clone(), app.clock.now());
    let reference = app.db.read(move |conn| cards::reference(conn, &key, card_id)).await?;
    if payment.state()? != PaymentState::Pending {
        return Ok(());
    }
    let charged = match (reference, gateways::offered_cards(&app.config, payment.method()?)) {
        (Some(reference), Some(cards)) => cards.charge(app, &payment, &reference).await?,
        // The shop no longer uses the gateway, or the gateway no longer knows the card.
        _ => Some(Charged {
            charge_id: None,
            said: GatewayReport {
                succeeded: false,
                amount: Money::from_minor(payment.amount_minor),
                currency: payment.currency.clone(),
            },
            failure: Some(CardFailure::CardGone),
        }),
    };
    let Some(charged) = charged else { return Ok(()) };
    let key = app.key.clone();
    let settle = move |conn: &mut Conn| {
        if let Some(charge_id) = &charged.charge_id {
            note_charge(conn, payment.id, charge_id)?;
        }
        settle(conn, &key, payment.id, &charged.said, charged.failure, now)?;
        Ok(())
    };
    app.db.write(settle).await
}

/// Nobody asks any more about a payment; one that is still pending is expired. Should its money come after all, `settle` takes it.
pub fn give_up(conn: &mut Conn, payment_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let find = payments::table.find(payment_id).select(PaymentRow::as_select());
    let payment: PaymentRow = find.first(conn)?;
    if payment.is_automatic() {
        lock_wallet(conn, payment.account_id)?;
        let order = lock(conn, payment.order_id)?;
        let payment: PaymentRow = find.first(conn)?;
        if payment.state()? == PaymentState::Pending {
            end_automatic(conn, &order, payment_id, PaymentState::Expired, now)?;
            auto_top_ups::note_failure(conn, &payment, CardFailure::NoAnswer, now)?;
        }
    } else if payment.state()? == PaymentState::Pending {
        end(conn, payment_id, PaymentState::Expired, now)?;
    }
    ask_no_more(conn, payment_id)
}

/// Notes what the gateway calls a payment. Of several who note it at once, the first one's stays, and is returned.
pub fn note_charge(conn: &mut Conn, payment_id: i64, charge_id: &str) -> Result<Option<String>, AppError> {
    let unknown = payments::table.find(payment_id).filter(payments::charge_id.is_null());
    diesel::update(unknown).set(payments::charge_id.eq(charge_id)).execute(conn)?;
    Ok(payments::table.find(payment_id).select(payments::charge_id).first(conn)?)
}

/// Ends the payments of an order that nobody is going to ask about, as they end with their order.
pub fn end_with_order(conn: &mut Conn, order_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let open = payments::table
        .filter(payments::order_id.eq(order_id))
        .filter(payments::state.eq(PaymentState::Pending.as_str()))
        .filter(payments::next_query_at.is_null());
    let ended = (payments::state.eq(PaymentState::Expired.as_str()), payments::settled_at.eq(now));
    diesel::update(open).set(ended).execute(conn)?;
    Ok(())
}

/// Is there any payment whose gateway is to be asked again by now?
pub fn has_due(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    let due = payments::table.filter(payments::next_query_at.le(now)).select(payments::id);
    Ok(due.first::<i64>(conn).optional()?.is_some())
}

/// So many payments are taken to be asked about at once.
const TAKEN_AT_ONCE: i64 = 50;

/// Payments whose gateway is to be asked again by now; the next time is set at once, so that several processes share
/// the work. With each comes whether this is the last time that anybody asks.
pub fn take_due(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<(PaymentRow, bool)>, AppError> {
    // Who has waited longest comes first: nobody is left out, however many there are.
    let due = payments::table.filter(payments::next_query_at.le(now)).order(payments::next_query_at);
    let due = due.select(payments::id).limit(TAKEN_AT_ONCE);
    let due: Vec<i64> = match conn {
        Conn::Postgres(conn) => due.for_update().skip_locked().load(conn)?,
        Conn::Sqlite(conn) => due.load(conn)?,
    };
    let due: Vec<PaymentRow> =
        payments::table.filter(payments::id.eq_any(due)).select(PaymentRow::as_select()).load(conn)?;
    let mut taken = Vec::with_capacity(due.len());
    for payment in due {
        let next = next_query(payment.created_at, now);
        diesel::update(payments::table.find(payment.id)).set(payments::next_query_at.eq(next)).execute(conn)?;
        taken.push((payment, next.is_none()));
    }
    Ok(taken)
}

pub fn of_orders(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<i64, Vec<PaymentView>>, AppError> {
    let rows: Vec<PaymentRow> = payments::table
        .filter(payments::order_id.eq_any(order_ids))
        .order(payments::id.desc())
        .select(PaymentRow::as_select())
        .load(conn)?;
    let mut by_order: HashMap<i64, Vec<PaymentView>> = HashMap::new();
    for row in rows {
        by_order.entry(row.order_id).or_default().push(row.view());
    }
    Ok(by_order)
}

/// The payments of an order, newest first.
pub fn of_order(conn: &mut Conn, order_id: i64) -> Result<Vec<PaymentView>, AppError> {
    let rows = payments::table.filter(payments::order_id.eq(order_id)).order(payments::id.desc());
    let rows: Vec<PaymentRow> = rows.select(PaymentRow::as_select()).load(conn)?;
    Ok(rows.into_iter().map(PaymentRow::view).collect())
}

/// Which screen shows a payment's outcome.
pub fn return_path(conn: &mut Conn, payment: &PaymentRow) -> Result<String, AppError> {
    let kind: String = orders::table.find(payment.order_id).select(orders::kind).first(conn)?;
    if kind == OrderKind::TopUp.as_str() {
        return Ok(format!("/billing/wallet?PaymentId={}", payment.public_id));
    }
    Ok(format!("/order?OrderId={}&PaymentId={}", payment.order_id, payment.public_id))
}
