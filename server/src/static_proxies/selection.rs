//! Selections for bulk calls: listed ids, or everything that matches the proxy list's filter; and the result per node.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::nodes::CHUNK;
use crate::schema;
use crate::static_proxies::list;
use crate::static_proxies::types::NodeFilter;
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use utoipa::ToSchema;

/// Either `NodeIds`, or `All` with the filter and the search of the proxy list.
#[derive(Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct NodeSelection {
    #[schema(required = false)]
    pub node_ids: Vec<i64>,
    #[schema(required = false)]
    pub all: bool,
    #[schema(required = false)]
    pub filter: NodeFilter,
    #[schema(required = false)]
    pub search: String,
}

/// A node that was not changed, and why.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NodeResult {
    pub node_id: i64,
    /// The address, if the account owns or owned the node; otherwise not disclosed.
    pub ip: Option<String>,
    pub code: u32,
}

/// The result of a bulk call.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct BulkResult {
    pub changed: usize,
    pub failed: Vec<NodeResult>,
}

/// The account's nodes of a selection, ordered by id, and the listed ids that are not its own.
pub struct Selected {
    pub ids: Vec<i64>,
    pub failed: Vec<NodeResult>,
}

/// Failures with the same code for each of these nodes, with the addresses that the account may know.
pub fn failures(conn: &mut Conn, account_id: i64, ids: &[i64], code: Code) -> Result<Vec<NodeResult>, AppError> {
    let mut known = HashMap::new();
    for chunk in ids.chunks(CHUNK) {
        known.extend(known_addresses(conn, account_id, chunk)?);
    }
    let failure = |id: &i64| NodeResult { node_id: *id, ip: known.remove(id), code: code.number() };
    Ok(ids.iter().map(failure).collect())
}

/// Addresses of nodes that the account owns, bought, or received or returned in a switch.
fn known_addresses(conn: &mut Conn, account_id: i64, ids: &[i64]) -> Result<HashMap<i64, String>, AppError> {
    use schema::{node_switches, nodes, order_nodes, orders};
    let own = nodes::table.filter(nodes::id.eq_any(ids)).filter(nodes::account_id.eq(account_id));
    let mut known: Vec<(i64, String)> = own.select((nodes::id, nodes::ip)).load(conn)?;
    let bought = orders::table
        .inner_join(order_nodes::table.on(order_nodes::order_id.eq(orders::id)))
        .inner_join(nodes::table.on(nodes::id.eq(order_nodes::node_id)))
        .filter(orders::account_id.eq(account_id))
        .filter(order_nodes::node_id.eq_any(ids));
    known.extend(bought.select((nodes::id, nodes::ip)).load::<(i64, String)>(conn)?);
    let switched = node_switches::table.filter(node_switches::account_id.eq(account_id));
    let old = switched.filter(node_switches::old_node_id.eq_any(ids));
    known.extend(old.select((node_switches::old_node_id, node_switches::old_ip)).load::<(i64, String)>(conn)?);
    let new = switched.filter(node_switches::new_node_id.eq_any(ids));
    known.extend(new.select((node_switches::new_node_id, node_switches::new_ip)).load::<(i64, String)>(conn)?);
    Ok(known.into_iter().collect())
}

impl NodeSelection {
    pub fn resolve(&self, conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Selected, AppError> {
        if self.all {
            let ids = list::matching_ids(conn, account_id, &self.filter, &self.search, now)?;
            return Ok(Selected { ids, failed: Vec::new() });
        }
        if self.node_ids.is_empty() {
            return Err(FieldErrors::one("NodeIds", Rule::Required, &[]).into());
        }
        let named: HashSet<i64> = self.node_ids.iter().copied().collect();
        let mut ids: Vec<i64> = Vec::with_capacity(named.len());
        for chunk in named.iter().copied().collect::<Vec<_>>().chunks(CHUNK) {
            use schema::nodes::dsl;
            let own = dsl::nodes.filter(dsl::id.eq_any(chunk)).filter(dsl::account_id.eq(account_id));
            ids.extend(own.select(dsl::id).load::<i64>(conn)?);
        }
        ids.sort_unstable();
        let own: HashSet<i64> = ids.iter().copied().collect();
        let mut foreign: Vec<i64> = named.difference(&own).copied().collect();
        foreign.sort_unstable();
        let failed = failures(conn, account_id, &foreign, Code::NotFound)?;
        Ok(Selected { ids, failed })
    }
}
