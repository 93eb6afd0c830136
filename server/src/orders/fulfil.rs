//! Charging the wallet for an order and handing over what was bought, in the caller's transaction.
use super::payments::end_with_order;
use super::queries::{OrderRow, advance, find, release_nodes};
use super::types::OrderView;
use crate::db::Conn;
use crate::error::AppError;
use crate::invoices::issue::issue_invoice;
use crate::invoices::types::InvoiceView;
use crate::ips::renewal;
use crate::refunds::queries as refunds;
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

/// A paid order that has no invoice yet. Nobody else gets a number until the transaction that issues it has ended, so what need not
/// come after it comes before.
#[must_use = "a paid order has an invoice"]
pub struct Delivered {
    order: OrderRow,
    undelivered: Vec<i64>,
}

impl Delivered {
    /// Issues the invoice, and gives back what could not be delivered.
    fn issue(self, conn: &mut Conn, now: NaiveDateTime) -> Result<Option<InvoiceView>, AppError> {
        let invoice = issue_invoice(conn, &self.order, now)?;
        if !self.undelivered.is_empty() {
            refunds::give_back_undelivered(conn, &self.order, &self.undelivered, now)?;
        }
        Ok(invoice)
    }

    /// The same, and how the order stands then.
    pub fn issue_and_view(self, conn: &mut Conn, now: NaiveDateTime) -> Result<OrderView, AppError> {
        let (account_id, order_id) = (self.order.account_id, self.order.id);
        if !self.undelivered.is_empty() {
            self.issue(conn, now)?;
            return find(conn, account_id, order_id, now);
        }
        let mut view = find(conn, account_id, order_id, now)?;
        view.invoices.extend(self.issue(conn, now)?);
        Ok(view)
    }
}

/// Takes the order's total from the wallet, marks it paid, fulfils it and issues its invoice. The order must be locked.
pub fn pay_from_wallet(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    deliver(conn, key, order, now)?.issue(conn, now)?;
    Ok(())
}

/// The same up to the invoice.
pub fn deliver(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<Delivered, AppError> {
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
    let paid = mark_paid(conn, order, now)?;
    let undelivered = match order.kind()? {
        OrderKind::Purchase => {
            assign_nodes(conn, key, &paid, now)?;
            Vec::new()
        }
        OrderKind::Renewal => renewal::extend_nodes(conn, &paid, now)?,
        // A switch happens with its payment.
        OrderKind::Switch | OrderKind::TopUp => Vec::new(),
    };
    let event = if undelivered.is_empty() { OrderEvent::Fulfil } else { OrderEvent::FulfilPartly };
    let order = OrderRow { state: advance(conn, &paid, event)?.as_str().to_owned(), ..paid };
    Ok(Delivered { order, undelivered })
}

fn mark_paid(conn: &mut Conn, order: &OrderRow, now: NaiveDateTime) -> Result<OrderRow, AppError> {
    let state = advance(conn, order, OrderEvent::Pay)?.as_str().to_owned();
    diesel::update(orders::table.find(order.id)).set(orders::paid_at.eq(now)).execute(conn)?;
    Ok(OrderRow { state, paid_at: Some(now), ..order.clone() })
}

/// Marks a top-up whose money has just been credited as paid and fulfilled: the money was the goods.
pub fn finish_top_up(conn: &mut Conn, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let paid = mark_paid(conn, order, now)?;
    advance(conn, &paid, OrderEvent::Fulfil)?;
    Ok(())
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
            order_nodes::starts_at.eq(now),
            order_nodes::ends_at.eq(expires_at),
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
pub fn end_unpaid(conn: &mut Conn, order: &OrderRow, event: OrderEvent, now: NaiveDateTime) -> Result<(), AppError> {
    advance(conn, order, event)?;
    diesel::update(orders::table.find(order.id)).set(orders::ended_at.eq(now)).execute(conn)?;
    release_nodes(conn, order.id)?;
    end_with_order(conn, order.id, now)
}
