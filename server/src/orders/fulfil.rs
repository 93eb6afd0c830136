//! Charging the wallet for an order and handing over what was bought, in the caller's transaction.
use super::queries::{OrderRow, advance, release_nodes};
use crate::db::Conn;
use crate::error::AppError;
use crate::ips::renewal;
use crate::schema::{nodes, order_lines, order_nodes, orders, plans};
use crate::security::{SecretKey, random};
use crate::wallet::ledger::{Movement, move_money};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::account::{node_password, node_user_name};
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::Money;
use postern_core::node::{NodeState, first_expiry, next_reminder};
use postern_core::order::{OrderEvent, OrderKind};
use postern_core::renewal::first_attempt;
use std::collections::HashMap;

/// Takes the order's total from the wallet, marks it paid and fulfils it. The order must be locked.
pub fn pay_from_wallet(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let total = Money::from_minor(order.total_minor);
    if !total.is_zero() {
        let movement = Movement {
            account_id: order.account_id,
            kind: match order.kind()? {
                OrderKind::Renewal => EntryKind::Renewal,
                OrderKind::Switch => EntryKind::Switch,
                OrderKind::Purchase => EntryKind::Purchase,
                OrderKind::TopUp => return Err(AppError::internal("a top-up is not paid from the wallet")),
            },
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

/// Does what a paid order is for. A top-up's money was the goods, and a switch happens with its payment.
fn hand_over(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let undelivered = match order.kind()? {
        OrderKind::Purchase => {
            assign_nodes(conn, key, order, now)?;
            Money::ZERO
        }
        OrderKind::Renewal => renewal::extend_nodes(conn, order, now)?,
        OrderKind::Switch | OrderKind::TopUp => Money::ZERO,
    };
    if undelivered.is_zero() {
        advance(conn, order, OrderEvent::Fulfil)?;
        return Ok(());
    }
    advance(conn, order, OrderEvent::FulfilPartly)?;
    let refund = Movement {
        account_id: order.account_id,
        kind: EntryKind::Refund,
        source: Book::Refund,
        amount: undelivered,
        reference: format!("order {} not delivered", order.id),
        order_id: Some(order.id),
    };
    move_money(conn, &refund, now)
}

/// Marks a top-up whose money has just been credited as paid and fulfilled.
pub fn finish_top_up(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let paid = OrderRow { state: advance(conn, order, OrderEvent::Pay)?.as_str().to_owned(), ..order.clone() };
    diesel::update(orders::table.find(order.id)).set(orders::paid_at.eq(now)).execute(conn)?;
    hand_over(conn, key, &paid, now)
}

fn assign_nodes(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let ver_str = order.ver_str.as_deref().ok_or_else(|| AppError::internal("a purchase without a tier"))?;
    let period_days = order.period()?;
    let expires_at = first_expiry(now, period_days).ok_or_else(|| AppError::internal("a period is too long"))?;
    let plan = plan_of(conn, order.account_id, ver_str, now)?;
    let held: Vec<(i64, String, String)> = nodes::table
        .filter(nodes::order_id.eq(order.id))
        .filter(nodes::state.eq(NodeState::Held.as_str()))
        .order(nodes::id)
        .select((nodes::id, nodes::country, nodes::city))
        .load(conn)?;
    let mut nets = nets_by_city(conn, order.id)?;
    for (node_id, country, city) in held {
        let net = nets.get_mut(&(country, city)).and_then(Vec::pop);
        let net = net.ok_or_else(|| AppError::internal("a held node is on no line of its order"))?;
        let (user_name, password_sealed) = match (&plan.user_name, &plan.password_sealed) {
            (Some(user_name), Some(sealed)) => (user_name.clone(), sealed.clone()),
            _ => (node_user_name(random()), key.seal(&node_password(random())).map_err(AppError::Internal)?),
        };
        diesel::update(nodes::table.find(node_id))
            .set((
                nodes::state.eq(NodeState::Assigned.as_str()),
                nodes::account_id.eq(order.account_id),
                nodes::plan_id.eq(plan.id),
                nodes::user_name.eq(user_name),
                nodes::password_sealed.eq(password_sealed),
                nodes::auto_renew.eq(plan.auto_renew),
                nodes::period_days.eq(order.period_days),
                nodes::next_renewal_at.eq(plan.auto_renew.then(|| first_attempt(expires_at, now))),
                nodes::next_reminder_at.eq(next_reminder(expires_at, now)),
                nodes::assigned_at.eq(now),
                nodes::expires_at.eq(expires_at),
                nodes::order_id.eq(None::<i64>),
            ))
            .execute(conn)?;
        let sold = (
            order_nodes::order_id.eq(order.id),
            order_nodes::node_id.eq(node_id),
            order_nodes::net_minor.eq(net.minor()),
        );
        diesel::insert_into(order_nodes::table).values(sold).execute(conn)?;
    }
    Ok(())
}

/// What each node of an order costs, by country and city: the lines' parts of the total, shared out to the cent.
fn nets_by_city(conn: &mut Conn, order_id: i64) -> Result<HashMap<(String, String), Vec<Money>>, AppError> {
    let lines: Vec<(Option<String>, Option<String>, i32, i64)> = order_lines::table
        .filter(order_lines::order_id.eq(order_id))
        .select((order_lines::country, order_lines::city, order_lines::quantity, order_lines::net_minor))
        .load(conn)?;
    let mut nets = HashMap::new();
    for (country, city, quantity, net) in lines {
        let quantity = u32::try_from(quantity).map_err(|_| AppError::internal("a quantity is negative"))?;
        nets.insert((country.unwrap_or_default(), city.unwrap_or_default()), Money::from_minor(net).split(quantity)?);
    }
    Ok(nets)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = plans)]
pub struct PlanRow {
    pub id: i64,
    pub auto_renew: bool,
    pub user_name: Option<String>,
    pub password_sealed: Option<String>,
}

/// The account's plan of a tier, made with its first purchase. The wallet's lock keeps two from being made.
fn plan_of(conn: &mut Conn, account_id: i64, ver_str: &str, now: NaiveDateTime) -> Result<PlanRow, AppError> {
    let own = plans::table.filter(plans::account_id.eq(account_id)).filter(plans::ver_str.eq(ver_str));
    if let Some(plan) = own.select(PlanRow::as_select()).first(conn).optional()? {
        return Ok(plan);
    }
    let row = (plans::account_id.eq(account_id), plans::ver_str.eq(ver_str), plans::created_at.eq(now));
    let id: i64 = diesel::insert_into(plans::table).values(row).returning(plans::id).get_result(conn)?;
    Ok(plans::table.find(id).select(PlanRow::as_select()).first(conn)?)
}

/// Ends an unpaid order and puts its nodes back on the shelf. The order must be locked.
pub fn end_unpaid(conn: &mut Conn, order: &OrderRow, event: OrderEvent) -> Result<(), AppError> {
    advance(conn, order, event)?;
    release_nodes(conn, order.id)?;
    Ok(())
}
