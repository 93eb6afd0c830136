//! Node state changes that are due: from assigned to grace, from grace to quarantine, and from quarantine back to stock.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::nodes::lifecycle::{expire, free, release};
use crate::schema::nodes;
use crate::state::App;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::event::EventKind;
use postern_core::node::{GRACE_HOURS, NodeState};
use serde_json::json;
use std::collections::BTreeMap;

/// Expired grace periods handled per round; the next round takes the rest.
const MOST: i64 = 1_000;

/// Each step is one conditional update, so a second process finds nothing left to do.
pub async fn move_on(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    if app.db.read(move |conn| has_due(conn, now)).await? {
        app.db.write(move |conn| move_all(conn, now)).await?;
    }
    Ok(())
}

fn has_due(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    let expired = nodes::table.filter(nodes::state.eq(NodeState::Assigned)).filter(nodes::expires_at.le(now));
    let over = now - TimeDelta::hours(GRACE_HOURS);
    let ungraced = nodes::table.filter(nodes::state.eq(NodeState::Grace)).filter(nodes::expires_at.le(over));
    let rested = nodes::table.filter(nodes::state.eq(NodeState::Quarantined)).filter(nodes::free_at.le(now));
    for query in [
        expired.select(nodes::id).into_boxed(),
        ungraced.select(nodes::id).into_boxed(),
        rested.select(nodes::id).into_boxed(),
    ] {
        if query.limit(1).first::<i64>(conn).optional()?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Makes all state changes that are due at this time.
pub fn move_all(conn: &mut Conn, now: NaiveDateTime) -> Result<(), AppError> {
    expire(conn, now)?;
    let over = now - TimeDelta::hours(GRACE_HOURS);
    let ungraced = nodes::table
        .filter(nodes::state.eq(NodeState::Grace))
        .filter(nodes::expires_at.le(over))
        .order(nodes::expires_at)
        .limit(MOST)
        .select((nodes::id, nodes::account_id));
    let ungraced: Vec<(i64, Option<i64>)> = ungraced.locked_if_free().load(conn)?;
    let ids: Vec<i64> = ungraced.iter().map(|node| node.0).collect();
    release(conn, &ids, now)?;
    free(conn, now)?;
    let mut ended: BTreeMap<i64, u32> = BTreeMap::new();
    for account_id in ungraced.into_iter().filter_map(|node| node.1) {
        *ended.entry(account_id).or_default() += 1;
    }
    for (account_id, count) in ended {
        events::record(conn, account_id, EventKind::ProxiesEnded, &json!({ "Count": count }), now)?;
    }
    Ok(())
}
