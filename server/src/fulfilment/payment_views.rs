//! Payments as API views.
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
    Ok(view(find_own(conn, account_id, public_id)?))
}

pub fn of_orders(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<i64, Vec<PaymentView>>, AppError> {
    let rows: Vec<PaymentRow> = payments::table
        .filter(payments::order_id.eq_any(order_ids))
        .order(payments::id.desc())
        .select(PaymentRow::as_select())
        .load(conn)?;
    let mut by_order: HashMap<i64, Vec<PaymentView>> = HashMap::new();
    for row in rows {
        by_order.entry(row.order_id).or_default().push(view(row));
    }
    Ok(by_order)
}

/// The payments of an order, newest first.
pub fn of_order(conn: &mut Conn, order_id: i64) -> Result<Vec<PaymentView>, AppError> {
    let rows = payments::table.filter(payments::order_id.eq(order_id)).order(payments::id.desc());
    let rows: Vec<PaymentRow> = rows.select(PaymentRow::as_select()).load(conn)?;
    Ok(rows.into_iter().map(view).collect())
}

/// A payment as shown to its customer; `PayUrl` is the page on which they pay, while they can.
pub fn view(payment: PaymentRow) -> PaymentView {
    let is_automatic = payment.is_automatic();
    let is_payable = payment.state == PaymentState::Pending && !is_automatic;
    let pay_url = || gateways::pay_path(payment.payment_method, &payment.public_id, payment.language);
    PaymentView {
        is_automatic,
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
