//! SQL about orders and the nodes they hold.
use super::payments;
use super::types::{OrderFilter, OrderLineView, OrderMoment, OrderView, PaymentView};
use crate::db::{Conn, Kept};
use crate::error::AppError;
use crate::invoices::queries as invoices;
use crate::invoices::types::InvoiceView;
use crate::ips::good_for;
use crate::list::{Direction, ListRequest, Page, unknown_sort};
use crate::refunds::queries as refunds;
use crate::refunds::types::RefundView;
use crate::schema::{nodes, order_lines, orders, tiers};
use crate::security::random;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::array;
use diesel::prelude::*;
use postern_core::account::order_number;
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::node::NodeState;
use postern_core::order::{
    HOLD_MINUTES, MAX_UNPAID_ORDERS, OrderEvent, OrderKind, OrderState, PaymentMethod, next_order_state, order_actions,
    top_up_hours,
};
use postern_core::place::{city_name, country_name};
use postern_core::quote::{Discount, LineRequest, Quote, QuoteLine};
use postern_core::tier::Tier;
use postern_core::time::to_wire;
use serde_json::json;
use std::collections::HashMap;

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = orders)]
pub struct OrderRow {
    pub id: i64,
    pub order_number: String,
    pub account_id: i64,
    pub kind: String,
    pub state: String,
    pub currency: String,
    pub ver_str: Option<String>,
    pub period_days: Option<i32>,
    pub subtotal_minor: i64,
    pub discount_minor: i64,
    pub total_minor: i64,
    pub refunded_minor: i64,
    pub discounts: String,
    pub coupon: Option<String>,
    pub created_at: NaiveDateTime,
    pub expires_at: NaiveDateTime,
    pub paid_at: Option<NaiveDateTime>,
    pub ended_at: Option<NaiveDateTime>,
}

impl OrderRow {
    pub fn state(&self) -> Result<OrderState, AppError> {
        OrderState::from_wire(&self.state).ok_or_else(|| AppError::internal("an order has an unknown state"))
    }

    pub fn kind(&self) -> Result<OrderKind, AppError> {
        OrderKind::from_wire(&self.kind).ok_or_else(|| AppError::internal("an order has an unknown kind"))
    }

    /// For how many days the order buys.
    pub fn period(&self) -> Result<u32, AppError> {
        let days = self.period_days.and_then(|days| u32::try_from(days).ok());
        days.ok_or_else(|| AppError::internal("an order without a period"))
    }

    /// Of which tier the order buys.
    pub fn tier(&self) -> Result<&str, AppError> {
        self.ver_str.as_deref().ok_or_else(|| AppError::internal("a purchase without a tier"))
    }

    pub fn seconds_left(&self, now: NaiveDateTime) -> i64 {
        if self.state == OrderState::Unpaid.as_str() { (self.expires_at - now).num_seconds().max(0) } else { 0 }
    }
}

/// What an order is made of, whatever it is for.
pub struct NewOrder<'a> {
    pub account_id: i64,
    pub kind: OrderKind,
    pub currency: Currency,
    pub ver_str: Option<&'a str>,
    pub period_days: Option<u32>,
    pub subtotal: Money,
    pub discounts: &'a [Discount],
    pub coupon: Option<&'a str>,
    pub total: Money,
    pub expires_at: NaiveDateTime,
}

/// A line of an order: so many of a tier, of one city or, in a renewal, of any.
pub struct NewLine<'a> {
    pub ver_str: &'a str,
    pub place: Option<(&'a str, &'a str)>,
    pub quantity: u32,
    pub unit_price: Money,
    pub amount: Money,
    pub net: Money,
}

fn signed(number: u32) -> Result<i32, AppError> {
    i32::try_from(number).map_err(|_| AppError::internal("a number is too large"))
}

pub fn insert(conn: &mut Conn, new: &NewOrder, lines: &[NewLine], now: NaiveDateTime) -> Result<OrderRow, AppError> {
    let order: OrderRow = diesel::insert_into(orders::table)
        .values((
            orders::order_number.eq(order_number(random())),
            orders::account_id.eq(new.account_id),
            orders::kind.eq(new.kind.as_str()),
            orders::state.eq(OrderState::Unpaid.as_str()),
            orders::currency.eq(new.currency.code()),
            orders::ver_str.eq(new.ver_str),
            orders::period_days.eq(new.period_days.map(signed).transpose()?),
            orders::subtotal_minor.eq(new.subtotal.minor()),
            orders::discount_minor.eq(new.subtotal.checked_sub(new.total)?.minor()),
            orders::total_minor.eq(new.total.minor()),
            orders::discounts.eq(serde_json::to_string(new.discounts)?),
            orders::coupon.eq(new.coupon),
            orders::created_at.eq(now),
            orders::expires_at.eq(new.expires_at),
        ))
        .returning(orders::all_columns)
        .get_result(conn)?;
    for line in lines {
        diesel::insert_into(order_lines::table)
            .values((
                order_lines::order_id.eq(order.id),
                order_lines::ver_str.eq(line.ver_str),
                order_lines::country.eq(line.place.map(|place| place.0)),
                order_lines::city.eq(line.place.map(|place| place.1)),
                order_lines::quantity.eq(signed(line.quantity)?),
                order_lines::unit_price_minor.eq(line.unit_price.minor()),
                order_lines::amount_minor.eq(line.amount.minor()),
                order_lines::net_minor.eq(line.net.minor()),
            ))
            .execute(conn)?;
    }
    Ok(order)
}

/// Refuses when the account has as many unpaid orders as it may.
pub fn check_unpaid(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let unpaid: i64 = orders::table
        .filter(orders::account_id.eq(account_id))
        .filter(orders::state.eq(OrderState::Unpaid.as_str()))
        .filter(orders::kind.ne(OrderKind::TopUp.as_str()))
        .filter(orders::expires_at.gt(now))
        .count()
        .get_result(conn)?;
    if unpaid >= MAX_UNPAID_ORDERS { Err(AppError::in_place("tooManyUnpaidOrders")) } else { Ok(()) }
}

/// What a purchase is besides its quote.
#[derive(Clone, Copy, Default)]
pub struct Purchase<'a> {
    pub target: Option<&'a str>,
    /// The nodes that the customer picked, if they did.
    pub chosen: &'a [i64],
    pub coupon: Option<&'a str>,
}

/// Creates the order of a quote, which `hold` is to follow.
pub fn insert_purchase(
    conn: &mut Conn,
    account_id: i64,
    quote: &Quote,
    of: &Purchase,
    now: NaiveDateTime,
) -> Result<OrderRow, AppError> {
    let new = NewOrder {
        account_id,
        kind: OrderKind::Purchase,
        currency: quote.currency,
        ver_str: Some(&quote.ver_str),
        period_days: Some(quote.period_days),
        subtotal: quote.subtotal,
        discounts: &quote.discounts,
        coupon: of.coupon,
        total: quote.total,
        expires_at: now + TimeDelta::minutes(HOLD_MINUTES),
    };
    let lines: Vec<_> = quote
        .lines
        .iter()
        .map(|line| NewLine {
            ver_str: &quote.ver_str,
            place: Some((&line.country, &line.city)),
            quantity: line.quantity,
            unit_price: quote.unit_price,
            amount: line.amount,
            net: line.net,
        })
        .collect();
    insert(conn, &new, &lines, now)
}

/// A node that an order holds, and where it is.
#[derive(Queryable)]
pub struct HeldNode {
    pub node_id: i64,
    pub country: String,
    pub city: String,
}

/// What an order holds.
pub fn held_nodes(conn: &mut Conn, order_id: i64) -> Result<Vec<HeldNode>, AppError> {
    let held = nodes::table
        .filter(nodes::order_id.eq(order_id))
        .filter(nodes::state.eq(NodeState::Held.as_str()))
        .order(nodes::id)
        .select((nodes::id, nodes::country, nodes::city));
    Ok(held.load(conn)?)
}

/// Takes the nodes of a new order off the shelf, or refuses when a city has too few.
pub fn hold(conn: &mut Conn, order_id: i64, quote: &Quote, of: &Purchase) -> Result<Vec<HeldNode>, AppError> {
    if !of.chosen.is_empty() {
        hold_chosen(conn, order_id, &quote.ver_str, of.chosen)?;
        return held_nodes(conn, order_id);
    }
    let mut held = Vec::new();
    for line in &quote.lines {
        let node = |node_id| HeldNode { node_id, country: line.country.clone(), city: line.city.clone() };
        held.extend(hold_nodes(conn, order_id, &quote.ver_str, line, of.target)?.into_iter().map(node));
    }
    Ok(held)
}

/// Where the nodes that a customer picked stand, as the lines of a quote; refuses when one is no longer for sale.
pub fn lines_of(conn: &mut Conn, ver_str: &str, chosen: &[i64]) -> Result<Vec<LineRequest>, AppError> {
    let rows: Vec<(String, String)> = nodes::table
        .filter(nodes::id.eq_any(chosen))
        .filter(nodes::ver_str.eq(ver_str))
        .filter(nodes::state.eq(NodeState::Available.as_str()))
        .select((nodes::country, nodes::city))
        .load(conn)?;
    if rows.len() < chosen.len() {
        return Err(AppError::with(Code::OutOfStock, json!({ "Available": rows.len() })));
    }
    let mut lines: Vec<LineRequest> = Vec::new();
    for (country, city) in rows {
        match lines.iter_mut().find(|line| line.country == country && line.city == city) {
            Some(line) => line.quantity += 1,
            None => lines.push(LineRequest { country, city, quantity: 1 }),
        }
    }
    lines.sort_by(|one, other| (&one.country, &one.city).cmp(&(&other.country, &other.city)));
    Ok(lines)
}

/// Holds exactly these nodes, or refuses when somebody else was faster.
fn hold_chosen(conn: &mut Conn, order_id: i64, ver_str: &str, chosen: &[i64]) -> Result<(), AppError> {
    let free = nodes::table
        .filter(nodes::id.eq_any(chosen))
        .filter(nodes::ver_str.eq(ver_str))
        .filter(nodes::state.eq(NodeState::Available.as_str()));
    let held = diesel::update(free)
        .set((nodes::state.eq(NodeState::Held.as_str()), nodes::order_id.eq(order_id)))
        .execute(conn)?;
    if held == chosen.len() { Ok(()) } else { Err(AppError::with(Code::OutOfStock, json!({ "Available": held }))) }
}

/// Holds as many nodes of a city as the line asks for: found and taken by one statement. On PostgreSQL, rows that another order is just
/// taking are skipped instead of waited for; on SQLite only one order is created at a time.
fn hold_nodes(
    conn: &mut Conn,
    order_id: i64,
    ver_str: &str,
    line: &QuoteLine,
    target: Option<&str>,
) -> Result<Vec<i64>, AppError> {
    let wanted = i64::from(line.quantity);
    let shelf = diesel::alias!(nodes as shelf);
    macro_rules! shelf {
        () => {
            shelf
                .filter(shelf.field(nodes::state).eq(NodeState::Available.as_str()))
                .filter(shelf.field(nodes::ver_str).eq(ver_str))
                .filter(shelf.field(nodes::country).eq(&line.country))
                .filter(shelf.field(nodes::city).eq(&line.city))
                .select(shelf.field(nodes::id))
                .order(shelf.field(nodes::id))
                .limit(wanted)
        };
    }
    macro_rules! take {
        ($found:expr) => {
            Kept(
                diesel::update(nodes::table.filter(nodes::id.eq_any($found)))
                    .set((nodes::state.eq(NodeState::Held.as_str()), nodes::order_id.eq(order_id)))
                    .returning(nodes::id),
            )
        };
    }
    // As an array, PostgreSQL looks the shelf through once: what is locked by looking is what is taken.
    let mut held: Vec<i64> = match (conn, target) {
        (Conn::Postgres(conn), None) => take!(array(shelf!().for_update().skip_locked())).load(conn)?,
        (Conn::Postgres(conn), Some(target)) => {
            take!(array(shelf!().filter(good_for!(target, shelf.field(nodes::id))).for_update().skip_locked()))
                .load(conn)?
        }
        (Conn::Sqlite(conn), None) => take!(shelf!()).load(conn)?,
        (Conn::Sqlite(conn), Some(target)) => {
            take!(shelf!().filter(good_for!(target, shelf.field(nodes::id)))).load(conn)?
        }
    };
    let available = i64::try_from(held.len()).unwrap_or(i64::MAX);
    if available < wanted {
        let place = json!({ "Available": available, "Country": line.country, "City": line.city });
        return Err(AppError::with(Code::OutOfStock, place));
    }
    held.sort_unstable();
    Ok(held)
}

/// Creates the order of a top-up, which can be paid for as long as its method needs.
pub fn insert_top_up(
    conn: &mut Conn,
    account_id: i64,
    amount: Money,
    method: PaymentMethod,
    now: NaiveDateTime,
) -> Result<OrderRow, AppError> {
    let new = NewOrder {
        account_id,
        kind: OrderKind::TopUp,
        currency: crate::ips::queries::catalogue(conn)?.currency,
        ver_str: None,
        period_days: None,
        subtotal: amount,
        discounts: &[],
        coupon: None,
        total: amount,
        expires_at: now + TimeDelta::hours(top_up_hours(method)),
    };
    insert(conn, &new, &[], now)
}

/// Locks an order until the transaction ends.
pub fn lock(conn: &mut Conn, order_id: i64) -> Result<OrderRow, AppError> {
    let order = orders::table.find(order_id);
    let row = match conn {
        Conn::Postgres(conn) => order.select(OrderRow::as_select()).for_update().first(conn).optional()?,
        // The writer's transaction has the whole database to itself.
        Conn::Sqlite(conn) => order.select(OrderRow::as_select()).first(conn).optional()?,
    };
    row.ok_or_else(|| AppError::code(Code::NotFound))
}

/// The order of this number, whosever it is.
pub fn by_number(conn: &mut Conn, order_number: &str) -> Result<OrderRow, AppError> {
    let order = orders::table.filter(orders::order_number.eq(order_number.trim())).select(OrderRow::as_select());
    order.first(conn).optional()?.ok_or_else(|| AppError::code(Code::NotFound))
}

/// Locks an order of this account; one of another account is not found.
pub fn lock_own(conn: &mut Conn, account_id: i64, order_id: i64) -> Result<OrderRow, AppError> {
    let row = lock(conn, order_id)?;
    if row.account_id == account_id { Ok(row) } else { Err(AppError::code(Code::NotFound)) }
}

/// Where an order goes by its table of transitions; what the table does not allow is code 4005.
pub fn next_state(order: &OrderRow, event: OrderEvent) -> Result<String, AppError> {
    let next = next_order_state(order.state()?, event);
    let next = next.map_err(|refused| AppError::state_forbids(refused.state.as_str()))?;
    Ok(next.as_str().to_owned())
}

/// Moves an order there.
pub fn advance(conn: &mut Conn, order: &OrderRow, event: OrderEvent) -> Result<(), AppError> {
    let next = next_state(order, event)?;
    diesel::update(orders::table.find(order.id)).set(orders::state.eq(next)).execute(conn)?;
    Ok(())
}

/// Puts the nodes that an order holds back on the shelf.
pub fn release_nodes(conn: &mut Conn, order_id: i64) -> Result<usize, AppError> {
    let held = nodes::table.filter(nodes::order_id.eq(order_id)).filter(nodes::state.eq(NodeState::Held.as_str()));
    let free = (nodes::state.eq(NodeState::Available.as_str()), nodes::order_id.eq(None::<i64>));
    Ok(diesel::update(held).set(free).execute(conn)?)
}

pub fn find(conn: &mut Conn, account_id: i64, order_id: i64, now: NaiveDateTime) -> Result<OrderView, AppError> {
    let row: Option<OrderRow> = orders::table
        .filter(orders::account_id.eq(account_id))
        .filter(orders::id.eq(order_id))
        .select(OrderRow::as_select())
        .first(conn)
        .optional()?;
    let mut views = views(conn, vec![row.ok_or_else(|| AppError::code(Code::NotFound))?], now)?;
    views.pop().ok_or_else(|| AppError::internal("an order without a view"))
}

/// Orders that wait for their payment, those that end first coming first. Top-ups hold nothing and are left out.
pub fn unpaid(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<OrderView>, AppError> {
    let rows: Vec<OrderRow> = orders::table
        .filter(orders::account_id.eq(account_id))
        .filter(orders::state.eq(OrderState::Unpaid.as_str()))
        .filter(orders::kind.ne(OrderKind::TopUp.as_str()))
        .filter(orders::expires_at.gt(now))
        .order(orders::expires_at)
        .select(OrderRow::as_select())
        .load(conn)?;
    views(conn, rows, now)
}

pub fn list(
    conn: &mut Conn,
    account_id: i64,
    list: &ListRequest,
    now: NaiveDateTime,
) -> Result<Page<OrderView>, AppError> {
    let filter: OrderFilter = list.filters()?;
    let (from, to) = list.between()?;
    macro_rules! narrowed {
        ($query:expr) => {{
            let mut query = $query.filter(orders::account_id.eq(account_id)).into_boxed();
            if let Some(state) = &filter.state {
                query = query.filter(orders::state.eq(state));
            }
            if let Some(kind) = &filter.kind {
                query = query.filter(orders::kind.eq(kind));
            }
            if let Some(from) = from {
                query = query.filter(orders::created_at.ge(from));
            }
            if let Some(to) = to {
                query = query.filter(orders::created_at.le(to));
            }
            query
        }};
    }
    let total: i64 = narrowed!(orders::table.select(diesel::dsl::count(orders::id))).first(conn)?;
    let mut query = narrowed!(orders::table.select(OrderRow::as_select()));
    for sort in &list.sort {
        query = match (sort.field.as_str(), sort.direction) {
            ("CreatedAt", Direction::Asc) => query.then_order_by(orders::created_at.asc()),
            ("CreatedAt", Direction::Desc) => query.then_order_by(orders::created_at.desc()),
            ("Total", Direction::Asc) => query.then_order_by(orders::total_minor.asc()),
            ("Total", Direction::Desc) => query.then_order_by(orders::total_minor.desc()),
            (other, _) => return Err(unknown_sort(other)),
        };
    }
    let rows: Vec<OrderRow> =
        query.then_order_by(orders::id.desc()).limit(list.limit()).offset(list.offset()).load(conn)?;
    Ok(list.page_of(views(conn, rows, now)?, total))
}

/// What happened to an order, in its order. What is paid is handed over in the same moment; what could not be delivered is given
/// back in it, too.
fn timeline(row: &OrderRow, refunds: &[RefundView]) -> Result<Vec<OrderMoment>, AppError> {
    let moment = |event: &str, at: String, amount| OrderMoment { event: event.to_owned(), at, amount };
    let mut moments = vec![moment("created", to_wire(row.created_at), None)];
    if let Some(paid_at) = row.paid_at.map(to_wire) {
        let lacked = refunds.iter().any(|refund| refund.created_at == paid_at && refund.reason.is_empty());
        moments.push(moment("paid", paid_at.clone(), Some(Money::from_minor(row.total_minor))));
        moments.push(moment(if lacked { "partly_fulfilled" } else { "fulfilled" }, paid_at, None));
    }
    moments.extend(refunds.iter().map(|one| moment("refunded", one.created_at.clone(), Some(one.amount))));
    if let (OrderState::Cancelled | OrderState::Expired, Some(ended_at)) = (row.state()?, row.ended_at) {
        moments.push(moment(&row.state, to_wire(ended_at), None));
    }
    Ok(moments)
}

/// A line of an order, with the names of its tier.
#[derive(Queryable)]
pub struct LineRow {
    order_id: i64,
    ver_str: String,
    pub label_en: String,
    pub label_zh: String,
    pub country: Option<String>,
    pub city: Option<String>,
    quantity: i32,
    pub unit_price_minor: i64,
    pub amount_minor: i64,
    pub net_minor: i64,
}

impl LineRow {
    pub fn quantity(&self) -> Result<u32, AppError> {
        u32::try_from(self.quantity).map_err(|_| AppError::internal("a quantity is negative"))
    }

    fn view(&self) -> OrderLineView {
        let country_in = |language| self.country.as_deref().map(|country| country_name(country, language));
        let city_in = |language| self.city.as_deref().map(|city| city_name(city, language));
        OrderLineView {
            country_name_en: country_in(Language::En),
            country_name_zh: country_in(Language::Zh),
            city_name_en: city_in(Language::En),
            city_name_zh: city_in(Language::Zh),
            ver_str: self.ver_str.clone(),
            label_en: self.label_en.clone(),
            label_zh: self.label_zh.clone(),
            country: self.country.clone(),
            city: self.city.clone(),
            quantity: self.quantity,
            unit_price: Money::from_minor(self.unit_price_minor),
            amount: Money::from_minor(self.amount_minor),
        }
    }
}

/// The lines of an order that was just created of a quote.
pub fn lines_of_quote(order: &OrderRow, quote: &Quote, tier: &Tier) -> Result<Vec<LineRow>, AppError> {
    let line = |line: &QuoteLine| {
        Ok(LineRow {
            order_id: order.id,
            ver_str: tier.ver_str.clone(),
            label_en: tier.label_en.clone(),
            label_zh: tier.label_zh.clone(),
            country: Some(line.country.clone()),
            city: Some(line.city.clone()),
            quantity: signed(line.quantity)?,
            unit_price_minor: quote.unit_price.minor(),
            amount_minor: line.amount.minor(),
            net_minor: line.net.minor(),
        })
    };
    quote.lines.iter().map(line).collect()
}

macro_rules! lines {
    ($of:expr) => {
        order_lines::table
            .inner_join(tiers::table.on(tiers::ver_str.eq(order_lines::ver_str)))
            .filter($of)
            .order(order_lines::id)
            .select((
                order_lines::order_id,
                order_lines::ver_str,
                tiers::label_en,
                tiers::label_zh,
                order_lines::country,
                order_lines::city,
                order_lines::quantity,
                order_lines::unit_price_minor,
                order_lines::amount_minor,
                order_lines::net_minor,
            ))
    };
}

/// The lines of an order, in their order. (PostgreSQL keeps the plan of this query; one for a list it would make anew each time.)
pub fn lines_of_order(conn: &mut Conn, order_id: i64) -> Result<Vec<LineRow>, AppError> {
    Ok(lines!(order_lines::order_id.eq(order_id)).load(conn)?)
}

fn lines_of_orders(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<i64, Vec<LineRow>>, AppError> {
    let mut by_order: HashMap<i64, Vec<LineRow>> = HashMap::new();
    for line in lines!(order_lines::order_id.eq_any(order_ids)).load::<LineRow>(conn)? {
        by_order.entry(line.order_id).or_default().push(line);
    }
    Ok(by_order)
}

/// What belongs to an order besides its row.
#[derive(Default)]
pub struct Belongings {
    pub payments: Vec<PaymentView>,
    pub refunds: Vec<RefundView>,
    pub invoices: Vec<InvoiceView>,
}

/// An order of which everything is at hand.
pub fn view(row: OrderRow, lines: &[LineRow], of: Belongings, now: NaiveDateTime) -> Result<OrderView, AppError> {
    let timeline = timeline(&row, &of.refunds)?;
    let seconds_left = row.seconds_left(now);
    let actions = order_actions(row.state()?, seconds_left);
    Ok(OrderView {
        order_id: row.id,
        quantity: lines.iter().map(|line| line.quantity).sum(),
        lines: lines.iter().map(LineRow::view).collect(),
        subtotal: Money::from_minor(row.subtotal_minor),
        discounts: serde_json::from_str(&row.discounts)?,
        coupon: row.coupon,
        discount_total: Money::from_minor(row.discount_minor),
        total: Money::from_minor(row.total_minor),
        refunded: Money::from_minor(row.refunded_minor),
        created_at: to_wire(row.created_at),
        expires_at: to_wire(row.expires_at),
        paid_at: row.paid_at.map(to_wire),
        invoices: of.invoices,
        refunds: of.refunds,
        timeline,
        seconds_left,
        can_pay: actions.can_pay,
        can_cancel: actions.can_cancel,
        payments: of.payments,
        order_number: row.order_number,
        kind: row.kind,
        state: row.state,
        currency: row.currency,
        ver_str: row.ver_str,
        period_days: row.period_days,
    })
}

pub(super) fn views(conn: &mut Conn, rows: Vec<OrderRow>, now: NaiveDateTime) -> Result<Vec<OrderView>, AppError> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut lines = lines_of_orders(conn, &ids)?;
    let mut payments = payments::of_orders(conn, &ids)?;
    let mut refunds = refunds::of_orders(conn, &ids)?;
    let mut invoices = invoices::of_orders(conn, &ids)?;
    let view = |row: OrderRow| {
        let belongings = Belongings {
            payments: payments.remove(&row.id).unwrap_or_default(),
            refunds: refunds.remove(&row.id).unwrap_or_default(),
            invoices: invoices.remove(&row.id).unwrap_or_default(),
        };
        let lines = lines.remove(&row.id).unwrap_or_default();
        view(row, &lines, belongings, now)
    };
    rows.into_iter().map(view).collect()
}
