//! Refunds of top-ups: money of a wallet back to where it came from. A top-up has no invoice, so there is no credit note.
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::error::AppError;
use crate::events;
use crate::ledger::balance_of;
use crate::mails;
use crate::order_rows::rows::OrderRow;
use crate::refunds::queries;
use crate::refunds::sources::{check_role, source_view};
use crate::refunds::types::{RefundOrder, RefundPreview, RefundSource};
use crate::returns::source::{NewRefund, Source, begin, new_reference, of_order};
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::event::EventKind;
use postern_core::field_errors::FieldErrors;
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use postern_core::operator_forms::{ReasonedAmountForm, validate_reason, validate_refund};
use postern_core::payment_return::RefundProgress;
use postern_core::refund::is_refundable;
use postern_core::rule::Rule;
use postern_core::staff::StaffRole;
use serde_json::{Value, json};

/// What of a top-up can go back.
struct Refundable {
    source: Source,
    /// What is left of it at the gateway and in the wallet.
    most: Money,
    /// What went back before.
    refunded: Money,
}

fn refundable(conn: &mut Conn, order: &OrderRow) -> Result<Option<Refundable>, AppError> {
    if !is_refundable(order.kind, order.state) {
        return Err(AppError::state_forbids(order.state.as_str()));
    }
    let Some(source) = of_order(conn, order.id)? else { return Ok(None) };
    let most = source.left.min(balance_of(conn, order.account_id)?);
    if most.is_zero() {
        return Ok(None);
    }
    Ok(Some(Refundable { source, most, refunded: refunded(conn, order)? }))
}

fn refunded(conn: &mut Conn, order: &OrderRow) -> Result<Money, AppError> {
    let before = queries::of_orders(conn, &[order.id])?.remove(&order.id).unwrap_or_default();
    let sources = before.into_iter().filter_map(|one| one.source);
    Ok(Money::sum(sources.filter(|one| one.progress != RefundProgress::Failed).map(|one| one.amount))?)
}

/// The amount and the reason of the form; without an amount, everything that can go back.
fn read_form(form: &RefundOrder, most: Money) -> Result<(Money, String), AppError> {
    let Some(amount) = form.amount.clone() else { return Ok((most, validate_reason(&form.reason)?)) };
    Ok(validate_refund(&ReasonedAmountForm { amount, reason: form.reason.clone() }, most, Money::ZERO)?)
}

fn view(
    order: &OrderRow,
    refunded: Money,
    amount: Money,
    source: Option<RefundSource>,
) -> Result<RefundPreview, AppError> {
    let left = source.as_ref().map_or(Money::ZERO, |source| source.left);
    Ok(RefundPreview {
        order_number: order.order_number.clone(),
        currency: order.currency,
        paid: Money::from_minor(order.total_minor),
        refunded,
        amount,
        left_after: left.checked_sub(amount)?,
        is_whole: false,
        nodes: Vec::new(),
        traffic: None,
        credit_note: None,
        source,
    })
}

/// Previews a refund; one of nothing, without a source, if nothing can go back.
pub fn preview(
    conn: &mut Conn,
    form: &RefundOrder,
    order: &OrderRow,
    role: StaffRole,
) -> Result<RefundPreview, AppError> {
    let Some(Refundable { source, most, refunded: before }) = refundable(conn, order)? else {
        return view(order, refunded(conn, order)?, Money::ZERO, None);
    };
    // A preview needs no reason.
    let (amount, _) = read_form(&RefundOrder { reason: "-".to_owned(), ..form.clone() }, most)?;
    check_role(conn, role, before, amount)?;
    view(order, before, amount, Some(source_view(&source, most, amount)?))
}

/// Refunds a top-up. The wallet and the order are locked.
pub fn refund(
    conn: &mut Conn,
    form: &RefundOrder,
    order: &OrderRow,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<RefundPreview, AppError> {
    let found = refundable(conn, order)?.filter(|_| form.to_source);
    let found = found.ok_or_else(|| FieldErrors::one("ToSource", Rule::NothingToRefund, &[]))?;
    let Refundable { source, most, refunded: before } = found;
    let (amount, reason) = read_form(form, most)?;
    check_role(conn, actor.role, before, amount)?;
    let source_view = source_view(&source, most, amount)?;
    let new = NewRefund { reference: &new_reference(), refund_id: None, amount, reason: &reason };
    begin(conn, &source, &new, now)?;
    let data = json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Amount": amount,
        "Currency": order.currency,
        "CreditNote": Value::Null,
        "Count": 0,
        "RefundedTo": source.gateway(),
    });
    events::record(conn, order.account_id, EventKind::OrderRefunded, &data, now)?;
    let parameters = json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Amount": amount.display(order.currency),
        "Reason": reason,
    });
    let (kind, template) = (EventKind::OrderRefunded, MailTemplate::TopUpRefunded);
    mails::queue_for_account(conn, order.account_id, kind, template, &parameters, now)?;
    let entry = Entry::new(AuditAction::OrderRefunded).account(order.account_id).subject(&order.order_number);
    let entry = entry.reason(&reason).changes([
        AuditChange::new(AuditField::Amount, amount.display(order.currency)),
        AuditChange::new(AuditField::RefundedTo, source.gateway().as_str()),
    ]);
    audit::record(conn, actor, entry, now)?;
    view(order, before, amount, Some(source_view))
}
