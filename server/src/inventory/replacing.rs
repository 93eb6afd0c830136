//! Replaces a faulty node for its owner: at no cost, outside the customer's quota, with the reason in the switch records.
use crate::audit::{self, Actor, Entry};
use crate::catalogue::catalogue;
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::inventory::types::{NodeReplaced, ReplaceNode};
use crate::ledger::lock_wallet;
use crate::nodes::lifecycle;
use crate::schema::nodes;
use crate::static_proxies::switch_plan::{Planned, Switching, find_in_stock, find_picked, load_old};
use crate::static_proxies::switching::carry_out;
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::money::Money;
use postern_core::node::NodeState;
use postern_core::rule::Rule;
use postern_core::switch::SwitchMode;
use serde_json::json;

/// Replaces a node of a customer. Refused with 4002 if its city has no other node of the tier, at `NewNodeId` if that node is not in stock or of
/// another tier, and with 4005 if no customer has the node.
pub fn replace(
    conn: &mut Conn,
    wanted: &ReplaceNode,
    reason: &str,
    (user_id, actor): (i64, &Actor),
    now: NaiveDateTime,
) -> Result<NodeReplaced, AppError> {
    let row = nodes::table.find(wanted.node_id).select((nodes::account_id, nodes::state));
    let (account_id, state): (Option<i64>, NodeState) =
        row.first(conn).optional()?.ok_or_else(|| AppError::code(Code::NotFound))?;
    let account_id = account_id.ok_or_else(|| AppError::state_forbids(state.as_str()))?;
    // The same order of locks as a switch by the customer.
    lock_wallet(conn, account_id)?;
    let old = load_old(conn, account_id, &[wanted.node_id], RowLock::ForUpdate)?.pop();
    let old = old.ok_or_else(AppError::concurrent_change)?;
    if old.state != NodeState::Assigned {
        return Err(AppError::state_forbids(old.state.as_str()));
    }
    let new = match wanted.new_node_id {
        Some(id) => {
            let picked = find_picked(conn, id, RowLock::ForUpdate)?.filter(|new| new.ver_str == old.ver_str);
            picked.ok_or_else(|| FieldErrors::one("NewNodeId", Rule::NotInStock, &[]))?
        }
        None => find_in_stock(conn, &old, 1, RowLock::ForUpdate)?.pop().ok_or_else(|| {
            AppError::with(Code::OutOfStock, json!({ "Available": 0, "Country": old.country, "City": old.city }))
        })?,
    };
    let switching = Switching {
        account_id,
        user_id,
        person: None,
        mode: SwitchMode::Replaced,
        reason: reason.to_owned(),
        tells_balance: false,
        lock: RowLock::ForUpdate,
        now,
    };
    let one = Planned { old, new, price: Money::ZERO, uses_quota: false };
    let currency = catalogue(conn)?.currency;
    carry_out(conn, &switching, &one, None, currency)?;
    if wanted.retire {
        lifecycle::retire(conn, &[one.old.id])?;
    }
    let change =
        AuditChange { field: AuditField::Ip, before: Some(one.old.ip.clone()), after: Some(one.new.ip.clone()) };
    let retired = wanted.retire.then(|| AuditChange::new(AuditField::Value, NodeState::Retired.as_str()));
    let entry = Entry::new(AuditAction::NodeReplaced).account(account_id).subject(&one.old.ip).reason(reason);
    audit::record(conn, actor, entry.changes([change]).changes(retired), now)?;
    Ok(NodeReplaced {
        account_id,
        old_node_id: one.old.id,
        old_ip: one.old.ip,
        new_node_id: one.new.id,
        new_ip: one.new.ip,
    })
}
