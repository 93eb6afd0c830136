//! Plans switches before anything is written: which node replaces which, and at what price.
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::schema::{node_switches, nodes};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::code::Code;
use postern_core::money::Money;
use postern_core::node::NodeState;
use postern_core::switch::{
    QUOTA_DAYS, SwitchMode, SwitchQuota, SwitchRequest, price_switch, remaining_cooldown, switch_quota,
};
use postern_core::tier::Catalogue;
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = nodes)]
pub struct OldNode {
    pub id: i64,
    pub ip: String,
    pub country: String,
    pub city: String,
    pub ver_str: String,
    pub state: NodeState,
    pub plan_id: Option<i64>,
    pub group_id: Option<i64>,
    pub user_name: Option<String>,
    pub password_sealed: Option<String>,
    pub old_user_name: Option<String>,
    pub old_password_sealed: Option<String>,
    pub old_valid_until: Option<NaiveDateTime>,
    pub note: String,
    pub auto_renew: bool,
    pub period_days: Option<i32>,
    pub next_renewal_at: Option<NaiveDateTime>,
    pub next_reminder_at: Option<NaiveDateTime>,
    pub switched_at: Option<NaiveDateTime>,
    pub assigned_at: Option<NaiveDateTime>,
    pub expires_at: Option<NaiveDateTime>,
}

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = nodes)]
pub struct NewNode {
    pub id: i64,
    pub ip: String,
    pub isp: String,
    pub country: String,
    pub city: String,
    pub ver_str: String,
}

/// A switch that is possible.
pub struct Planned {
    pub old: OldNode,
    pub new: NewNode,
    pub price: Money,
    pub uses_quota: bool,
}

/// The possible switches, and why the others are impossible.
#[derive(Default)]
pub struct Plan {
    pub planned: Vec<Planned>,
    pub refused: Vec<(OldNode, Code)>,
}

pub fn load_old(conn: &mut Conn, account_id: i64, ids: &[i64], lock: RowLock) -> Result<Vec<OldNode>, AppError> {
    let own = nodes::table.filter(nodes::id.eq_any(ids)).filter(nodes::account_id.eq(account_id)).order(nodes::id);
    if let (Conn::Postgres(conn), RowLock::ForUpdate) = (&mut *conn, lock) {
        own.clone().select(nodes::id).for_update().load::<i64>(conn)?;
    }
    Ok(own.select(OldNode::as_select()).load(conn)?)
}

/// The quota of free switches of the account's plan of a tier.
pub fn quota_of(conn: &mut Conn, account_id: i64, ver_str: &str, now: NaiveDateTime) -> Result<SwitchQuota, AppError> {
    let own = nodes::table.filter(nodes::account_id.eq(account_id)).filter(nodes::ver_str.eq(ver_str));
    let count: i64 = own.count().get_result(conn)?;
    let free: Vec<NaiveDateTime> = node_switches::table
        .filter(node_switches::account_id.eq(account_id))
        .filter(node_switches::created_at.gt(now - TimeDelta::days(QUOTA_DAYS)))
        .filter(node_switches::ver_str.eq(ver_str))
        .filter(node_switches::uses_quota.eq(true))
        .select(node_switches::created_at)
        .load(conn)?;
    Ok(switch_quota(u32::try_from(count).unwrap_or(u32::MAX), &free, now))
}

/// The node that the customer picked, if it is in stock.
pub fn find_picked(conn: &mut Conn, node_id: i64, lock: RowLock) -> Result<Option<NewNode>, AppError> {
    let free = nodes::table.filter(nodes::id.eq(node_id)).filter(nodes::state.eq(NodeState::Available));
    if let (Conn::Postgres(conn), RowLock::ForUpdate) = (&mut *conn, lock) {
        free.select(nodes::id).for_update().load::<i64>(conn)?;
    }
    Ok(free.select(NewNode::as_select()).first(conn).optional()?)
}

/// Up to this many nodes of a city in stock. Rows locked by other transactions are skipped.
pub fn find_in_stock(conn: &mut Conn, like: &OldNode, wanted: i64, lock: RowLock) -> Result<Vec<NewNode>, AppError> {
    let shelf = nodes::table
        .filter(nodes::state.eq(NodeState::Available))
        .filter(nodes::ver_str.eq(&like.ver_str))
        .filter(nodes::country.eq(&like.country))
        .filter(nodes::city.eq(&like.city))
        .order(nodes::id)
        .limit(wanted)
        .select(nodes::id);
    let ids: Vec<i64> = match (&mut *conn, lock) {
        (Conn::Postgres(conn), RowLock::ForUpdate) => shelf.for_update().skip_locked().load(conn)?,
        (conn, _) => shelf.load(conn)?,
    };
    let found = nodes::table.filter(nodes::id.eq_any(ids)).order(nodes::id);
    Ok(found.select(NewNode::as_select()).load(conn)?)
}

/// The account, the mode and the reason of a switch.
pub struct Switching {
    pub account_id: i64,
    pub user_id: i64,
    /// The user, if the request is made in person.
    pub person: Option<i64>,
    pub mode: SwitchMode,
    pub reason: String,
    /// Whether the result tells the wallet's balance.
    pub tells_balance: bool,
    /// A preview locks nothing.
    pub lock: RowLock,
    pub now: NaiveDateTime,
}

/// Plans the switches: which are possible, and why the others are not.
pub fn plan(
    conn: &mut Conn,
    switching: &Switching,
    old_nodes: Vec<OldNode>,
    picked: Option<i64>,
    shop: &Catalogue,
) -> Result<Plan, AppError> {
    let now = switching.now;
    let mut quotas: HashMap<String, SwitchQuota> = HashMap::new();
    let mut shelves: BTreeMap<(String, String, String), Vec<NewNode>> = BTreeMap::new();
    let mut plan = Plan::default();
    for old in &old_nodes {
        let shelf = (old.ver_str.clone(), old.country.clone(), old.city.clone());
        if picked.is_none() && !shelves.contains_key(&shelf) {
            let wanted = old_nodes
                .iter()
                .filter(|other| (&other.ver_str, &other.country, &other.city) == (&shelf.0, &shelf.1, &shelf.2));
            let wanted = i64::try_from(wanted.count()).unwrap_or(i64::MAX);
            let found = find_in_stock(conn, old, wanted, switching.lock)?;
            shelves.insert(shelf, found.into_iter().rev().collect());
        }
        if !quotas.contains_key(&old.ver_str) {
            quotas.insert(old.ver_str.clone(), quota_of(conn, switching.account_id, &old.ver_str, now)?);
        }
    }
    for old in old_nodes {
        if remaining_cooldown(old.switched_at, now).is_some() {
            plan.refused.push((old, Code::TooManyRequests));
            continue;
        }
        let tier = shop.tier(&old.ver_str).ok_or_else(|| AppError::internal("a node of an unknown tier"))?;
        let quota = quotas.get_mut(&old.ver_str).ok_or_else(|| AppError::internal("a plan without a quota"))?;
        let remaining = old.expires_at.map_or(0, |ends| (ends - now).num_seconds().max(0));
        let request = SwitchRequest {
            mode: switching.mode,
            quota_left: quota.left,
            old_price: tier.price,
            new_price: tier.price,
            remaining_seconds: u32::try_from(remaining).unwrap_or(u32::MAX),
            line_amount: tier.price,
            line_net: tier.price,
        };
        let price = match price_switch(&request) {
            Ok(_) if old.state != NodeState::Assigned => Err(Code::StateForbids),
            Ok(price) => Ok(price),
            Err(error) => Err(error.code()),
        };
        let new = match picked {
            Some(node_id) => find_picked(conn, node_id, switching.lock)?,
            None => {
                let shelf = (old.ver_str.clone(), old.country.clone(), old.city.clone());
                shelves.get_mut(&shelf).and_then(Vec::pop)
            }
        };
        match (price, new) {
            (Err(code), _) => plan.refused.push((old, code)),
            (Ok(_), None) => plan.refused.push((old, Code::OutOfStock)),
            (Ok(_), Some(new)) if new.ver_str != old.ver_str => plan.refused.push((old, Code::StateForbids)),
            (Ok(price), Some(new)) => {
                if price.uses_quota {
                    *quota = quota.after(1);
                }
                plan.planned.push(Planned { old, new, price: price.cost, uses_quota: price.uses_quota });
            }
        }
    }
    Ok(plan)
}
