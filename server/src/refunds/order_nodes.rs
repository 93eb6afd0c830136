//! The nodes of an order for a refund: those that the account still has, and the price of each.
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::orders::rows::OrderRow;
use crate::schema::{node_switches, nodes, order_nodes, tiers};
use chrono::NaiveDateTime;
use postern_core::money::Money;
use postern_core::order::OrderKind;
use postern_core::refund::{NodeAfterRefund, node_after_refund, unused_seconds};
use std::collections::HashMap;

const CHUNK: usize = 1_000;

/// A node that an order sold or extended, and its current replacement.
pub struct OrderNode {
    pub sold_id: i64,
    pub current_id: i64,
    pub net: Money,
    pub ip: String,
    pub country: String,
    pub city: String,
    pub label_en: String,
    pub label_zh: String,
    /// What happens to the node when its time is refunded; `None` if it has to stay.
    pub after: Option<NodeAfterRefund>,
    pub unused_seconds: u32,
}

pub type Sold = (i64, i64, Option<NaiveDateTime>, Option<NaiveDateTime>);

pub fn sold_nodes(conn: &mut Conn, order_id: i64) -> Result<Vec<Sold>, AppError> {
    Ok(order_nodes::table
        .filter(order_nodes::order_id.eq(order_id))
        .order(order_nodes::node_id)
        .select((order_nodes::node_id, order_nodes::net_minor, order_nodes::starts_at, order_nodes::ends_at))
        .load(conn)?)
}

#[derive(Clone, Queryable)]
struct NodeRow {
    id: i64,
    ip: String,
    country: String,
    city: String,
    label_en: String,
    label_zh: String,
    account_id: Option<i64>,
    assigned_at: Option<NaiveDateTime>,
    expires_at: Option<NaiveDateTime>,
}

/// Nodes by their ids.
fn load_nodes(conn: &mut Conn, ids: &[i64], lock: RowLock) -> Result<HashMap<i64, NodeRow>, AppError> {
    let mut found = HashMap::with_capacity(ids.len());
    for chunk in ids.chunks(CHUNK) {
        let these = nodes::table.filter(nodes::id.eq_any(chunk));
        if let (Conn::Postgres(conn), RowLock::ForUpdate) = (&mut *conn, lock) {
            these.clone().select(nodes::id).order(nodes::id).for_update().load::<i64>(conn)?;
        }
        let rows: Vec<NodeRow> = these
            .inner_join(tiers::table.on(tiers::ver_str.eq(nodes::ver_str)))
            .select((
                nodes::id,
                nodes::ip,
                nodes::country,
                nodes::city,
                tiers::label_en,
                tiers::label_zh,
                nodes::account_id,
                nodes::assigned_at,
                nodes::expires_at,
            ))
            .load(conn)?;
        found.extend(rows.into_iter().map(|row| (row.id, row)));
    }
    Ok(found)
}

/// The current replacement of each sold node, after the account's switches since the order was paid.
fn current_ids(conn: &mut Conn, order: &OrderRow, sold: &[Sold]) -> Result<Vec<i64>, AppError> {
    let mut current: Vec<i64> = sold.iter().map(|row| row.0).collect();
    let mut place: HashMap<i64, usize> = current.iter().enumerate().map(|(index, id)| (*id, index)).collect();
    let switches: Vec<(i64, i64)> = node_switches::table
        .filter(node_switches::account_id.eq(order.account_id))
        .filter(node_switches::created_at.ge(order.paid_at.unwrap_or(order.created_at)))
        .order(node_switches::id)
        .select((node_switches::old_node_id, node_switches::new_node_id))
        .load(conn)?;
    for (old_id, new_id) in switches {
        if let Some(index) = place.remove(&old_id) {
            current[index] = new_id;
            place.insert(new_id, index);
        }
    }
    Ok(current)
}

/// The nodes of an order that its account still owns through this order. A node released and bought again belongs to the later order.
pub fn nodes_of(
    conn: &mut Conn,
    order: &OrderRow,
    lock: RowLock,
    now: NaiveDateTime,
) -> Result<Vec<OrderNode>, AppError> {
    let sold = sold_nodes(conn, order.id)?;
    let current = current_ids(conn, order, &sold)?;
    let rows = load_nodes(conn, &current, lock)?;
    let is_renewal = order.kind == OrderKind::Renewal;
    let mut found = Vec::with_capacity(sold.len());
    for ((sold_id, net, starts_at, ends_at), current_id) in sold.into_iter().zip(current) {
        let (Some(starts_at), Some(ends_at), Some(row)) = (starts_at, ends_at, rows.get(&current_id)) else { continue };
        let is_of_order = if is_renewal { row.assigned_at <= order.paid_at } else { row.assigned_at == order.paid_at };
        let Some(expires_at) = row.expires_at.filter(|_| row.account_id == Some(order.account_id) && is_of_order)
        else {
            continue;
        };
        let row = row.clone();
        found.push(OrderNode {
            sold_id,
            current_id,
            net: Money::from_minor(net),
            ip: row.ip,
            country: row.country,
            city: row.city,
            label_en: row.label_en,
            label_zh: row.label_zh,
            after: node_after_refund(starts_at, ends_at, expires_at, now),
            unused_seconds: unused_seconds(starts_at, ends_at, now),
        });
    }
    Ok(found)
}

/// Nodes of a renewal that are gone: all of their time is unused.
pub fn undelivered_nodes(
    conn: &mut Conn,
    order: &OrderRow,
    ids: &[i64],
    period_seconds: u32,
) -> Result<Vec<OrderNode>, AppError> {
    // Only needed for refunds that are executed, not previewed.
    let rows = load_nodes(conn, ids, RowLock::ForUpdate)?;
    let nets: HashMap<i64, i64> = sold_nodes(conn, order.id)?.into_iter().map(|sold| (sold.0, sold.1)).collect();
    let node = |id: &i64| {
        let (row, net) =
            rows.get(id).zip(nets.get(id)).ok_or_else(|| AppError::internal("a node is not of its order"))?;
        let row = row.clone();
        Ok(OrderNode {
            sold_id: *id,
            current_id: *id,
            net: Money::from_minor(*net),
            ip: row.ip,
            country: row.country,
            city: row.city,
            label_en: row.label_en,
            label_zh: row.label_zh,
            after: None,
            unused_seconds: period_seconds,
        })
    };
    ids.iter().map(node).collect()
}
