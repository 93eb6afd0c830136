//! Purchases: creates the order of a quote and holds its nodes.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::nodes::lifecycle::{HeldNode, held_nodes, hold_nodes, hold_picked};
use crate::order_rows::rows::{LineRow, NewLine, NewOrder, NodeChoices, OrderRow, insert, signed};
use crate::schema::nodes;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::code::Code;
use postern_core::node::NodeState;
use postern_core::order::{HOLD_MINUTES, OrderKind};
use postern_core::quote::{LineRequest, Quote, QuoteLine};
use postern_core::tier::Tier;
use serde_json::json;

/// The data of a purchase besides its quote.
#[derive(Clone, Copy, Default)]
pub struct Purchase<'a> {
    pub target: Option<&'a str>,
    /// The nodes that the customer picked, if any.
    pub chosen: &'a [i64],
    pub coupon: Option<&'a str>,
    pub choices: NodeChoices,
}

/// Creates the order of a quote. Call `hold` afterwards.
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
        choices: of.choices,
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

/// Holds the nodes of a new order, or refuses if a city is short of stock.
pub fn hold(conn: &mut Conn, order_id: i64, quote: &Quote, of: &Purchase) -> Result<Vec<HeldNode>, AppError> {
    if !of.chosen.is_empty() {
        hold_picked(conn, order_id, &quote.ver_str, of.chosen)?;
        return held_nodes(conn, order_id);
    }
    let mut held = Vec::new();
    for line in &quote.lines {
        let node = |node_id| HeldNode { node_id, country: line.country.clone(), city: line.city.clone() };
        held.extend(hold_nodes(conn, order_id, &quote.ver_str, line, of.target)?.into_iter().map(node));
    }
    Ok(held)
}

/// The places of the nodes that a customer picked, as the lines of a quote; refuses if one is no longer for sale.
pub fn lines_of(conn: &mut Conn, ver_str: &str, chosen: &[i64]) -> Result<Vec<LineRequest>, AppError> {
    let rows: Vec<(String, String)> = nodes::table
        .filter(nodes::id.eq_any(chosen))
        .filter(nodes::ver_str.eq(ver_str))
        .filter(nodes::state.eq(NodeState::Available))
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

/// The lines of a newly created order.
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
