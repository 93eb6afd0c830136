//! Refunds that an operator sends by hand: to a bank account, or where a gateway cannot say what has become of one.
use crate::audit::{self, Actor, Entry};
use crate::charges::cases;
use crate::charges::payments::PaymentRow;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Operator, Write, once};
use crate::ledger::lock_wallet;
use crate::order_rows::rows::lock;
use crate::returns::apply::apply_in;
use crate::returns::rows::ReturnRow;
use crate::returns::send::report;
use crate::returns::source_rows;
use crate::schema::{payment_returns, payments};
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::money::Money;
use postern_core::payment_case::PaymentCaseKind;
use postern_core::payment_return::{RefundProgress, ReturnState, SettleRefundForm, validate_settle_refund};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// How far a refund has come.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RefundSettled {
    pub return_id: i64,
    pub progress: RefundProgress,
}

/// Records the outcome of a refund that an operator sent by hand: it was sent, or it was not, and the money goes back to the wallet. Closes the case about
/// it. 4005 for a refund that is over, or that the shop sends itself. For operators.
#[utoipa::path(request_body = SettleRefundForm, responses((status = 200, body = Answer<RefundSettled>)))]
#[post("/Operator/SettleRefund")]
pub async fn settle_refund(app: web::Data<App>, who: Operator, write: Write<SettleRefundForm>) -> Answered<Value> {
    let now = app.clock.now();
    let settled = app.db.write(move |conn| {
        // Lock the wallet before reading the key, so that the second of two concurrent requests finds the first one's answer.
        lock_of(conn, write.body.return_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| settle(conn, &write.body, (&who.email, &who.actor), now))
    });
    answer(settled.await?)
}

/// The return and its payment, with the wallet and the order locked.
fn lock_of(conn: &mut Conn, return_id: i64) -> Result<(ReturnRow, PaymentRow), AppError> {
    let row = payment_returns::table.find(return_id).select(ReturnRow::as_select());
    let found: ReturnRow = row.first(conn).optional()?.ok_or_else(|| AppError::code(Code::NotFound))?;
    lock_wallet(conn, found.account_id)?;
    let payment: PaymentRow = payments::table.find(found.payment_id).select(PaymentRow::as_select()).first(conn)?;
    lock(conn, payment.order_id)?;
    Ok((row.first(conn)?, payment))
}

fn settle(
    conn: &mut Conn,
    form: &SettleRefundForm,
    (email, actor): (&str, &Actor),
    now: NaiveDateTime,
) -> Result<RefundSettled, AppError> {
    let (reference, note) = validate_settle_refund(form)?;
    let (row, payment) = lock_of(conn, form.return_id)?;
    let refund = source_rows::of_return(conn, row.id)?.ok_or_else(|| AppError::code(Code::NotFound))?;
    if row.state != ReturnState::Open || !refund.is_by_hand {
        return Err(AppError::state_forbids(refund.progress(row.state).as_str()));
    }
    let state = if form.has_arrived { ReturnState::Final } else { ReturnState::Undone };
    source_rows::record_reference(conn, row.id, Some(&reference).filter(|text| !text.is_empty()).map(String::as_str))?;
    let amount = Money::from_minor(row.reported_minor);
    apply_in(conn, payment.id, &[report(&row, state, amount)], now)?;
    if !source_rows::are_by_hand(conn, payment.id)? {
        cases::close(conn, &payment, PaymentCaseKind::RefundByHand, (email, &note), now)?;
    }
    let entry = Entry::new(AuditAction::RefundSettled).account(row.account_id).subject(&payment.public_id);
    let mut changes = vec![
        AuditChange::new(AuditField::Amount, amount.display(row.reported_currency)),
        AuditChange::new(AuditField::State, state.as_str()),
    ];
    if !reference.is_empty() {
        changes.push(AuditChange::new(AuditField::Reference, &reference));
    }
    audit::record(conn, actor, entry.reason(&note).changes(changes), now)?;
    Ok(RefundSettled { return_id: row.id, progress: refund.progress(state) })
}
