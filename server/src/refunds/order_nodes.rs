//! The nodes of an order for a refund: those that the account still has, and the price of each.
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::order_rows::current_nodes::{CurrentNode, NodeRow, current_nodes, load_nodes};
use crate::order_rows::rows::OrderRow;
use crate::schema::{order_nodes, tiers};
use chrono::NaiveDateTime;
use postern_core::money::Money;
use postern_core::refund::{NodeAfterRefund, node_after_refund, unused_seconds};
use std::collections::HashMap;

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

/// The labels of the tiers, in English and Chinese.
fn labels(conn: &mut Conn) -> Result<HashMap<String, (String, String)>, AppError> {
    let rows: Vec<(String, (String, String))> =
        tiers::table.select((tiers::ver_str, (tiers::label_en, tiers::label_zh))).load(conn)?;
    Ok(rows.into_iter().collect())
}

/// The nodes of an order that its account still owns through this order.
pub fn nodes_of(
    conn: &mut Conn,
    order: &OrderRow,
    lock: RowLock,
    now: NaiveDateTime,
) -> Result<Vec<OrderNode>, AppError> {
    let labels = labels(conn)?;
    let node = |node: CurrentNode| {
        let (starts_at, ends_at) = node.period?;
        let expires_at = node.current.expires_at.filter(|_| node.is_owned)?;
        let after = node_after_refund(starts_at, ends_at, expires_at, now);
        let unused_seconds = unused_seconds(starts_at, ends_at, now);
        Some(order_node(node.sold_id, node.net_minor, node.current, &labels, after, unused_seconds))
    };
    Ok(current_nodes(conn, order, None, lock)?.into_iter().filter_map(node).collect())
}

fn order_node(
    sold_id: i64,
    net_minor: i64,
    current: NodeRow,
    labels: &HashMap<String, (String, String)>,
    after: Option<NodeAfterRefund>,
    unused_seconds: u32,
) -> OrderNode {
    let (label_en, label_zh) = labels.get(&current.ver_str).cloned().unwrap_or_default();
    OrderNode {
        sold_id,
        current_id: current.id,
        net: Money::from_minor(net_minor),
        ip: current.ip,
        country: current.country,
        city: current.city,
        label_en,
        label_zh,
        after,
        unused_seconds,
    }
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
    let labels = labels(conn)?;
    let node = |id: &i64| {
        let (row, net) =
            rows.get(id).zip(nets.get(id)).ok_or_else(|| AppError::internal("a node is not of its order"))?;
        Ok(order_node(*id, *net, row.clone(), &labels, None, period_seconds))
    };
    ids.iter().map(node).collect()
}
