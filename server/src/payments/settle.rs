//! The only function that settles payments, for callbacks and polls, any number of times.
use crate::charges::arrivals;
use crate::charges::cases::{self, NewCase};
use crate::charges::payments::{PaymentRow, end, finish, poll_at, stop_polling};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::fulfilment::fulfil::{end_unpaid, finish_top_up, pay_from_wallet, queue_top_up_mail};
use crate::fulfilment::renewals;
use crate::ledger::{Movement, lock_wallet, move_money_of};
use crate::mails;
use crate::order_rows::rows::{OrderRow, lock, set_top_up};
use crate::payments::auto_top_up_results;
use crate::returns;
use crate::schema::payments;
use crate::security::SecretKey;
use crate::wallet::closed_accounts;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::auto_top_up::CardFailure;
use postern_core::event::EventKind;
use postern_core::exchange::credit;
use postern_core::ledger::{Book, EntryKind};
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use postern_core::order::{
    GatewayReport, HOLD_MINUTES, OrderEvent, OrderKind, OrderState, PaymentEvent, PaymentState, Verdict,
    evaluate_report,
};
use postern_core::payment_case::PaymentCaseKind;
use serde_json::json;

/// Processes a gateway's report of a payment. Called for callbacks and polls; idempotent. What arrives is credited, also if it is not what was due: then an
/// operator looks at it. `failure` is why a saved card was not charged, if known.
pub fn settle(
    conn: &mut Conn,
    key: &SecretKey,
    payment_id: i64,
    report: &GatewayReport,
    failure: Option<CardFailure>,
    now: NaiveDateTime,
) -> Result<Verdict, AppError> {
    // Fixed lock order against deadlocks: wallet, order, payment.
    let (account_id, order_id): (i64, i64) =
        payments::table.find(payment_id).select((payments::account_id, payments::order_id)).first(conn)?;
    let wallet = lock_wallet(conn, account_id)?;
    let order = lock(conn, order_id)?;
    let payment: PaymentRow = payments::table.find(payment_id).select(PaymentRow::as_select()).first(conn)?;
    let due = Money::from_minor(payment.amount_minor);
    let (charged, currency) = payment.charged();
    let before = arrivals::before(conn, &payment)?;
    let arrived_before = before.of_charge(&report.charge);
    let mut verdict = evaluate_report(report, payment.state, order.state, arrived_before, currency.as_str());
    let is_top_up = order.kind == OrderKind::TopUp;
    match verdict {
        Verdict::Settle | Verdict::CreditWallet => {
            let credited = |arrived| if Money::is_zero(arrived) { Ok(arrived) } else { credit(arrived, charged, due) };
            let amount = credited(report.amount)?.checked_sub(credited(arrived_before)?)?;
            if !is_top_up {
                verdict = verdict.if_covered(wallet.available_with(amount)?, Money::from_minor(order.total_minor));
            }
            let late = verdict == Verdict::CreditWallet;
            let more = report.amount.checked_sub(arrived_before)?;
            let reference = arrivals::record(conn, payment_id, &before, &report.charge, (more, amount), now)?;
            let in_all = before.credited.checked_add(amount)?;
            let reported = before.in_all()?.checked_add(more)?;
            if in_all == due {
                cases::note_rest(conn, payment_id, in_all, reported)?;
            } else {
                let case = NewCase {
                    kind: PaymentCaseKind::OtherAmount,
                    gateway: payment.payment_method,
                    about: Ok(&payment),
                    currency: payment.currency,
                    credited: Some(in_all),
                    reported: Some((reported, currency)),
                };
                cases::open(conn, &case, now)?;
            }
            if amount.is_zero() {
                // Less than a cent of the shop's currency: there is nothing to post.
                return Ok(Verdict::WrongAmount);
            }
            if payment.state != PaymentState::Succeeded {
                end(conn, payment_id, PaymentEvent::Succeed, now)?;
            }
            // While less has come than was due, the gateway is asked for the rest; and for what it took back, if that was known before.
            if returns::rows::exist(conn, payment_id)? {
                poll_at(conn, payment_id, now)?;
            } else if in_all >= due {
                stop_polling(conn, payment_id, now)?;
            }
            let order = match late {
                false if is_top_up && amount != Money::from_minor(order.total_minor) => {
                    set_top_up(conn, &order, amount)?;
                    lock(conn, order_id)?
                }
                _ => order,
            };
            let movement = Movement {
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
                reference,
                order_id: Some(order_id),
            };
            move_money_of(conn, wallet, &movement, now)?;
            if late {
                closed_accounts::note_arrival(conn, account_id, now)?;
                // Automatic top-ups have their own mail.
                if !payment.is_automatic() {
                    tell_of_late_payment(conn, &order, amount, now)?;
                }
            } else if is_top_up {
                finish_top_up(conn, &order, now)?;
                // Automatic ones have their own mail.
                if !payment.is_automatic() {
                    queue_top_up_mail(conn, &order, amount, now)?;
                }
            } else {
                pay_from_wallet(conn, key, &order, now)?;
                renewals::queue_mail(conn, &order, now)?;
            }
            // The customer has just paid at the gateway and knows it; later, the arrival is news.
            let has_just_paid = now - payment.created_at <= TimeDelta::minutes(HOLD_MINUTES);
            if !late && !payment.is_automatic() && has_just_paid {
                let kind = if is_top_up { EventKind::WalletToppedUp } else { EventKind::OrderPaid };
                events::known_to_account(conn, account_id, kind)?;
            }
            if payment.is_automatic() {
                auto_top_up_results::note_success(conn, &payment, now)?;
            }
        }
        // Off-session: the customer cannot try another card, so the payment has failed, and its order with it.
        Verdict::Fail if payment.is_automatic() => {
            end_automatic(conn, &order, payment_id, PaymentEvent::Fail, now)?;
            auto_top_up_results::note_failure(conn, &payment, failure.unwrap_or(CardFailure::Declined), now)?;
        }
        // The customer may try again on the gateway's page: keep polling until the gateway reports the payment as failed.
        Verdict::Fail => end(conn, payment_id, PaymentEvent::Fail, now)?,
        Verdict::Duplicate
        | Verdict::WrongAmount
        | Verdict::WrongCurrency
        | Verdict::BadSignature
        | Verdict::WrongMerchant
        | Verdict::UnknownPayment
        | Verdict::Irrelevant => {}
    }
    Ok(verdict)
}

/// Tells the customer of money that went to the wallet instead of paying the order.
fn tell_of_late_payment(conn: &mut Conn, order: &OrderRow, amount: Money, now: NaiveDateTime) -> Result<(), AppError> {
    let (account_id, kind) = (order.account_id, EventKind::PaymentLate);
    let data = json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Amount": amount,
        "Currency": order.currency,
    });
    events::record(conn, account_id, kind, &data, now)?;
    let parameters = json!({ "OrderNumber": order.order_number, "Amount": amount });
    mails::queue_for_account(conn, account_id, kind, MailTemplate::LatePayment, &parameters, now)
}

pub fn end_automatic(
    conn: &mut Conn,
    order: &OrderRow,
    payment_id: i64,
    event: PaymentEvent,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    finish(conn, payment_id, event, now)?;
    if order.state == OrderState::Unpaid { end_unpaid(conn, order, OrderEvent::Cancel, now) } else { Ok(()) }
}

/// Stops polling a payment; a pending one expires. If its money arrives later, `settle` accepts it.
pub fn give_up(conn: &mut Conn, payment_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let find = payments::table.find(payment_id).select(PaymentRow::as_select());
    let payment: PaymentRow = find.first(conn)?;
    if payment.is_automatic() {
        lock_wallet(conn, payment.account_id)?;
        let order = lock(conn, payment.order_id)?;
        let payment: PaymentRow = find.first(conn)?;
        if payment.state == PaymentState::Pending {
            end_automatic(conn, &order, payment_id, PaymentEvent::Expire, now)?;
            auto_top_up_results::note_failure(conn, &payment, CardFailure::NoAnswer, now)?;
        }
    } else if payment.state == PaymentState::Pending {
        end(conn, payment_id, PaymentEvent::Expire, now)?;
    }
    stop_polling(conn, payment_id, now)
}
