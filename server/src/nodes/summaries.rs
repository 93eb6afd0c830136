//! What an account owns, summarised per product by core.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{nodes, plans};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::{count, min};
use postern_core::constants::ENDS_SOON_DAYS;
use postern_core::node::NodeState;
use postern_core::product_summary::{NodeGroup, ProductSummary, summarise};
use std::collections::{BTreeMap, HashMap};

/// What an account owns of a tier: at least one node.
pub struct TierSummary {
    pub ver_str: String,
    pub node_type: i16,
    pub summary: ProductSummary,
}

/// The owned tiers, ordered by name.
pub fn tier_summaries(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<TierSummary>, AppError> {
    let settings: Vec<(String, bool)> =
        plans::table.filter(plans::account_id.eq(account_id)).select((plans::ver_str, plans::auto_renew)).load(conn)?;
    let settings: HashMap<String, bool> = settings.into_iter().collect();
    let tiers = groups(conn, account_id, now)?.into_iter().map(|((ver_str, node_type), groups)| {
        let next_ones_renew = settings.get(&ver_str).copied().unwrap_or_default();
        TierSummary { summary: summarise(&groups, next_ones_renew, now), ver_str, node_type }
    });
    Ok(tiers.collect())
}

/// The account's nodes by product, in groups. Nodes that expire later than soon are one group, however many expiries they have.
fn groups(
    conn: &mut Conn,
    account_id: i64,
    now: NaiveDateTime,
) -> Result<BTreeMap<(String, i16), Vec<NodeGroup>>, AppError> {
    let soon = now
        .checked_add_signed(TimeDelta::days(i64::from(ENDS_SOON_DAYS)))
        .ok_or_else(|| AppError::internal("the clock is too far ahead"))?;
    type Row = (String, i16, NodeState, bool, Option<NaiveDateTime>, i64);
    let key = (nodes::ver_str, nodes::node_type, nodes::state, nodes::auto_renew);
    let own = nodes::table.filter(nodes::account_id.eq(account_id));
    let later: Vec<Row> = own
        .filter(nodes::expires_at.gt(soon).or(nodes::expires_at.is_null()))
        .group_by(key)
        .select((
            nodes::ver_str,
            nodes::node_type,
            nodes::state,
            nodes::auto_renew,
            min(nodes::expires_at),
            count(nodes::id),
        ))
        .load(conn)?;
    let soon: Vec<Row> = own
        .filter(nodes::expires_at.le(soon))
        .group_by((nodes::ver_str, nodes::node_type, nodes::state, nodes::auto_renew, nodes::expires_at))
        .select((
            nodes::ver_str,
            nodes::node_type,
            nodes::state,
            nodes::auto_renew,
            nodes::expires_at,
            count(nodes::id),
        ))
        .load(conn)?;
    let mut tiers: BTreeMap<(String, i16), Vec<NodeGroup>> = BTreeMap::new();
    for (ver_str, node_type, state, auto_renew, expires_at, nodes) in later.into_iter().chain(soon) {
        let count = u32::try_from(nodes).map_err(|_| AppError::internal("too many nodes to count"))?;
        tiers.entry((ver_str, node_type)).or_default().push(NodeGroup { state, auto_renew, expires_at, count });
    }
    Ok(tiers)
}
