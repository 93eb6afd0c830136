//! Issuing invoices and credit notes, in the transaction of what they are about.
use crate::db::Conn;
use crate::error::AppError;
use crate::invoices::types::InvoiceView;
use crate::orders::queries::OrderRow;
use crate::schema::{invoice_counters, invoices, order_lines, payments, tiers, users};
use crate::settings::queries::seller;
use crate::users::queries::account_details;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::invoice::{InvoiceKind, InvoiceLine, InvoiceSnapshot, Party, invoice_number, is_invoiced, series};
use postern_core::money::Money;
use postern_core::order::{PaymentMethod, PaymentState};
use postern_core::time::to_wire;

/// A document that was just issued.
pub struct Issued {
    pub id: i64,
    pub invoice_number: String,
}

/// Issues the invoice of an order that has just been paid; a top-up gets none. Comes after everything else that the transaction
/// locks: until it ends, nobody else issues anything.
pub fn issue_invoice(conn: &mut Conn, order: &OrderRow, now: NaiveDateTime) -> Result<Option<InvoiceView>, AppError> {
    if !is_invoiced(order.kind()?) {
        return Ok(None);
    }
    let snapshot = InvoiceSnapshot {
        lines: invoice_lines(conn, order)?,
        subtotal: Money::from_minor(order.subtotal_minor),
        discounts: serde_json::from_str(&order.discounts)?,
        total: Money::from_minor(order.total_minor),
        payment_method: paid_by(conn, order.id)?,
        ..blank(conn, order, now)?
    };
    let issued = issue(conn, order, InvoiceKind::Invoice, None, &snapshot, now)?;
    Ok(Some(InvoiceView {
        invoice_number: issued.invoice_number,
        kind: InvoiceKind::Invoice.as_str().to_owned(),
        order_id: order.id,
        order_number: order.order_number.clone(),
        currency: order.currency.clone(),
        total: snapshot.total,
        issued_at: to_wire(now),
        corrects: None,
    }))
}

/// Issues the credit note of a refund: of these lines, for this reason. The order has its invoice already. Comes last in its
/// transaction, as an invoice does.
pub fn issue_credit_note(
    conn: &mut Conn,
    order: &OrderRow,
    lines: Vec<InvoiceLine>,
    reason: &str,
    now: NaiveDateTime,
) -> Result<Issued, AppError> {
    let invoice: Option<(i64, String)> = invoices::table
        .filter(invoices::order_id.eq(order.id))
        .filter(invoices::kind.eq(InvoiceKind::Invoice.as_str()))
        .select((invoices::id, invoices::invoice_number))
        .first(conn)
        .optional()?;
    let (corrects_id, corrects) = invoice.ok_or_else(|| AppError::internal("a paid order without an invoice"))?;
    let total = Money::sum(lines.iter().map(|line| line.net))?;
    let snapshot = InvoiceSnapshot {
        lines,
        subtotal: total,
        total,
        corrects: Some(corrects),
        reason: reason.to_owned(),
        ..blank(conn, order, now)?
    };
    issue(conn, order, InvoiceKind::CreditNote, Some(corrects_id), &snapshot, now)
}

/// What every document of an order says: who sold to whom, and when.
fn blank(conn: &mut Conn, order: &OrderRow, now: NaiveDateTime) -> Result<InvoiceSnapshot, AppError> {
    let email: String = users::table
        .filter(users::account_id.eq(order.account_id))
        .order(users::id)
        .select(users::email)
        .first(conn)?;
    Ok(InvoiceSnapshot {
        seller: seller(conn)?,
        buyer: Party::buyer(&account_details(conn, order.account_id)?, &email),
        order_number: order.order_number.clone(),
        order_kind: order.kind()?,
        ordered_at: to_wire(order.created_at),
        paid_at: to_wire(order.paid_at.unwrap_or(now)),
        payment_method: PaymentMethod::Wallet,
        corrects: None,
        reason: String::new(),
        lines: Vec::new(),
        subtotal: Money::ZERO,
        discounts: Vec::new(),
        total: Money::ZERO,
    })
}

fn invoice_lines(conn: &mut Conn, order: &OrderRow) -> Result<Vec<InvoiceLine>, AppError> {
    type Row = (String, String, Option<String>, Option<String>, i32, i64, i64, i64);
    let rows: Vec<Row> = order_lines::table
        .inner_join(tiers::table.on(tiers::ver_str.eq(order_lines::ver_str)))
        .filter(order_lines::order_id.eq(order.id))
        .order(order_lines::id)
        .select((
            tiers::label_en,
            tiers::label_zh,
            order_lines::country,
            order_lines::city,
            order_lines::quantity,
            order_lines::unit_price_minor,
            order_lines::amount_minor,
            order_lines::net_minor,
        ))
        .load(conn)?;
    let period_days = order.period_days.and_then(|days| u32::try_from(days).ok());
    let line = |(label_en, label_zh, country, city, quantity, unit_price, amount, net): Row| {
        Ok(InvoiceLine {
            label_en,
            label_zh,
            country,
            city,
            period_days,
            quantity: u32::try_from(quantity).map_err(|_| AppError::internal("a quantity is negative"))?,
            unit_price: Money::from_minor(unit_price),
            amount: Money::from_minor(amount),
            net: Money::from_minor(net),
            ..InvoiceLine::default()
        })
    };
    rows.into_iter().map(line).collect()
}

/// Through what an order was paid. Where no gateway brought the money, it came from the wallet.
fn paid_by(conn: &mut Conn, order_id: i64) -> Result<PaymentMethod, AppError> {
    let method: Option<String> = payments::table
        .filter(payments::order_id.eq(order_id))
        .filter(payments::state.eq(PaymentState::Succeeded.as_str()))
        .order(payments::id.desc())
        .select(payments::payment_method)
        .first(conn)
        .optional()?;
    match method {
        None => Ok(PaymentMethod::Wallet),
        Some(method) => {
            PaymentMethod::from_wire(&method).ok_or_else(|| AppError::internal("a payment has an unknown method"))
        }
    }
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
        invoices::kind.eq(kind.as_str()),
        invoices::invoice_number.eq(&invoice_number),
        invoices::series.eq(&series),
        invoices::number_in_series.eq(number_in_series),
        invoices::account_id.eq(order.account_id),
        invoices::order_id.eq(order.id),
        invoices::corrects_id.eq(corrects_id),
        invoices::currency.eq(&order.currency),
        invoices::total_minor.eq(snapshot.total.minor()),
        invoices::snapshot.eq(text),
        invoices::issued_at.eq(now),
    );
    let id = diesel::insert_into(invoices::table).values(row).returning(invoices::id).get_result(conn)?;
    Ok(Issued { id, invoice_number })
}

/// The next number of a series. Whoever has it holds the series until its transaction ends; should that be rolled back, the next one
/// gets the same number.
fn next_number(conn: &mut Conn, series: &str) -> Result<i64, AppError> {
    let row = (invoice_counters::series.eq(series), invoice_counters::last_number.eq(0));
    let begin = diesel::insert_into(invoice_counters::table).values(row).on_conflict_do_nothing();
    let counted = diesel::update(invoice_counters::table.find(series))
        .set(invoice_counters::last_number.eq(invoice_counters::last_number + 1))
        .returning(invoice_counters::last_number);
    if let Some(number) = counted.clone().get_result(conn).optional()? {
        return Ok(number);
    }
    // The first of its year.
    match &mut *conn {
        Conn::Postgres(conn) => begin.execute(conn)?,
        Conn::Sqlite(conn) => begin.execute(conn)?,
    };
    Ok(counted.get_result(conn)?)
}
