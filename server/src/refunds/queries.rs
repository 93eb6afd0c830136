//! Refunds as rows: those of orders, and their credit notes.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::refunds::types::RefundView;
use crate::returns::source_rows::{self, SourceRefund};
use crate::schema::{invoices, refunds};
use chrono::NaiveDateTime;
use postern_core::money::Money;
use postern_core::time::to_wire;
use std::collections::HashMap;

/// The refunds of these orders, oldest first.
pub fn of_orders(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<i64, Vec<RefundView>>, AppError> {
    type Row = (i64, i64, i64, String, NaiveDateTime, Option<String>);
    let rows: Vec<Row> = refunds::table
        .left_join(invoices::table.on(invoices::id.nullable().eq(refunds::credit_note_id)))
        .filter(refunds::order_id.eq_any(order_ids))
        .order(refunds::id)
        .select((
            refunds::id,
            refunds::order_id,
            refunds::amount_minor,
            refunds::reason,
            refunds::created_at,
            invoices::invoice_number.nullable(),
        ))
        .load(conn)?;
    let mut by_order: HashMap<i64, Vec<RefundView>> = HashMap::new();
    let (of_refunds, of_top_ups): (Vec<_>, Vec<_>) =
        source_rows::of_orders(conn, order_ids)?.into_iter().partition(|one| one.refund_id.is_some());
    let mut sources: HashMap<i64, SourceRefund> =
        of_refunds.into_iter().filter_map(|one| Some((one.refund_id?, one.view))).collect();
    for (id, order_id, amount, reason, created_at, credit_note) in rows {
        let (amount, created_at, source) = (Money::from_minor(amount), to_wire(created_at), sources.remove(&id));
        by_order.entry(order_id).or_default().push(RefundView { amount, reason, credit_note, created_at, source });
    }
    for top_up in of_top_ups {
        let (amount, reason, created_at) = (top_up.view.amount, top_up.reason, to_wire(top_up.created_at));
        let view = RefundView { amount, reason, credit_note: None, created_at, source: Some(top_up.view) };
        by_order.entry(top_up.order_id).or_default().push(view);
    }
    Ok(by_order)
}

/// The credit notes of these orders' refunds, by the references of their postings.
pub fn credit_notes_of(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<String, String>, AppError> {
    let rows: Vec<(i64, String)> = refunds::table
        .inner_join(invoices::table.on(invoices::id.nullable().eq(refunds::credit_note_id)))
        .filter(refunds::order_id.eq_any(order_ids))
        .select((refunds::id, invoices::invoice_number))
        .load(conn)?;
    Ok(rows.into_iter().map(|(id, number)| (reference_of(id), number)).collect())
}

/// The ledger reference of a refund.
pub fn reference_of(refund_id: i64) -> String {
    format!("refund {refund_id}")
}
