//! Issues invoices and credit notes, in the transaction of the payment or refund they document.
use crate::customers::{Parties, customer};
use crate::db::CachedStatement;
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::invoices::types::InvoiceView;
use crate::order_rows::rows::{LineRow, OrderRow};
use crate::schema::{invoice_counters, invoices, nodes, order_nodes};
use chrono::NaiveDateTime;
use postern_core::invoice::{
    InvoiceKind, InvoiceLine, InvoiceSnapshot, NAMED_IPS, invoice_number, is_invoiced, series,
};
use postern_core::money::Money;
use postern_core::order::PaymentMethod;
use postern_core::time::to_wire;
use postern_core::traffic::bytes_of;

/// A newly issued document.
pub struct Issued {
    pub id: i64,
    pub invoice_number: String,
}

/// Issues the invoice of an order that has just been paid; top-ups get none. Call it after everything else that the transaction
/// locks: it blocks all other issuing until the transaction ends.
pub fn issue_invoice(
    conn: &mut Conn,
    order: &OrderRow,
    lines: &[LineRow],
    parties: Parties,
    payment_method: PaymentMethod,
    now: NaiveDateTime,
) -> Result<Option<InvoiceView>, AppError> {
    if !is_invoiced(order.kind) {
        return Ok(None);
    }
    let snapshot = InvoiceSnapshot {
        lines: invoice_lines(order, lines)?,
        ips: ips_of(conn, order)?,
        subtotal: Money::from_minor(order.subtotal_minor),
        discounts: serde_json::from_str(&order.discounts)?,
        total: Money::from_minor(order.total_minor),
        payment_method,
        ..blank(order, parties, now)?
    };
    let issued = issue(conn, order, InvoiceKind::Invoice, None, &snapshot, now)?;
    Ok(Some(InvoiceView {
        invoice_number: issued.invoice_number,
        kind: InvoiceKind::Invoice,
        order_id: order.id,
        order_number: order.order_number.clone(),
        currency: order.currency,
        total: snapshot.total,
        issued_at: to_wire(now),
        corrects: None,
    }))
}

/// Issues the credit note of a refund, with these lines and this reason; `to` is where the money went, with the shop's id of the refund. The order must have its invoice. Call it last in the
/// transaction, as for an invoice.
pub fn issue_credit_note(
    conn: &mut Conn,
    order: &OrderRow,
    lines: Vec<InvoiceLine>,
    reason: &str,
    to: (PaymentMethod, String),
    now: NaiveDateTime,
) -> Result<Issued, AppError> {
    let invoice: Option<(i64, String)> = invoices::table
        .filter(invoices::order_id.eq(order.id))
        .filter(invoices::kind.eq(InvoiceKind::Invoice))
        .select((invoices::id, invoices::invoice_number))
        .first(conn)
        .optional()?;
    let (corrects_id, corrects) = invoice.ok_or_else(|| AppError::internal("a paid order without an invoice"))?;
    let total = Money::sum(lines.iter().map(|line| line.net))?;
    let parties = customer(conn, order.account_id, None)?.parties;
    let snapshot = InvoiceSnapshot {
        lines,
        subtotal: total,
        total,
        corrects: Some(corrects),
        reason: reason.to_owned(),
        payment_method: to.0,
        refund_reference: to.1,
        ..blank(order, parties, now)?
    };
    issue(conn, order, InvoiceKind::CreditNote, Some(corrects_id), &snapshot, now)
}

/// The common parts of an order's documents: seller, buyer and dates.
fn blank(order: &OrderRow, parties: Parties, now: NaiveDateTime) -> Result<InvoiceSnapshot, AppError> {
    let Parties { seller, buyer } = parties;
    Ok(InvoiceSnapshot {
        seller,
        buyer,
        order_number: order.order_number.clone(),
        order_kind: order.kind,
        ordered_at: to_wire(order.created_at),
        paid_at: to_wire(order.paid_at.unwrap_or(now)),
        payment_method: PaymentMethod::Wallet,
        refund_reference: String::new(),
        corrects: None,
        reason: String::new(),
        lines: Vec::new(),
        ips: Vec::new(),
        subtotal: Money::ZERO,
        discounts: Vec::new(),
        total: Money::ZERO,
    })
}

fn invoice_lines(order: &OrderRow, lines: &[LineRow]) -> Result<Vec<InvoiceLine>, AppError> {
    let period_days = order.period_days.and_then(|days| u32::try_from(days).ok());
    let line = |line: &LineRow| {
        Ok(InvoiceLine {
            label_en: line.label_en.clone(),
            label_zh: line.label_zh.clone(),
            country: line.country.clone(),
            city: line.city.clone(),
            period_days,
            traffic_bytes: order.is_of_traffic().then(|| line.quantity().map(bytes_of)).transpose()?,
            quantity: line.quantity()?,
            unit_price: Money::from_minor(line.unit_price_minor),
            amount: Money::from_minor(line.amount_minor),
            net: Money::from_minor(line.net_minor),
            ..InvoiceLine::default()
        })
    };
    lines.iter().map(line).collect()
}

/// The IPs of an order, as sold: later switches do not change what was invoiced.
fn ips_of(conn: &mut Conn, order: &OrderRow) -> Result<Vec<String>, AppError> {
    if order.is_of_traffic() {
        return Ok(Vec::new());
    }
    let most = i64::try_from(NAMED_IPS).unwrap_or(i64::MAX);
    let ips = order_nodes::table
        .inner_join(nodes::table.on(nodes::id.eq(order_nodes::node_id)))
        .filter(order_nodes::order_id.eq(order.id))
        .order(order_nodes::node_id)
        .limit(most)
        .select(nodes::ip);
    Ok(ips.load(conn)?)
}

fn issue(
    conn: &mut Conn,
    order: &OrderRow,
    kind: InvoiceKind,
    corrects_id: Option<i64>,
    snapshot: &InvoiceSnapshot,
    now: NaiveDateTime,
) -> Result<Issued, AppError> {
    snapshot.check().map_err(|error| AppError::Internal(anyhow::anyhow!("an invoice does not add up: {error:?}")))?;
    let text = serde_json::to_string(snapshot)?;
    let series = series(kind, now);
    let number_in_series = next_number(conn, &series)?;
    let place = u64::try_from(number_in_series).map_err(|_| AppError::internal("a number below zero"))?;
    let invoice_number = invoice_number(&series, place);
    let row = (
        invoices::kind.eq(kind),
        invoices::invoice_number.eq(&invoice_number),
        invoices::series.eq(&series),
        invoices::number_in_series.eq(number_in_series),
        invoices::account_id.eq(order.account_id),
        invoices::order_id.eq(order.id),
        invoices::corrects_id.eq(corrects_id),
        invoices::currency.eq(order.currency),
        invoices::total_minor.eq(snapshot.total.minor()),
        invoices::snapshot.eq(text),
        invoices::issued_at.eq(now),
    );
    let id = diesel::insert_into(invoices::table).values(row).returning(invoices::id).get_result(conn)?;
    Ok(Issued { id, invoice_number })
}

/// The next number of a series. The series stays locked until the transaction ends; after a rollback the next caller gets
/// the same number.
fn next_number(conn: &mut Conn, series: &str) -> Result<i64, AppError> {
    let row = (invoice_counters::series.eq(series), invoice_counters::last_number.eq(1));
    let counted = diesel::insert_into(invoice_counters::table)
        .values(row)
        .on_conflict(invoice_counters::series)
        .do_update()
        .set(invoice_counters::last_number.eq(invoice_counters::last_number + 1))
        .returning(invoice_counters::last_number);
    let counted = CachedStatement(counted);
    Ok(on_either!(conn, counted.get_result(conn)?))
}
