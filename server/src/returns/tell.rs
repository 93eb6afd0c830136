//! Who is told that money was taken back, or returned: the customer, and operators.
use crate::accounts::queries::emails_of;
use crate::accounts::staff::who_may;
use crate::charges::arrivals;
use crate::charges::cases::{self, NewCase};
use crate::charges::payments::PaymentRow;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::ledger::lock_wallet;
use crate::order_rows::rows::OrderRow;
use crate::returns::rows::{self, ReturnRow};
use crate::returns::source_rows;
use crate::schema::payment_returns;
use crate::{events, mails};
use chrono::NaiveDateTime;
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use postern_core::payment_case::PaymentCaseKind;
use postern_core::payment_return::{ReturnKind, ReturnState};
use postern_core::time::to_wire;
use serde_json::json;

/// What was moved.
#[derive(Clone, Copy, Eq, PartialEq)]
pub enum Change {
    None,
    TakenBack(Money),
    GivenBack(Money),
}

/// Tells of a return that is new or has changed.
pub fn tell(
    conn: &mut Conn,
    (payment, order): (&PaymentRow, &OrderRow),
    return_id: i64,
    is_news: bool,
    change: Change,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let row: ReturnRow = payment_returns::table.find(return_id).select(ReturnRow::as_select()).first(conn)?;
    // Of a refund of the shop the customer was told when it began; what comes back, or is taken after all, is news.
    if row.kind != ReturnKind::ByShop || is_news || matches!(change, Change::GivenBack(_)) {
        tell_customer(conn, &row, order, change, now)?;
    }
    let kind = match (row.kind, row.state) {
        (ReturnKind::Dispute, ReturnState::Open) => PaymentCaseKind::Disputed,
        (ReturnKind::Dispute, ReturnState::Final) => PaymentCaseKind::DisputeLost,
        (ReturnKind::Dispute, ReturnState::Undone) => PaymentCaseKind::DisputeWon,
        (ReturnKind::Refund, _) => PaymentCaseKind::RefundedElsewhere,
        (ReturnKind::Invalid, _) => PaymentCaseKind::Invalidated,
        // An operator who says so needs no case.
        (ReturnKind::ByShop, ReturnState::Undone) if !is_by_hand(conn, return_id)? => PaymentCaseKind::RefundFailed,
        (ReturnKind::ByShop, _) => return Ok(()),
    };
    open_case(conn, payment, return_id, kind, now)?;
    if is_news && kind == PaymentCaseKind::Disputed {
        mail_operators(conn, &row, order, now)?;
    }
    Ok(())
}

fn is_by_hand(conn: &mut Conn, return_id: i64) -> Result<bool, AppError> {
    Ok(source_rows::of_return(conn, return_id)?.is_some_and(|refund| refund.is_by_hand))
}

/// Opens a case about a return.
pub fn open_case(
    conn: &mut Conn,
    payment: &PaymentRow,
    return_id: i64,
    kind: PaymentCaseKind,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let row: ReturnRow = payment_returns::table.find(return_id).select(ReturnRow::as_select()).first(conn)?;
    let (credited, mut left) = (arrivals::before(conn, payment)?.credited, Money::ZERO);
    for other in rows::of_payment(conn, payment.id)? {
        left = left.checked_add(Money::from_minor(other.taken_minor))?;
    }
    let case = NewCase {
        kind,
        gateway: payment.payment_method,
        about: Ok(payment),
        currency: payment.currency,
        credited: Some(credited.checked_sub(left)?),
        reported: Some((Money::from_minor(row.reported_minor), row.reported_currency)),
    };
    cases::open(conn, &case, now)
}

fn tell_customer(
    conn: &mut Conn,
    row: &ReturnRow,
    order: &OrderRow,
    change: Change,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let (kind, template, amount) = match change {
        Change::None => return Ok(()),
        Change::TakenBack(amount) => (EventKind::PaymentTakenBack, MailTemplate::PaymentTakenBack, amount),
        Change::GivenBack(amount) if row.kind == ReturnKind::ByShop => {
            (EventKind::PaymentGivenBack, MailTemplate::RefundFailed, amount)
        }
        Change::GivenBack(amount) => (EventKind::PaymentGivenBack, MailTemplate::PaymentGivenBack, amount),
    };
    let wallet = lock_wallet(conn, row.account_id)?;
    let mut data = json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Amount": amount,
        "Currency": order.currency,
    });
    if kind == EventKind::PaymentTakenBack {
        data["Kind"] = row.kind.as_str().into();
        data["Owed"] = json!(wallet.owed);
    }
    events::record(conn, row.account_id, kind, &data, now)?;
    let parameters = json!({
        "OrderNumber": order.order_number,
        "Amount": amount.display(order.currency),
        "Balance": wallet.balance.display(order.currency),
        "Owed": wallet.owed.display(order.currency),
    });
    mails::queue_for_account(conn, row.account_id, kind, template, &parameters, now)
}

/// Mails those who can hand in evidence.
fn mail_operators(conn: &mut Conn, row: &ReturnRow, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let email = emails_of(conn, &[row.account_id])?.remove(&row.account_id).unwrap_or_default();
    let parameters = json!({
        "OrderNumber": order.order_number,
        "Amount": Money::from_minor(row.reported_minor).display(row.reported_currency),
        "Email": email,
        "Reason": if row.reason.is_empty() { "-" } else { &row.reason },
        "DueAt": row.due_at.map_or_else(|| "-".to_owned(), |due| format!("{} UTC", to_wire(due))),
    });
    for (email, language) in who_may(conn, "Operator/AdjustWallet")? {
        mails::queue(conn, &email, language, MailTemplate::DisputeOpened, &parameters, now)?;
    }
    Ok(())
}
