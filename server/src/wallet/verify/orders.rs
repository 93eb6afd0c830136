//! Checks that every paid order was charged once and invoiced once, and no other; and that refunds agree everywhere.
use super::found::{CHUNK, Verification, money};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::order_rows::rows::OrderRow;
use crate::schema::{invoices, ledger_transactions, orders, refunds};
use diesel::dsl::max;
use postern_core::invoice::{InvoiceKind, is_invoiced};
use postern_core::ledger::EntryKind;
use postern_core::order::{OrderKind, OrderState};
use std::collections::HashMap;

/// Orders in memory at once, with their postings and documents. Each batch scans the ledger once for its postings.
const AT_ONCE: i64 = 100_000;

/// Amounts of one kind.
#[derive(Clone, Copy, Default, Eq, PartialEq)]
struct Amounts {
    count: u32,
    minor: i64,
}

impl Amounts {
    fn add(&mut self, minor: i64) {
        self.count += 1;
        self.minor += minor;
    }

    /// The single amount, or none if there is nothing to pay.
    fn once(is_due: bool, minor: i64) -> Amounts {
        if is_due { Amounts { count: 1, minor } } else { Amounts::default() }
    }
}

/// The records of the ledger, refunds and invoices about one order, in minor units.
#[derive(Clone, Copy, Default)]
struct OfOrder {
    charged: Amounts,
    topped_up: Amounts,
    given_back: i64,
    refunds: i64,
    invoices: Amounts,
    credit_notes: i64,
}

pub fn verify(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let end: Option<i64> = orders::table.select(max(orders::id)).first(conn)?;
    let mut first = 1;
    while first <= end.unwrap_or_default() {
        let last = first + AT_ONCE - 1;
        let of_orders = load(conn, found, first, last)?;
        verify_orders(conn, found, &of_orders, first, last)?;
        first = last + 1;
    }
    Ok(())
}

/// Everything about the orders from the first id to the last.
fn load(conn: &mut Conn, found: &mut Verification, first: i64, last: i64) -> Result<HashMap<i64, OfOrder>, AppError> {
    let mut of_orders: HashMap<i64, OfOrder> = HashMap::new();
    let postings: Vec<(Option<i64>, EntryKind, i64)> = ledger_transactions::table
        .filter(ledger_transactions::order_id.between(first, last))
        .select((ledger_transactions::order_id, ledger_transactions::kind, ledger_transactions::wallet_change_minor))
        .load(conn)?;
    for (order_id, kind, change) in postings {
        let Some(order_id) = order_id else { continue };
        let of_order = of_orders.entry(order_id).or_default();
        match kind {
            EntryKind::Purchase | EntryKind::Renewal | EntryKind::Switch => of_order.charged.add(-change),
            EntryKind::TopUp | EntryKind::AutoTopUp => of_order.topped_up.add(change),
            EntryKind::Refund => of_order.given_back += change,
            EntryKind::Payment
            | EntryKind::LatePayment
            | EntryKind::Credit
            | EntryKind::Debit
            | EntryKind::Commission
            | EntryKind::CommissionTakenBack
            | EntryKind::Forfeited
            | EntryKind::PaidBack
            | EntryKind::TakenBack
            | EntryKind::SentBack
            | EntryKind::GivenBack
            | EntryKind::Owed
            | EntryKind::OwedPaid => {}
        }
    }
    let documents: Vec<(i64, InvoiceKind, i64)> = invoices::table
        .filter(invoices::order_id.between(first, last))
        .select((invoices::order_id, invoices::kind, invoices::total_minor))
        .load(conn)?;
    for (order_id, kind, total) in documents {
        let of_order = of_orders.entry(order_id).or_default();
        match kind {
            InvoiceKind::CreditNote => of_order.credit_notes += total,
            InvoiceKind::Invoice => of_order.invoices.add(total),
        }
    }
    let refunded: Vec<(i64, i64, Option<i64>)> = refunds::table
        .filter(refunds::order_id.between(first, last))
        .select((refunds::order_id, refunds::amount_minor, refunds::credit_note_id))
        .load(conn)?;
    for (order_id, amount, credit_note_id) in refunded {
        of_orders.entry(order_id).or_default().refunds += amount;
        if credit_note_id.is_none() {
            found.problem(format!("a refund of order {order_id} has no credit note"));
        }
    }
    Ok(of_orders)
}

fn verify_orders(
    conn: &mut Conn,
    found: &mut Verification,
    of_orders: &HashMap<i64, OfOrder>,
    first: i64,
    last: i64,
) -> Result<(), AppError> {
    let mut read_to = first - 1;
    loop {
        let rows: Vec<OrderRow> = orders::table
            .filter(orders::id.gt(read_to))
            .filter(orders::id.le(last))
            .order(orders::id)
            .limit(CHUNK)
            .select(OrderRow::as_select())
            .load(conn)?;
        let Some(end) = rows.last() else { return Ok(()) };
        read_to = end.id;
        found.orders += rows.len();
        for order in rows {
            verify_order(found, &order, &of_orders.get(&order.id).copied().unwrap_or_default());
        }
    }
}

fn verify_order(found: &mut Verification, order: &OrderRow, of_order: &OfOrder) {
    let (number, kind, total) = (&order.order_number, order.kind, order.total_minor);
    let (state, name) = (order.state, order.state.as_str());
    let is_paid = !matches!(state, OrderState::Unpaid | OrderState::Cancelled | OrderState::Expired);
    if is_paid != order.paid_at.is_some() {
        found.problem(format!("order {number} is {}, but its time of payment does not match", name));
    }
    let once = Amounts::once(is_paid && total > 0, total);
    let (charged, topped_up) =
        if kind == OrderKind::TopUp { (Amounts::default(), once) } else { (once, Amounts::default()) };
    if of_order.charged != charged || of_order.topped_up != topped_up {
        found.problem(format!("order {number} is {}, which does not match the ledger", name));
    }
    if of_order.invoices != Amounts::once(is_paid && is_invoiced(kind), total) {
        found.problem(format!("order {number} is {} and has {} invoices", name, of_order.invoices.count));
    }
    let back = order.refunded_minor;
    if [of_order.given_back, of_order.refunds, of_order.credit_notes].iter().any(|sum| *sum != back) {
        let [order, ledger, refunds, notes] =
            [back, of_order.given_back, of_order.refunds, of_order.credit_notes].map(money);
        found.problem(format!(
            "order {number} refunded {order}, the ledger {ledger}, its refunds {refunds}, its credit notes {notes}"
        ));
    }
    if back > total || (state == OrderState::Refunded) != (back == total && back > 0) {
        found.problem(format!("order {number} is {} with {} of {} refunded", name, money(back), money(total)));
    }
}
