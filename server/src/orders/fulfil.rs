//! Charging the wallet for an order and handing over what was bought, in the caller's transaction.
use super::queries::{OrderRow, advance, release_nodes};
use crate::db::Conn;
use crate::error::AppError;
use crate::schema::{nodes, order_nodes, orders, plans};
use crate::security::{SecretKey, random};
use crate::wallet::ledger::{Movement, move_money};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::account::{node_password, node_user_name};
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::Money;
use postern_core::node::{NodeState, first_expiry};
use postern_core::order::{OrderEvent, OrderKind};

/// Takes the order's total from the wallet, marks it paid and fulfils it. The order must be locked.
pub fn pay_from_wallet(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let total = Money::from_minor(order.total_minor);
    if !total.is_zero() {
        let movement = Movement {
            account_id: order.account_id,
            kind: EntryKind::Purchase,
            source: Book::Wallet,
            amount: total,
            reference: format!("order {} charged", order.id),
            order_id: Some(order.id),
        };
        move_money(conn, &movement, now)?;
    }
    let paid = OrderRow { state: advance(conn, order, OrderEvent::Pay)?.as_str().to_owned(), ..order.clone() };
    diesel::update(orders::table.find(order.id)).set(orders::paid_at.eq(now)).execute(conn)?;
    hand_over(conn, key, &paid, now)
}

/// Gives a paid order's nodes to their owner; a top-up has none, the money itself was the goods.
fn hand_over(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    if order.kind()? == OrderKind::Purchase {
        assign_nodes(conn, key, order, now)?;
    }
    advance(conn, order, OrderEvent::Fulfil)?;
    Ok(())
}

/// Marks a top-up whose money has just been credited as paid and fulfilled.
pub fn finish_top_up(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let paid = OrderRow { state: advance(conn, order, OrderEvent::Pay)?.as_str().to_owned(), ..order.clone() };
    diesel::update(orders::table.find(order.id)).set(orders::paid_at.eq(now)).execute(conn)?;
    hand_over(conn, key, &paid, now)
}

fn assign_nodes(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let ver_str = order.ver_str.as_deref().ok_or_else(|| AppError::internal("a purchase without a tier"))?;
    let period_days = order.period_days.and_then(|days| u32::try_from(days).ok());
    let expires_at = period_days.and_then(|days| first_expiry(now, days));
    let expires_at = expires_at.ok_or_else(|| AppError::internal("a purchase without a period"))?;
    let plan_id = plan_of(conn, order.account_id, ver_str, now)?;
    let held: Vec<i64> = nodes::table
        .filter(nodes::order_id.eq(order.id))
        .filter(nodes::state.eq(NodeState::Held.as_str()))
        .select(nodes::id)
        .load(conn)?;
    for node_id in held {
        let sealed = key.seal(&node_password(random())).map_err(AppError::Internal)?;
        diesel::update(nodes::table.find(node_id))
            .set((
                nodes::state.eq(NodeState::Assigned.as_str()),
                nodes::account_id.eq(order.account_id),
                nodes::plan_id.eq(plan_id),
                nodes::user_name.eq(node_user_name(random())),
                nodes::password_sealed.eq(sealed),
                nodes::assigned_at.eq(now),
                nodes::expires_at.eq(expires_at),
                nodes::order_id.eq(None::<i64>),
            ))
            .execute(conn)?;
        let sold = (order_nodes::order_id.eq(order.id), order_nodes::node_id.eq(node_id));
        diesel::insert_into(order_nodes::table).values(sold).execute(conn)?;
    }
    Ok(())
}

/// The account's plan of a tier, made with its first purchase. The wallet's lock keeps two from being made.
fn plan_of(conn: &mut Conn, account_id: i64, ver_str: &str, now: NaiveDateTime) -> Result<i64, AppError> {
    let own = plans::table.filter(plans::account_id.eq(account_id)).filter(plans::ver_str.eq(ver_str));
    if let Some(id) = own.select(plans::id).first(conn).optional()? {
        return Ok(id);
    }
    let row = (plans::account_id.eq(account_id), plans::ver_str.eq(ver_str), plans::created_at.eq(now));
    Ok(diesel::insert_into(plans::table).values(row).returning(plans::id).get_result(conn)?)
}

/// Ends an unpaid order and puts its nodes back on the shelf. The order must be locked.
pub fn end_unpaid(conn: &mut Conn, order: &OrderRow, event: OrderEvent) -> Result<(), AppError> {
    advance(conn, order, event)?;
    release_nodes(conn, order.id)?;
    Ok(())
}
