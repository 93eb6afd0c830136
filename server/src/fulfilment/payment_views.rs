//! Payments as API views.
use crate::charges::arrivals;
use crate::charges::payments::{PaymentRow, find_own};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::gateways;
use crate::order_rows::types::PaymentView;
use crate::schema::payments;
use postern_core::money::Money;
use postern_core::order::PaymentState;
use postern_core::time::to_wire;
use std::collections::HashMap;

pub fn view_own(conn: &mut Conn, account_id: i64, public_id: &str) -> Result<PaymentView, AppError> {
    let payment = find_own(conn, account_id, public_id)?;
    one(conn, payment)
}

/// A payment with what was credited for it.
pub fn one(conn: &mut Conn, payment: PaymentRow) -> Result<PaymentView, AppError> {
    let view = all(conn, vec![payment])?.pop();
    view.ok_or_else(|| AppError::internal("a payment is gone"))
}

fn all(conn: &mut Conn, rows: Vec<PaymentRow>) -> Result<Vec<PaymentView>, AppError> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let credited = arrivals::credited(conn, &ids)?;
    let view = |row: PaymentRow| {
        let amount = Money::from_minor(row.amount_minor);
        let credited = credited.get(&row.id).copied().filter(|credited| *credited != amount);
        PaymentView { credited, ..view(row) }
    };
    Ok(rows.into_iter().map(view).collect())
}

pub fn of_orders(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<i64, Vec<PaymentView>>, AppError> {
    let rows: Vec<PaymentRow> = payments::table
        .filter(payments::order_id.eq_any(order_ids))
        .order(payments::id.desc())
        .select(PaymentRow::as_select())
        .load(conn)?;
    let mut by_order: HashMap<i64, Vec<PaymentView>> = HashMap::new();
    for payment in all(conn, rows)? {
        by_order.entry(payment.order_id).or_default().push(payment);
    }
    Ok(by_order)
}

/// The payments of an order, newest first.
pub fn of_order(conn: &mut Conn, order_id: i64) -> Result<Vec<PaymentView>, AppError> {
    let rows = payments::table.filter(payments::order_id.eq(order_id)).order(payments::id.desc());
    let rows: Vec<PaymentRow> = rows.select(PaymentRow::as_select()).load(conn)?;
    all(conn, rows)
}

/// A payment that has just begun, as shown to its customer; `PayUrl` is the page on which they pay, while they can.
pub fn view(payment: PaymentRow) -> PaymentView {
    let is_automatic = payment.is_automatic();
    let is_payable = payment.state == PaymentState::Pending && !is_automatic;
    let pay_url = || gateways::pay_path(payment.payment_method, &payment.public_id, payment.language);
    PaymentView {
        is_automatic,
        credited: None,
        charged_amount: payment.charged_minor.map(Money::from_minor),
        charged_currency: payment.charged_currency,
        rate: payment.rate().map(|rate| rate.to_string()),
        pay_url: is_payable.then(pay_url).flatten(),
        payment_id: payment.public_id,
        order_id: payment.order_id,
        payment_method: payment.payment_method,
        state: payment.state,
        amount: Money::from_minor(payment.amount_minor),
        currency: payment.currency,
        created_at: to_wire(payment.created_at),
    }
}
