//! One proxy with its history: the orders that paid for it, and the addresses that it replaced.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::schema::{node_switches, nodes, order_nodes, orders};
use crate::state::App;
use crate::static_proxies::list;
use crate::static_proxies::types::OwnedNode;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::money::{Currency, Money};
use postern_core::node::NodeHistoryKind;
use postern_core::order::OrderKind;
use postern_core::switch::SwitchMode;
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum number of events in a history.
const MOST_EVENTS: usize = 200;

/// Maximum number of replaced addresses that a history includes.
const MOST_ADDRESSES: usize = 50;

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct NodeToRead {
    pub node_id: i64,
}

/// A purchase, renewal or switch of a proxy.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NodeHistoryEntry {
    pub kind: NodeHistoryKind,
    pub at: String,
    /// The address of the proxy at that time; for a switch, the new one.
    pub ip: String,
    /// The amount paid.
    pub amount: Money,
    pub currency: Currency,
    /// The order that paid for it. A free switch has none.
    pub order_id: Option<i64>,
    pub order_number: Option<String>,
    /// The end of the paid period; absent for a switch.
    pub ends_at: Option<String>,
    /// The address before a switch.
    pub old_ip: Option<String>,
    pub mode: Option<SwitchMode>,
    pub reason: Option<String>,
}

/// A proxy of the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NodeDetails {
    pub node: OwnedNode,
    /// Newest first; at most 200 events.
    pub history: Vec<NodeHistoryEntry>,
}

/// Returns one proxy of the account with its history. The history contains its purchase, its renewals, and the switches that led to its address,
/// including the purchases and renewals of the addresses it replaced.
#[utoipa::path(request_body = NodeToRead, responses((status = 200, body = Answer<NodeDetails>)))]
#[post("/Ips/GetUserNode")]
pub async fn get_user_node(app: web::Data<App>, who: SignedIn, Body(asked): Body<NodeToRead>) -> Answered<NodeDetails> {
    let key = app.key.clone();
    let details = app.db.read(move |conn| {
        let node =
            list::by_ids(conn, who.account_id, &[asked.node_id], &key)?.pop().ok_or(AppError::code(Code::NotFound))?;
        Ok(NodeDetails { node, history: history(conn, who.account_id, asked.node_id)? })
    });
    answer(details.await?)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = node_switches)]
struct Switch {
    id: i64,
    old_node_id: i64,
    old_ip: String,
    new_ip: String,
    mode: SwitchMode,
    reason: String,
    cost_minor: i64,
    currency: Currency,
    order_id: Option<i64>,
    created_at: NaiveDateTime,
}

/// The events of a node while the account had it, and those of the nodes that it replaced, each up to its replacement: the same address can be
/// assigned again later, in another proxy's place.
fn history(conn: &mut Conn, account_id: i64, node_id: i64) -> Result<Vec<NodeHistoryEntry>, AppError> {
    let mut events = Vec::new();
    let (mut node_id, mut before) = (node_id, i64::MAX);
    let mut until = None;
    for _ in 0..MOST_ADDRESSES {
        let switch: Option<(Switch, Option<String>)> = node_switches::table
            .left_join(orders::table.on(orders::id.nullable().eq(node_switches::order_id)))
            .filter(node_switches::account_id.eq(account_id))
            .filter(node_switches::new_node_id.eq(node_id))
            .filter(node_switches::id.lt(before))
            .order(node_switches::id.desc())
            .select((Switch::as_select(), orders::order_number.nullable()))
            .first(conn)
            .optional()?;
        let since = switch.as_ref().map(|(switch, _)| switch.created_at);
        events.extend(paid(conn, account_id, node_id, since, until)?);
        let Some((switch, order_number)) = switch else { break };
        (node_id, before, until) = (switch.old_node_id, switch.id, Some(switch.created_at));
        events.push(switched(switch, order_number));
        if events.len() >= MOST_EVENTS {
            break;
        }
    }
    events.truncate(MOST_EVENTS);
    Ok(events)
}

fn switched(switch: Switch, order_number: Option<String>) -> NodeHistoryEntry {
    NodeHistoryEntry {
        kind: NodeHistoryKind::Switched,
        at: to_wire(switch.created_at),
        ip: switch.new_ip,
        amount: Money::from_minor(switch.cost_minor),
        currency: switch.currency,
        order_id: switch.order_id,
        order_number,
        ends_at: None,
        old_ip: Some(switch.old_ip),
        mode: Some(switch.mode),
        reason: Some(switch.reason).filter(|reason| !reason.is_empty()),
    }
}

type Paid = (OrderKind, NaiveDateTime, String, i64, Currency, i64, String, Option<NaiveDateTime>);

/// The orders that paid for a node in a time range, newest first.
fn paid(
    conn: &mut Conn,
    account_id: i64,
    node_id: i64,
    since: Option<NaiveDateTime>,
    until: Option<NaiveDateTime>,
) -> Result<Vec<NodeHistoryEntry>, AppError> {
    let mut query = order_nodes::table
        .inner_join(orders::table.on(orders::id.eq(order_nodes::order_id)))
        .inner_join(nodes::table.on(nodes::id.eq(order_nodes::node_id)))
        .filter(order_nodes::node_id.eq(node_id))
        .filter(orders::account_id.eq(account_id))
        .filter(orders::kind.eq_any([OrderKind::Purchase, OrderKind::Renewal]))
        .filter(orders::paid_at.is_not_null())
        .filter(order_nodes::ends_at.is_not_null())
        .select((
            orders::kind,
            orders::paid_at.assume_not_null(),
            nodes::ip,
            order_nodes::net_minor,
            orders::currency,
            orders::id,
            orders::order_number,
            order_nodes::ends_at,
        ))
        .order((orders::paid_at.desc(), orders::id.desc()))
        .limit(i64::try_from(MOST_EVENTS).unwrap_or(i64::MAX))
        .into_boxed();
    if let Some(since) = since {
        query = query.filter(orders::paid_at.ge(since));
    }
    if let Some(until) = until {
        query = query.filter(orders::paid_at.le(until));
    }
    let event = |(kind, at, ip, amount, currency, order_id, order_number, ends_at): Paid| NodeHistoryEntry {
        kind: if kind == OrderKind::Renewal { NodeHistoryKind::Renewed } else { NodeHistoryKind::Bought },
        at: to_wire(at),
        ip,
        amount: Money::from_minor(amount),
        currency,
        order_id: Some(order_id),
        order_number: Some(order_number),
        ends_at: ends_at.map(to_wire),
        old_ip: None,
        mode: None,
        reason: None,
    };
    Ok(query.load::<Paid>(conn)?.into_iter().map(event).collect())
}
