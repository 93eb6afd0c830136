//! The job that sends refunds to gateways and asks what has become of them. Nothing is sent within a transaction, and each attempt finds what an earlier
//! one may have done. One that got no answer is followed by the next when the gateway must be done with it.
use crate::charges::payments::PaymentRow;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::gateways::{KnownRefund, RefundOutcome, RefundRequest, offered_refunds};
use crate::mails;
use crate::order_rows::rows::{OrderRow, lock};
use crate::returns::apply::apply_in;
use crate::returns::rows::ReturnRow;
use crate::returns::source_rows::{self, SourceRefundRow};
use crate::returns::tell;
use crate::schema::{orders, payment_returns, payments};
use crate::state::App;
use chrono::NaiveDateTime;
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use postern_core::payment_case::PaymentCaseKind;
use postern_core::payment_return::{ReturnReport, ReturnState, next_look};
use serde_json::json;

/// Refunds in one round.
const AT_ONCE: usize = 20;

/// The length of what is kept of a gateway's words.
const TROUBLE_LENGTH: usize = 300;

pub async fn send_due(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    if !app.db.read(move |conn| source_rows::has_due(conn, now)).await? {
        return Ok(());
    }
    let mut result = Ok(());
    for _ in 0..AT_ONCE {
        // Of each claim, so that it is a whole one: gateways may be slow.
        let now = app.clock.now();
        let Some(refund) = app.db.write(move |conn| source_rows::claim_next(conn, now)).await? else { break };
        let return_id = refund.return_id;
        if let Err(error) = send(app, refund).await {
            tracing::error!(return_id, %error, "a refund could not be sent, or its gateway not asked about it");
            let trouble = shortened(&error.to_string());
            app.db.write(move |conn| source_rows::record_trouble(conn, return_id, &trouble)).await?;
            result = Err(error);
        }
    }
    result
}

fn shortened(text: &str) -> String {
    text.chars().take(TROUBLE_LENGTH).collect()
}

async fn send(app: &App, refund: SourceRefundRow) -> Result<(), AppError> {
    let return_id = refund.return_id;
    let (row, payment, order_number) = app.db.read(move |conn| of_return(conn, return_id)).await?;
    let outcome = match offered_refunds(&app.config, payment.payment_method) {
        Some(refunds) => {
            let request = RefundRequest {
                reference: row.reference.clone(),
                order_number,
                amount: Money::from_minor(row.reported_minor),
                currency: row.reported_currency,
                charge: refund.charge.clone(),
                gateway_reference: refund.gateway_reference.clone(),
                may_be_sent: refund.may_be_sent,
                created_at: refund.created_at,
            };
            refunds.refund(app, &payment, &request).await?
        }
        // The seller no longer uses the gateway.
        None => RefundOutcome::Uncertain("the gateway is not set up".to_owned()),
    };
    let now = app.clock.now();
    app.db.write(move |conn| record(conn, &refund, &row, &payment, &outcome, now)).await
}

fn of_return(conn: &mut Conn, return_id: i64) -> Result<(ReturnRow, PaymentRow, String), AppError> {
    let row: ReturnRow = payment_returns::table.find(return_id).select(ReturnRow::as_select()).first(conn)?;
    let payment: PaymentRow = payments::table.find(row.payment_id).select(PaymentRow::as_select()).first(conn)?;
    let order_number = orders::table.find(payment.order_id).select(orders::order_number).first(conn)?;
    Ok((row, payment, order_number))
}

/// Records what has become of a refund.
fn record(
    conn: &mut Conn,
    refund: &SourceRefundRow,
    row: &ReturnRow,
    payment: &PaymentRow,
    outcome: &RefundOutcome,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let id = refund.return_id;
    let next = now + next_look(now - refund.created_at);
    match outcome {
        RefundOutcome::Known(known) => {
            let next = (known.state == ReturnState::Open).then_some(next);
            apply_in(conn, payment.id, &[report(row, known.state, known.amount)], now)?;
            source_rows::record_known(conn, id, &known.gateway_reference, known.claim_url.as_deref(), next)?;
            if refund.claim_url.is_none() && refund.gateway_reference.is_none() {
                ask_customer(conn, row, payment, known, now)?;
            }
            Ok(())
        }
        RefundOutcome::Refused(said) => {
            tracing::warn!(return_id = id, said, "a gateway refuses a refund");
            apply_in(
                conn,
                payment.id,
                &[report(row, ReturnState::Undone, Money::from_minor(row.reported_minor))],
                now,
            )?;
            source_rows::record_trouble(conn, id, &shortened(said))?;
            source_rows::stop(conn, id)
        }
        RefundOutcome::NotSent(said) => {
            tracing::warn!(return_id = id, said, "a refund was not sent");
            source_rows::record_unsent(conn, refund, next)?;
            source_rows::record_trouble(conn, id, &shortened(said))
        }
        RefundOutcome::Uncertain(said) => {
            tracing::warn!(return_id = id, said, "nobody can tell whether a refund was made");
            source_rows::record_trouble(conn, id, &shortened(said))?;
            leave_to_operator(conn, id, payment, now)
        }
    }
}

/// Leaves a refund that is not over to an operator.
fn leave_to_operator(conn: &mut Conn, id: i64, payment: &PaymentRow, now: NaiveDateTime) -> Result<(), AppError> {
    lock(conn, payment.order_id)?;
    let state: ReturnState = payment_returns::table.find(id).select(payment_returns::state).first(conn)?;
    if state != ReturnState::Open {
        return source_rows::stop(conn, id);
    }
    source_rows::leave_to_operator(conn, id)?;
    tell::open_case(conn, payment, id, PaymentCaseKind::RefundByHand, now)
}

/// What the gateway says of a refund of the shop.
pub fn report(row: &ReturnRow, state: ReturnState, amount: Money) -> ReturnReport {
    ReturnReport {
        reference: row.reference.clone(),
        kind: row.kind,
        state,
        amount,
        currency: row.reported_currency.as_str().to_owned(),
        reason: row.reason.clone(),
        due_at: None,
    }
}

/// Asks the customer where a refund goes, if the gateway wants to know.
fn ask_customer(
    conn: &mut Conn,
    row: &ReturnRow,
    payment: &PaymentRow,
    known: &KnownRefund,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let Some(claim_url) = &known.claim_url else { return Ok(()) };
    let order: OrderRow = orders::table.find(payment.order_id).select(OrderRow::as_select()).first(conn)?;
    let parameters = json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Amount": known.amount.display(row.reported_currency),
        "ClaimUrl": claim_url,
    });
    let (kind, template) = (EventKind::OrderRefunded, MailTemplate::RefundToClaim);
    mails::queue_for_account(conn, order.account_id, kind, template, &parameters, now)
}
