//! Executes and previews refunds. A refund runs in the caller's transaction, with the account's wallet and the order locked.
use crate::audit::{self, Actor, Entry};
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::{AppError, Refusal};
use crate::events;
use crate::invoices::issue::issue_credit_note;
use crate::ledger::{Movement, lock_wallet, move_money};
use crate::mails;
use crate::nodes::lifecycle::{release, shorten};
use crate::order_rows::rows::{OrderRow, advance, by_number, lock};
use crate::referrals::commissions::{self, Cause};
use crate::refunds::order_nodes::sold_nodes;
use crate::refunds::plan::{Ending, Planned, RefundScope, plan};
use crate::refunds::queries::reference_of;
use crate::refunds::sources::{check_role, chosen, source_view};
use crate::refunds::top_ups;
use crate::refunds::types::{RefundOrder, RefundPreview};
use crate::returns::source::{NewRefund, Source, begin, new_reference, of_order};
use crate::schema::{orders, refund_nodes, refunds};
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::event::EventKind;
use postern_core::ledger::{Book, EntryKind};
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use postern_core::node::next_reminder;
use postern_core::operator_forms::{ReasonedAmountForm, validate_reason, validate_refund};
use postern_core::order::{OrderEvent, OrderKind, PaymentMethod};
use postern_core::proxy_user::format_gigabytes;
use postern_core::refund::{NodeAfterRefund, is_refundable};
use postern_core::staff::StaffRole;
use serde_json::json;
use std::collections::{BTreeMap, HashSet};

const CHUNK: usize = 1_000;

/// IPs listed in a mail.
const IPS_IN_MAIL: usize = 20;

/// The IPs that end, one per line, and the number of further ones.
fn ips_for_mail(ending: &[Ending]) -> String {
    let mut lines: Vec<String> = ending.iter().take(IPS_IN_MAIL).map(|one| one.node.ip.clone()).collect();
    if ending.len() > IPS_IN_MAIL {
        lines.push(format!("… + {}", ending.len() - IPS_IN_MAIL));
    }
    lines.join("\n")
}

/// Executes the refund, to the wallet or from there on to its source: ledger, order, nodes, mail, and last the credit note, whose number it returns.
fn carry_out(
    conn: &mut Conn,
    planned: &Planned,
    source: Option<&Source>,
    reason: &str,
    user_id: Option<i64>,
    now: NaiveDateTime,
) -> Result<String, AppError> {
    let order = &planned.order;
    let refund_id: i64 = diesel::insert_into(refunds::table)
        .values((
            refunds::order_id.eq(order.id),
            refunds::account_id.eq(order.account_id),
            refunds::user_id.eq(user_id),
            refunds::amount_minor.eq(planned.amount.minor()),
            refunds::reason.eq(reason),
            refunds::created_at.eq(now),
        ))
        .returning(refunds::id)
        .get_result(conn)?;
    insert_lines(conn, refund_id, &planned.ending)?;
    let movement = Movement {
        account_id: order.account_id,
        kind: EntryKind::Refund,
        source: Book::Refund,
        amount: planned.amount,
        reference: reference_of(refund_id),
        order_id: Some(order.id),
    };
    move_money(conn, &movement, now)?;
    diesel::update(orders::table.find(order.id))
        .set(orders::refunded_minor.eq(orders::refunded_minor + planned.amount.minor()))
        .execute(conn)?;
    if planned.is_whole {
        advance(conn, order, OrderEvent::Refund)?;
        diesel::update(orders::table.find(order.id)).set(orders::ended_at.eq(now)).execute(conn)?;
    }
    end_nodes(conn, &planned.ending, now)?;
    if let Some(batch) = &planned.traffic {
        batch.take_back(conn, order.account_id, now)?;
    }
    let gone = order.gone()?.checked_add(planned.amount)?.min(Money::from_minor(order.total_minor));
    commissions::take_back_of(conn, order, Cause::Refund(refund_id), gone, now)?;
    let lines = planned.lines(conn)?;
    let to = match source {
        Some(source) => {
            let reference = new_reference();
            let new = NewRefund { reference: &reference, refund_id: Some(refund_id), amount: planned.amount, reason };
            begin(conn, source, &new, now)?;
            (source.gateway(), reference)
        }
        None => (PaymentMethod::Wallet, String::new()),
    };
    let refunded_to = to.0;
    let credit_note = issue_credit_note(conn, order, lines, reason, to, now)?;
    diesel::update(refunds::table.find(refund_id)).set(refunds::credit_note_id.eq(credit_note.id)).execute(conn)?;
    let data = json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Amount": planned.amount,
        "Currency": order.currency,
        "CreditNote": credit_note.invoice_number,
        "Count": planned.ending.len(),
        "RefundedTo": refunded_to,
    });
    events::record(conn, order.account_id, EventKind::OrderRefunded, &data, now)?;
    let returned_bytes = planned.traffic.as_ref().map_or(0, |batch| batch.unused_bytes);
    let parameters = json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Amount": planned.amount.display(order.currency),
        "CreditNote": credit_note.invoice_number,
        "Reason": reason,
        "Count": planned.ending.len(),
        "Ips": ips_for_mail(&planned.ending),
        "Gigabytes": format_gigabytes(returned_bytes),
    });
    let template = match (planned.undelivered, planned.ending.is_empty()) {
        _ if source.is_some() => MailTemplate::RefundedToSource,
        (true, _) => MailTemplate::NotDelivered,
        (false, true) if returned_bytes > 0 => MailTemplate::RefundedTraffic,
        (false, true) => MailTemplate::Refunded,
        (false, false) => MailTemplate::RefundedIps,
    };
    mails::queue_for_account(conn, order.account_id, EventKind::OrderRefunded, template, &parameters, now)?;
    Ok(credit_note.invoice_number)
}

fn insert_lines(conn: &mut Conn, refund_id: i64, ending: &[Ending]) -> Result<(), AppError> {
    for chunk in ending.chunks(CHUNK) {
        let row = |ending: &Ending| {
            (
                refund_nodes::refund_id.eq(refund_id),
                refund_nodes::node_id.eq(ending.node.sold_id),
                refund_nodes::ended_node_id.eq(ending.node.current_id),
                refund_nodes::paid_minor.eq(ending.node.net.minor()),
                refund_nodes::refunded_minor.eq(ending.refunded.minor()),
                refund_nodes::unused_seconds.eq(i64::from(ending.node.unused_seconds)),
                refund_nodes::amount_minor.eq(ending.amount.minor()),
            )
        };
        let rows: Vec<_> = chunk.iter().map(row).collect();
        match &mut *conn {
            Conn::Postgres(conn) => diesel::insert_into(refund_nodes::table).values(rows).execute(conn)?,
            Conn::Sqlite(conn) => diesel::insert_into(refund_nodes::table).values(rows).execute_each(conn)?,
        };
    }
    Ok(())
}

/// Releases the nodes, or shortens them by the time that has not begun; a shortened node no longer renews.
fn end_nodes(conn: &mut Conn, ending: &[Ending], now: NaiveDateTime) -> Result<(), AppError> {
    let mut released = Vec::new();
    let mut by_end: BTreeMap<NaiveDateTime, Vec<i64>> = BTreeMap::new();
    for Ending { node, .. } in ending {
        match node.after {
            Some(NodeAfterRefund::Ends) => released.push(node.current_id),
            Some(NodeAfterRefund::GoesOnUntil(until)) => by_end.entry(until).or_default().push(node.current_id),
            None => {}
        }
    }
    for chunk in released.chunks(CHUNK) {
        release(conn, chunk, now)?;
    }
    for (until, ids) in by_end {
        for chunk in ids.chunks(CHUNK) {
            shorten(conn, chunk, until, next_reminder(until, now))?;
        }
    }
    Ok(())
}

/// Validates the form against the order: refund scope and reason.
fn read_form(form: &RefundOrder, order: &OrderRow) -> Result<(RefundScope, String), AppError> {
    let Some(amount) = form.amount.clone() else {
        return Ok((RefundScope::Unused(form.node_ids.clone()), validate_reason(&form.reason)?));
    };
    if !is_refundable(order.kind, order.state) {
        return Err(AppError::state_forbids(order.state.as_str()));
    }
    let (paid, refunded) = (Money::from_minor(order.total_minor), Money::from_minor(order.refunded_minor));
    let form = ReasonedAmountForm { amount, reason: form.reason.clone() };
    let (amount, reason) = validate_refund(&form, paid, refunded)?;
    Ok((RefundScope::Amount(amount), reason))
}

/// Locks the order with this number, after its account's wallet.
pub fn lock_order(conn: &mut Conn, order_number: &str) -> Result<OrderRow, AppError> {
    let found = by_number(conn, order_number)?;
    lock_wallet(conn, found.account_id)?;
    lock(conn, found.id)
}

/// Previews a refund, without locks.
pub fn preview(
    conn: &mut Conn,
    form: &RefundOrder,
    role: StaffRole,
    now: NaiveDateTime,
) -> Result<RefundPreview, AppError> {
    let order = by_number(conn, &form.order_number)?;
    if order.kind == OrderKind::TopUp {
        return top_ups::preview(conn, form, &order, role);
    }
    // A preview needs no reason.
    let (what, _) = read_form(&RefundOrder { reason: "-".to_owned(), ..form.clone() }, &order)?;
    let planned = plan(conn, &order, &what, RowLock::None, now)?;
    check_role(conn, role, Money::from_minor(order.refunded_minor), planned.amount)?;
    let source = of_order(conn, order.id)?;
    let view = source.as_ref().map(|source| source_view(source, source.left, planned.amount)).transpose()?;
    chosen(form, source, planned.amount)?;
    Ok(planned.view(None, view))
}

/// The only way in which an operator refunds an order.
pub fn refund_as_operator(
    conn: &mut Conn,
    form: &RefundOrder,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<RefundPreview, AppError> {
    let order = lock_order(conn, &form.order_number)?;
    if order.kind == OrderKind::TopUp {
        return top_ups::refund(conn, form, &order, actor, now);
    }
    let (what, reason) = read_form(form, &order)?;
    let planned = plan(conn, &order, &what, RowLock::ForUpdate, now)?;
    check_role(conn, actor.role, Money::from_minor(order.refunded_minor), planned.amount)?;
    let source = of_order(conn, order.id)?;
    let source = chosen(form, source, planned.amount)?;
    let view = source.as_ref().map(|source| source_view(source, source.left, planned.amount)).transpose()?;
    let credit_note = carry_out(conn, &planned, source.as_ref(), &reason, actor.user_id, now)?;
    let refunded_to = source.as_ref().map_or(PaymentMethod::Wallet, Source::gateway);
    let entry = Entry::new(AuditAction::OrderRefunded).account(order.account_id).subject(&order.order_number);
    let entry = entry.reason(&reason).changes([
        AuditChange::new(AuditField::Amount, planned.amount.display(order.currency)),
        AuditChange::new(AuditField::CreditNote, &credit_note),
        AuditChange::new(AuditField::Nodes, planned.ending.len()),
        AuditChange::new(AuditField::RefundedTo, refunded_to.as_str()),
    ]);
    audit::record(conn, actor, entry, now)?;
    Ok(planned.view(Some(credit_note), view))
}

/// Refunds what was paid for nodes that a renewal could not extend, if any. The order has its invoice.
pub fn refund_undelivered(
    conn: &mut Conn,
    order: &OrderRow,
    node_ids: &[i64],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let missing: HashSet<i64> = node_ids.iter().copied().collect();
    let sold = sold_nodes(conn, order.id)?;
    let paid = Money::sum(sold.iter().filter(|row| missing.contains(&row.0)).map(|row| Money::from_minor(row.1)))?;
    if paid.is_zero() {
        return Ok(());
    }
    let planned = plan(conn, order, &RefundScope::Undelivered(node_ids.to_vec()), RowLock::ForUpdate, now)?;
    carry_out(conn, &planned, None, "", None, now)?;
    Ok(())
}

/// Refunds what is unused of an order, and ends it. Does nothing if nothing is. Wallet and order are locked.
pub fn refund_unused(
    conn: &mut Conn,
    order: &OrderRow,
    reason: &str,
    lock: RowLock,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    if !is_refundable(order.kind, order.state) {
        return Ok(());
    }
    match plan(conn, order, &RefundScope::Unused(Vec::new()), lock, now) {
        Ok(planned) => carry_out(conn, &planned, None, reason, None, now).map(drop),
        // Nothing is unused.
        Err(AppError::Answer(Refusal { code: Code::InvalidFields, .. })) => Ok(()),
        Err(error) => Err(error),
    }
}
