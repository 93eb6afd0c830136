//! Switching: another node takes the place of one, with its end, group, note and credentials; the old one rests.
use super::queries::catalogue;
use super::selection::NodeSelection;
use crate::answer::{Answer, Answered, answer};
use crate::db::Conn;
use crate::error::AppError;
use crate::orders::fulfil::pay_from_wallet;
use crate::orders::queries::{self as orders, NewLine, NewOrder};
use crate::request::{SignedIn, Write, once};
use crate::schema::{node_switches, nodes, order_nodes};
use crate::security::SecretKey;
use crate::state::App;
use crate::wallet::ledger::lock_wallet;
use actix_web::{post, web};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use postern_core::code::Code;
use postern_core::forms::nodes::validate_switch_reason;
use postern_core::money::Money;
use postern_core::node::{NodeState, QUARANTINE_HOURS, masked_ip};
use postern_core::order::{HOLD_MINUTES, OrderKind};
use postern_core::switch::{
    MAX_SWITCHES, QUOTA_DAYS, SwitchMode, SwitchQuota, SwitchRequest, cool_down, price_switch, switch_quota,
};
use postern_core::tier::Catalogue;
use postern_core::time::to_wire;
use postern_core::validate::FieldErrors;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct SwitchNodes {
    #[serde(flatten)]
    pub nodes: NodeSelection,
    #[schema(required = false)]
    pub reason: String,
    /// Only tells what would happen.
    #[schema(required = false)]
    pub dry_run: bool,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SpecifySwitch {
    pub node_id: i64,
    /// One of `Ips/GetMyPurchasableNodeList`, of the same tier.
    pub new_node_id: i64,
    #[serde(default)]
    #[schema(required = false)]
    pub reason: String,
    #[serde(default)]
    #[schema(required = false)]
    pub dry_run: bool,
}

/// What a switch did, or would do. New addresses are shown in full once they are the customer's.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SwitchResult {
    pub dry_run: bool,
    pub mode: SwitchMode,
    pub items: Vec<SwitchItem>,
    #[schema(value_type = String)]
    pub total: Money,
    pub currency: String,
    /// The free switches of the plan of the first node, after this.
    pub quota: SwitchQuota,
    #[schema(value_type = String)]
    pub balance: Money,
    #[schema(value_type = String)]
    pub balance_after: Money,
}

/// One node's switch. `Code` is 1000 when it succeeds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SwitchItem {
    pub node_id: i64,
    pub code: u32,
    pub old_ip: Option<String>,
    pub new_ip: Option<String>,
    pub country: Option<String>,
    pub city: Option<String>,
    pub isp: Option<String>,
    pub uses_quota: bool,
    #[schema(value_type = String)]
    pub price: Money,
}

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config.service(switch_node).service(switch_node_by_unit_price).service(my_specify_switch_node);
}

type AppData = web::Data<App>;

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = nodes)]
struct OldNode {
    id: i64,
    ip: String,
    country: String,
    city: String,
    ver_str: String,
    state: String,
    plan_id: Option<i64>,
    group_id: Option<i64>,
    user_name: Option<String>,
    password_sealed: Option<String>,
    old_user_name: Option<String>,
    old_password_sealed: Option<String>,
    old_valid_until: Option<NaiveDateTime>,
    note: String,
    auto_renew: bool,
    period_days: Option<i32>,
    next_renewal_at: Option<NaiveDateTime>,
    next_reminder_at: Option<NaiveDateTime>,
    switched_at: Option<NaiveDateTime>,
    assigned_at: Option<NaiveDateTime>,
    expires_at: Option<NaiveDateTime>,
}

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = nodes)]
struct NewNode {
    id: i64,
    ip: String,
    isp: String,
    country: String,
    city: String,
    ver_str: String,
}

/// One switch that can be made.
struct Planned {
    old: OldNode,
    new: NewNode,
    price: Money,
    uses_quota: bool,
}

/// Which of the switches asked for can be made, and why the others cannot.
#[derive(Default)]
struct Plan {
    planned: Vec<Planned>,
    refused: Vec<(OldNode, Code)>,
}

fn load_old(conn: &mut Conn, account_id: i64, ids: &[i64]) -> Result<Vec<OldNode>, AppError> {
    let own = nodes::table.filter(nodes::id.eq_any(ids)).filter(nodes::account_id.eq(account_id)).order(nodes::id);
    if let Conn::Postgres(conn) = &mut *conn {
        own.clone().select(nodes::id).for_update().load::<i64>(conn)?;
    }
    Ok(own.select(OldNode::as_select()).load(conn)?)
}

/// The free switches of the account's plan of a tier.
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

/// The node that the customer picked, if it is for sale.
fn take_picked(conn: &mut Conn, node_id: i64) -> Result<Option<NewNode>, AppError> {
    let free = nodes::table.filter(nodes::id.eq(node_id)).filter(nodes::state.eq(NodeState::Available.as_str()));
    if let Conn::Postgres(conn) = &mut *conn {
        free.select(nodes::id).for_update().load::<i64>(conn)?;
    }
    Ok(free.select(NewNode::as_select()).first(conn).optional()?)
}

/// As many nodes of a city as are wanted, or as there are. Rows that somebody else is just taking are passed over.
fn take_from_shelf(conn: &mut Conn, like: &OldNode, wanted: i64) -> Result<Vec<NewNode>, AppError> {
    let shelf = nodes::table
        .filter(nodes::state.eq(NodeState::Available.as_str()))
        .filter(nodes::ver_str.eq(&like.ver_str))
        .filter(nodes::country.eq(&like.country))
        .filter(nodes::city.eq(&like.city))
        .order(nodes::id)
        .limit(wanted)
        .select(nodes::id);
    let ids: Vec<i64> = match &mut *conn {
        Conn::Postgres(conn) => shelf.for_update().skip_locked().load(conn)?,
        Conn::Sqlite(conn) => shelf.load(conn)?,
    };
    let taken = nodes::table.filter(nodes::id.eq_any(ids)).order(nodes::id);
    Ok(taken.select(NewNode::as_select()).load(conn)?)
}

struct Switching<'a> {
    account_id: i64,
    user_id: i64,
    mode: SwitchMode,
    reason: &'a str,
    now: NaiveDateTime,
}

/// Which switches can be made, and why the others cannot.
fn plan(
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
            let taken = take_from_shelf(conn, old, i64::try_from(wanted.count()).unwrap_or(i64::MAX))?;
            shelves.insert(shelf, taken.into_iter().rev().collect());
        }
        if !quotas.contains_key(&old.ver_str) {
            quotas.insert(old.ver_str.clone(), quota_of(conn, switching.account_id, &old.ver_str, now)?);
        }
    }
    for old in old_nodes {
        if cool_down(old.switched_at, now).is_some() {
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
            Ok(_) if old.state != NodeState::Assigned.as_str() => Err(Code::StateForbids),
            Ok(price) => Ok(price),
            Err(error) => Err(error.code()),
        };
        let new = match picked {
            Some(node_id) => take_picked(conn, node_id)?,
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
                    quota.left = quota.left.saturating_sub(1);
                    quota.used = quota.used.saturating_add(1);
                }
                plan.planned.push(Planned { old, new, price: price.cost, uses_quota: price.uses_quota });
            }
        }
    }
    Ok(plan)
}

/// Charges what the switches cost, through an order of their own. Returns the order's id, or none when they are free.
fn charge(
    conn: &mut Conn,
    key: &SecretKey,
    switching: &Switching,
    planned: &[Planned],
    shop: &Catalogue,
    total: Money,
) -> Result<Option<i64>, AppError> {
    if total.is_zero() {
        return Ok(None);
    }
    let paid: Vec<&Planned> = planned.iter().filter(|one| !one.price.is_zero()).collect();
    let mut by_tier: BTreeMap<&str, Vec<&Planned>> = BTreeMap::new();
    for one in &paid {
        by_tier.entry(&one.old.ver_str).or_default().push(one);
    }
    let mut lines = Vec::new();
    for (ver_str, switches) in &by_tier {
        let amount = Money::sum(switches.iter().map(|one| one.price))?;
        lines.push(NewLine {
            ver_str,
            place: None,
            quantity: u32::try_from(switches.len()).unwrap_or(u32::MAX),
            unit_price: switches[0].price,
            amount,
            net: amount,
        });
    }
    let new = NewOrder {
        account_id: switching.account_id,
        kind: OrderKind::Switch,
        currency: shop.currency,
        ver_str: (by_tier.len() == 1).then(|| paid[0].old.ver_str.as_str()),
        period_days: None,
        subtotal: total,
        discounts: &[],
        coupon: None,
        total,
        expires_at: switching.now + TimeDelta::minutes(HOLD_MINUTES),
    };
    let order = orders::insert(conn, &new, &lines, switching.now)?;
    for one in paid {
        let row = (
            order_nodes::order_id.eq(order.id),
            order_nodes::node_id.eq(one.new.id),
            order_nodes::net_minor.eq(one.price.minor()),
        );
        diesel::insert_into(order_nodes::table).values(row).execute(conn)?;
    }
    pay_from_wallet(conn, key, &order, switching.now)?;
    Ok(Some(order.id))
}

/// Puts the new node in the place of the old one, and records it.
fn carry_out(
    conn: &mut Conn,
    switching: &Switching,
    one: &Planned,
    order_id: Option<i64>,
    currency: &str,
) -> Result<(), AppError> {
    let (old, now) = (&one.old, switching.now);
    let free = nodes::table.filter(nodes::id.eq(one.new.id)).filter(nodes::state.eq(NodeState::Available.as_str()));
    let taken = diesel::update(free)
        .set((
            nodes::state.eq(NodeState::Assigned.as_str()),
            nodes::account_id.eq(switching.account_id),
            nodes::plan_id.eq(old.plan_id),
            nodes::group_id.eq(old.group_id),
            nodes::user_name.eq(&old.user_name),
            nodes::password_sealed.eq(&old.password_sealed),
            nodes::old_user_name.eq(&old.old_user_name),
            nodes::old_password_sealed.eq(&old.old_password_sealed),
            nodes::old_valid_until.eq(old.old_valid_until),
            nodes::note.eq(&old.note),
            nodes::auto_renew.eq(old.auto_renew),
            nodes::period_days.eq(old.period_days),
            nodes::next_renewal_at.eq(old.next_renewal_at),
            nodes::next_reminder_at.eq(old.next_reminder_at),
            nodes::assigned_at.eq(old.assigned_at),
            nodes::expires_at.eq(old.expires_at),
            nodes::switched_at.eq(now),
        ))
        .execute(conn)?;
    if taken != 1 {
        return Err(AppError::internal("a node was taken while it was locked"));
    }
    release(conn, &[old.id], now)?;
    diesel::insert_into(node_switches::table)
        .values((
            node_switches::account_id.eq(switching.account_id),
            node_switches::user_id.eq(switching.user_id),
            node_switches::old_node_id.eq(old.id),
            node_switches::new_node_id.eq(one.new.id),
            node_switches::old_ip.eq(&old.ip),
            node_switches::new_ip.eq(&one.new.ip),
            node_switches::country.eq(&one.new.country),
            node_switches::city.eq(&one.new.city),
            node_switches::ver_str.eq(&old.ver_str),
            node_switches::mode.eq(switching.mode.as_str()),
            node_switches::uses_quota.eq(one.uses_quota),
            node_switches::reason.eq(switching.reason),
            node_switches::cost_minor.eq(one.price.minor()),
            node_switches::currency.eq(currency),
            node_switches::order_id.eq(order_id),
            node_switches::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Takes nodes from their owner and lets them rest. Nothing of the owner stays with them.
pub fn release(conn: &mut Conn, ids: &[i64], now: NaiveDateTime) -> Result<(), AppError> {
    diesel::update(nodes::table.filter(nodes::id.eq_any(ids)))
        .set((
            nodes::state.eq(NodeState::Quarantined.as_str()),
            nodes::free_at.eq(now + TimeDelta::hours(QUARANTINE_HOURS)),
            nodes::account_id.eq(None::<i64>),
            nodes::plan_id.eq(None::<i64>),
            nodes::group_id.eq(None::<i64>),
            nodes::user_name.eq(None::<String>),
            nodes::password_sealed.eq(None::<String>),
            nodes::old_user_name.eq(None::<String>),
            nodes::old_password_sealed.eq(None::<String>),
            nodes::old_valid_until.eq(None::<NaiveDateTime>),
            nodes::note.eq(""),
            nodes::auto_renew.eq(false),
            nodes::period_days.eq(None::<i32>),
            nodes::next_renewal_at.eq(None::<NaiveDateTime>),
            nodes::next_reminder_at.eq(None::<NaiveDateTime>),
            nodes::switched_at.eq(None::<NaiveDateTime>),
            nodes::assigned_at.eq(None::<NaiveDateTime>),
            nodes::expires_at.eq(None::<NaiveDateTime>),
        ))
        .execute(conn)?;
    Ok(())
}

fn item(old: &OldNode, code: Code) -> SwitchItem {
    SwitchItem {
        node_id: old.id,
        code: code.number(),
        old_ip: Some(old.ip.clone()),
        new_ip: None,
        country: Some(old.country.clone()),
        city: Some(old.city.clone()),
        isp: None,
        uses_quota: false,
        price: Money::ZERO,
    }
}

/// Refuses a call that can switch nothing, with the reason of its first node.
fn refuse(old: &OldNode, code: Code, quota: &SwitchQuota, now: NaiveDateTime) -> AppError {
    match code {
        Code::SwitchQuotaUsed => {
            let resets_at = quota.resets_at.map(to_wire);
            AppError::with(code, json!({ "Limit": quota.limit, "Used": quota.used, "ResetsAt": resets_at }))
        }
        Code::OutOfStock => AppError::with(code, json!({ "Available": 0, "Country": old.country, "City": old.city })),
        Code::TooManyRequests => {
            let wait = cool_down(old.switched_at, now).map_or(0, |wait| wait.num_milliseconds());
            AppError::with(code, json!({ "RetryAfterMs": wait }))
        }
        Code::StateForbids => AppError::state_forbids(&old.state),
        other => AppError::code(other),
    }
}

fn switch(
    conn: &mut Conn,
    key: &SecretKey,
    switching: &Switching,
    selection: &NodeSelection,
    picked: Option<i64>,
    dry_run: bool,
) -> Result<SwitchResult, AppError> {
    let now = switching.now;
    let balance = lock_wallet(conn, switching.account_id)?.balance;
    let selected = selection.resolve(conn, switching.account_id, now)?;
    if selected.ids.len() > MAX_SWITCHES {
        return Err(FieldErrors::one("NodeIds", "tooManyNodes", &[("Max", MAX_SWITCHES.to_string())]).into());
    }
    let shop = catalogue(conn)?;
    let old_nodes = load_old(conn, switching.account_id, &selected.ids)?;
    let ver_str = old_nodes.first().map(|old| old.ver_str.clone()).ok_or_else(|| AppError::code(Code::NotFound))?;
    let Plan { planned, refused } = plan(conn, switching, old_nodes, picked, &shop)?;
    if let (true, Some((old, code))) = (planned.is_empty(), refused.first()) {
        return Err(refuse(old, *code, &quota_of(conn, switching.account_id, &ver_str, now)?, now));
    }
    let total = Money::sum(planned.iter().map(|one| one.price))?;
    let balance_after = balance.checked_sub(total)?;
    let used = planned.iter().filter(|one| one.uses_quota && one.old.ver_str == ver_str).count();
    if !dry_run {
        if balance_after.is_negative() {
            return Err(AppError::balance_too_low(balance, total));
        }
        let order_id = charge(conn, key, switching, &planned, &shop, total)?;
        for one in &planned {
            carry_out(conn, switching, one, order_id.filter(|_| !one.price.is_zero()), shop.currency.code())?;
        }
    }
    let mut quota = quota_of(conn, switching.account_id, &ver_str, now)?;
    if dry_run {
        quota.used = quota.used.saturating_add(u32::try_from(used).unwrap_or(u32::MAX));
        quota.left = quota.limit.saturating_sub(quota.used);
    }
    let mut items: Vec<SwitchItem> = planned
        .into_iter()
        .map(|one| SwitchItem {
            new_ip: Some(if dry_run { masked_ip(&one.new.ip) } else { one.new.ip }),
            country: Some(one.new.country),
            city: Some(one.new.city),
            isp: Some(one.new.isp),
            uses_quota: one.uses_quota,
            price: one.price,
            ..item(&one.old, Code::Success)
        })
        .collect();
    items.extend(refused.iter().map(|(old, code)| item(old, *code)));
    items.sort_by_key(|item| item.node_id);
    items.extend(selected.failed.into_iter().map(|failed| SwitchItem {
        node_id: failed.node_id,
        code: failed.code,
        old_ip: failed.ip,
        new_ip: None,
        country: None,
        city: None,
        isp: None,
        uses_quota: false,
        price: Money::ZERO,
    }));
    Ok(SwitchResult {
        dry_run,
        mode: switching.mode,
        items,
        total,
        currency: shop.currency.code().to_owned(),
        quota,
        balance,
        balance_after,
    })
}

async fn switch_selected(app: AppData, who: SignedIn, write: Write<SwitchNodes>, mode: SwitchMode) -> Answered<Value> {
    let reason = validate_switch_reason(&write.body.reason)?;
    let (now, key) = (app.clock.now(), app.key.clone());
    let switched = app.db.write(move |conn| {
        let SwitchNodes { nodes, dry_run, .. } = &write.body;
        let switching = Switching { account_id: who.account_id, user_id: who.user_id, mode, reason: &reason, now };
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| switch(conn, &key, &switching, nodes, None, *dry_run))
    });
    answer(switched.await?)
}

/// Switches nodes for free, within the plan's quota: a tenth of its nodes in 30 days, at least one. The new ones are of the
/// same tier and city. 4003 when the quota is used up, 4002 when the city has no other, 4290 right after another switch.
#[utoipa::path(
    tag = "Ips", request_body = SwitchNodes, responses((status = 200, body = Answer<SwitchResult>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/Ips/SwitchNode")]
async fn switch_node(app: AppData, who: SignedIn, write: Write<SwitchNodes>) -> Answered<Value> {
    switch_selected(app, who, write, SwitchMode::Quota).await
}

/// Switches nodes for their tier's price each, from the wallet. 4001 when it has too little; then nothing is switched.
#[utoipa::path(
    tag = "Ips", request_body = SwitchNodes, responses((status = 200, body = Answer<SwitchResult>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/Ips/SwitchNodeByUnitPrice")]
async fn switch_node_by_unit_price(app: AppData, who: SignedIn, write: Write<SwitchNodes>) -> Answered<Value> {
    switch_selected(app, who, write, SwitchMode::UnitPrice).await
}

/// Switches a node to the one that the customer picked: free while the quota lasts, then for the tier's price.
#[utoipa::path(
    tag = "Ips", request_body = SpecifySwitch, responses((status = 200, body = Answer<SwitchResult>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/Ips/MySpecifySwitchNode")]
async fn my_specify_switch_node(app: AppData, who: SignedIn, write: Write<SpecifySwitch>) -> Answered<Value> {
    let reason = validate_switch_reason(&write.body.reason)?;
    let (now, key) = (app.clock.now(), app.key.clone());
    let switched = app.db.write(move |conn| {
        let body = &write.body;
        let mode = SwitchMode::Specified;
        let switching = Switching { account_id: who.account_id, user_id: who.user_id, mode, reason: &reason, now };
        let selection = NodeSelection { node_ids: vec![body.node_id], ..NodeSelection::default() };
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            switch(conn, &key, &switching, &selection, Some(body.new_node_id), body.dry_run)
        })
    });
    answer(switched.await?)
}
