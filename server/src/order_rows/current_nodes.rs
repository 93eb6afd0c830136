//! The nodes of an order as of now: replaced ones are followed to their replacements, and those that the account no longer has are marked. The
//! order, the proxy list and refunds all ask here.
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::order_rows::rows::OrderRow;
use crate::order_rows::types::ReplacementView;
use crate::schema::{node_switches, nodes, order_nodes, orders};
use chrono::NaiveDateTime;
use postern_core::order::OrderKind;
use postern_core::switch::follow_switches;
use postern_core::time::to_wire;
use std::collections::HashMap;

const CHUNK: usize = 1_000;

/// A node that an order sold, extended or charged for, and its current replacement.
pub struct CurrentNode {
    pub sold_id: i64,
    pub net_minor: i64,
    /// The paid period; absent for a switch, and for a node that a renewal could not extend.
    pub period: Option<(NaiveDateTime, NaiveDateTime)>,
    /// The switches that led to the current node, in order.
    pub replacements: Vec<ReplacementView>,
    pub current: NodeRow,
    /// Whether the account has the current node through this order. A node released and bought again belongs to the later order.
    pub is_owned: bool,
}

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = nodes)]
pub struct NodeRow {
    pub id: i64,
    pub ip: String,
    pub country: String,
    pub city: String,
    pub ver_str: String,
    pub account_id: Option<i64>,
    pub assigned_at: Option<NaiveDateTime>,
    pub expires_at: Option<NaiveDateTime>,
}

/// Nodes by their ids.
pub fn load_nodes(conn: &mut Conn, ids: &[i64], lock: RowLock) -> Result<HashMap<i64, NodeRow>, AppError> {
    let mut found = HashMap::with_capacity(ids.len());
    for chunk in ids.chunks(CHUNK) {
        let these = nodes::table.filter(nodes::id.eq_any(chunk));
        if let (Conn::Postgres(conn), RowLock::ForUpdate) = (&mut *conn, lock) {
            these.clone().select(nodes::id).order(nodes::id).for_update().load::<i64>(conn)?;
        }
        let rows: Vec<NodeRow> = these.select(NodeRow::as_select()).load(conn)?;
        found.extend(rows.into_iter().map(|row| (row.id, row)));
    }
    Ok(found)
}

struct Switch {
    old_id: i64,
    new_id: i64,
    view: ReplacementView,
}

/// The account's switches since the order was paid, oldest first, or those that the order itself charged for.
fn switches(conn: &mut Conn, order: &OrderRow, of_order: bool) -> Result<Vec<Switch>, AppError> {
    let mut query = node_switches::table
        .filter(node_switches::account_id.eq(order.account_id))
        .filter(node_switches::created_at.ge(order.paid_at.unwrap_or(order.created_at)))
        .order(node_switches::id)
        .select((
            node_switches::old_node_id,
            node_switches::new_node_id,
            node_switches::old_ip,
            node_switches::new_ip,
            node_switches::created_at,
        ))
        .into_boxed();
    if of_order {
        query = query.filter(node_switches::order_id.eq(order.id));
    }
    let rows: Vec<(i64, i64, String, String, NaiveDateTime)> = query.load(conn)?;
    let switch = |(old_id, new_id, old_ip, new_ip, at)| Switch {
        old_id,
        new_id,
        view: ReplacementView { old_ip, new_ip, at: to_wire(at) },
    };
    Ok(rows.into_iter().map(switch).collect())
}

/// The nodes of an order; the first ones only, if there is a limit.
pub fn current_nodes(
    conn: &mut Conn,
    order: &OrderRow,
    limit: Option<i64>,
    lock: RowLock,
) -> Result<Vec<CurrentNode>, AppError> {
    type Sold = (i64, i64, Option<NaiveDateTime>, Option<NaiveDateTime>);
    let mut query = order_nodes::table
        .filter(order_nodes::order_id.eq(order.id))
        .order(order_nodes::node_id)
        .select((order_nodes::node_id, order_nodes::net_minor, order_nodes::starts_at, order_nodes::ends_at))
        .into_boxed();
    if let Some(limit) = limit {
        query = query.limit(limit);
    }
    let sold: Vec<Sold> = query.load(conn)?;
    let switches = switches(conn, order, false)?;
    let pairs: Vec<(i64, i64)> = switches.iter().map(|switch| (switch.old_id, switch.new_id)).collect();
    let sold_ids: Vec<i64> = sold.iter().map(|row| row.0).collect();
    let steps = follow_switches(&sold_ids, &pairs);
    let id_after = |sold_id: i64, steps: &[usize]| steps.last().map_or(sold_id, |step| switches[*step].new_id);
    let current_ids: Vec<i64> = sold_ids.iter().zip(&steps).map(|(sold, steps)| id_after(*sold, steps)).collect();
    let rows = load_nodes(conn, &current_ids, lock)?;
    let mut found = Vec::with_capacity(sold.len());
    for (((sold_id, net_minor, starts_at, ends_at), steps), current_id) in sold.into_iter().zip(steps).zip(current_ids)
    {
        let Some(current) = rows.get(&current_id).cloned() else { continue };
        let is_of_order = match order.kind {
            OrderKind::Renewal | OrderKind::Switch => current.assigned_at <= order.paid_at,
            OrderKind::Purchase | OrderKind::TopUp => current.assigned_at == order.paid_at,
        };
        found.push(CurrentNode {
            sold_id,
            net_minor,
            period: starts_at.zip(ends_at),
            replacements: steps.into_iter().map(|step| switches[step].view.clone()).collect(),
            is_owned: current.account_id == Some(order.account_id) && is_of_order,
            current,
        });
    }
    Ok(found)
}

/// The nodes that the account still has of its order with this number; none if it has no such order.
pub fn owned_ids(conn: &mut Conn, account_id: i64, order_number: &str) -> Result<Vec<i64>, AppError> {
    let order: Option<OrderRow> = orders::table
        .filter(orders::order_number.eq(order_number))
        .filter(orders::account_id.eq(account_id))
        .select(OrderRow::as_select())
        .first(conn)
        .optional()?;
    let Some(order) = order else { return Ok(Vec::new()) };
    let owned = current_nodes(conn, &order, None, RowLock::None)?.into_iter().filter(|node| node.is_owned);
    Ok(owned.map(|node| node.current.id).collect())
}

/// What replaced what since an order, oldest first: its nodes, and for an order of switches what it charged for.
pub fn replacements(
    conn: &mut Conn,
    order: &OrderRow,
    nodes: &[CurrentNode],
) -> Result<Vec<ReplacementView>, AppError> {
    let mut all: Vec<ReplacementView> = match order.kind {
        OrderKind::Switch => switches(conn, order, true)?.into_iter().map(|switch| switch.view).collect(),
        OrderKind::Purchase | OrderKind::Renewal | OrderKind::TopUp => Vec::new(),
    };
    all.extend(nodes.iter().flat_map(|node| node.replacements.iter().cloned()));
    all.sort_by(|one, other| one.at.cmp(&other.at));
    Ok(all)
}
