//! Switches: one node replaces another and takes over its expiry, group, note and credentials; the old one goes into quarantine.
use crate::catalogue::catalogue;
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::events;
use crate::fulfilment::fulfil::pay_from_wallet;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Repeat, SignedIn, Write, once};
use crate::ledger::{balance_of, lock_wallet};
use crate::nodes::lifecycle::{Replacement, release, replace};
use crate::order_rows::rows;
use crate::order_rows::rows::{NewLine, NewOrder, NodeChoices};
use crate::schema::{node_switches, order_nodes};
use crate::security::SecretKey;
use crate::state::App;
use crate::static_proxies::selection::NodeSelection;
use crate::static_proxies::switch_plan::{OldNode, Plan, Planned, Switching, load_old, plan, quota_of};
use actix_web::{post, web};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::calls::Scope;
use postern_core::code::Code;
use postern_core::event::EventKind;
use postern_core::field_errors::FieldErrors;
use postern_core::money::{Currency, Money};
use postern_core::node::masked_ip;
use postern_core::node_forms::validate_switch_reason;
use postern_core::order::{HOLD_MINUTES, OrderKind};
use postern_core::rule::Rule;
use postern_core::switch::{MAX_SWITCHES, SwitchMode, SwitchQuota, remaining_cooldown};
use postern_core::tier::Catalogue;
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct SwitchNodes {
    #[serde(flatten)]
    pub nodes: NodeSelection,
    #[schema(required = false)]
    pub reason: String,
    /// Only reports what would happen.
    #[schema(required = false)]
    pub dry_run: bool,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SpecifySwitch {
    pub node_id: i64,
    /// A node of the same tier, from `Ips/GetMyPurchasableNodeList`.
    pub new_node_id: i64,
    #[serde(default)]
    #[schema(required = false)]
    pub reason: String,
    #[serde(default)]
    #[schema(required = false)]
    pub dry_run: bool,
}

/// The result of a switch, or of its preview. New addresses are masked in a preview.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SwitchResult {
    pub dry_run: bool,
    pub mode: SwitchMode,
    pub items: Vec<SwitchItem>,
    pub total: Money,
    pub currency: Currency,
    /// The quota of free switches of the first node's plan, after this call.
    pub quota: SwitchQuota,
    /// Null for API keys without `billing:read`.
    pub balance: Option<Money>,
    /// Null for API keys without `billing:read`.
    pub balance_after: Option<Money>,
}

/// The switch of one node. `Code` is 1000 if it succeeds.
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
    pub price: Money,
}

type AppData = web::Data<App>;

/// Charges the price of the switches through an order of their own. Returns the order's id, or none if they are free.
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
        choices: NodeChoices::default(),
    };
    let order = rows::insert(conn, &new, &lines, switching.now)?;
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

/// Replaces the old node by the new one, and records the switch.
pub fn carry_out(
    conn: &mut Conn,
    switching: &Switching,
    one: &Planned,
    order_id: Option<i64>,
    currency: Currency,
) -> Result<(), AppError> {
    let (old, now) = (&one.old, switching.now);
    let succession = Replacement {
        account_id: Some(switching.account_id),
        plan_id: old.plan_id,
        group_id: old.group_id,
        user_name: old.user_name.as_deref(),
        password_sealed: old.password_sealed.as_deref(),
        old_user_name: old.old_user_name.as_deref(),
        old_password_sealed: old.old_password_sealed.as_deref(),
        old_valid_until: old.old_valid_until,
        note: &old.note,
        auto_renew: old.auto_renew,
        period_days: old.period_days,
        next_renewal_at: old.next_renewal_at,
        next_reminder_at: old.next_reminder_at,
        assigned_at: old.assigned_at,
        expires_at: old.expires_at,
        switched_at: Some(now),
    };
    replace(conn, one.new.id, &succession)?;
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
            node_switches::mode.eq(switching.mode),
            node_switches::uses_quota.eq(one.uses_quota),
            node_switches::reason.eq(&switching.reason),
            node_switches::cost_minor.eq(one.price.minor()),
            node_switches::currency.eq(currency),
            node_switches::order_id.eq(order_id),
            node_switches::created_at.eq(now),
        ))
        .execute(conn)?;
    let data = json!({ "OldIp": old.ip, "NewIp": one.new.ip });
    events::record(conn, switching.account_id, EventKind::ProxiesSwitched, &data, now)
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

/// Refuses a call that can switch no node, with the reason for its first node.
fn refuse(old: &OldNode, code: Code, quota: &SwitchQuota, now: NaiveDateTime) -> AppError {
    match code {
        Code::SwitchQuotaUsed => {
            let resets_at = quota.resets_at.map(to_wire);
            AppError::with(code, json!({ "Limit": quota.limit, "Used": quota.used, "ResetsAt": resets_at }))
        }
        Code::OutOfStock => AppError::with(code, json!({ "Available": 0, "Country": old.country, "City": old.city })),
        Code::TooManyRequests => {
            let wait = remaining_cooldown(old.switched_at, now).map_or(0, |wait| wait.num_milliseconds());
            AppError::with(code, json!({ "RetryAfterMs": wait }))
        }
        Code::StateForbids => AppError::state_forbids(old.state.as_str()),
        other => AppError::code(other),
    }
}

/// Switches what was selected, or previews it.
pub fn switch(
    conn: &mut Conn,
    key: &SecretKey,
    switching: &Switching,
    selection: &NodeSelection,
    picked: Option<i64>,
) -> Result<SwitchResult, AppError> {
    let now = switching.now;
    let dry_run = switching.lock == RowLock::None;
    let balance = match switching.lock {
        RowLock::ForUpdate => lock_wallet(conn, switching.account_id)?.balance,
        RowLock::None => balance_of(conn, switching.account_id)?,
    };
    let selected = selection.resolve(conn, switching.account_id, now)?;
    if selected.ids.len() > MAX_SWITCHES {
        return Err(FieldErrors::one("NodeIds", Rule::TooManyNodes, &[("Max", MAX_SWITCHES.to_string())]).into());
    }
    let shop = catalogue(conn)?;
    let old_nodes = load_old(conn, switching.account_id, &selected.ids, switching.lock)?;
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
            return Err(AppError::balance_too_low(balance, total, shop.currency));
        }
        let order_id = charge(conn, key, switching, &planned, &shop, total)?;
        for one in &planned {
            carry_out(conn, switching, one, order_id.filter(|_| !one.price.is_zero()), shop.currency)?;
        }
        if let Some(person) = switching.person {
            events::known_to(conn, person, switching.account_id, EventKind::ProxiesSwitched, planned.len())?;
            let paid = usize::from(order_id.is_some());
            events::known_to(conn, person, switching.account_id, EventKind::OrderPaid, paid)?;
        }
    }
    let mut quota = quota_of(conn, switching.account_id, &ver_str, now)?;
    if dry_run {
        quota = quota.after(u32::try_from(used).unwrap_or(u32::MAX));
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
        currency: shop.currency,
        quota,
        balance: switching.tells_balance.then_some(balance),
        balance_after: switching.tells_balance.then_some(balance_after),
    })
}

/// A switch request: the nodes, and the replacement if the customer picked one.
struct Wanted {
    mode: SwitchMode,
    selection: NodeSelection,
    picked: Option<i64>,
    reason: String,
    dry_run: bool,
}

/// Switches once per idempotency key. A dry run only reads, blocks on no writer, and stores no answer.
async fn run(app: AppData, who: SignedIn, repeat: Repeat, wanted: Wanted) -> Answered<Value> {
    let reason = validate_switch_reason(&wanted.reason)?;
    let (now, key) = (app.clock.now(), app.key.clone());
    let tells_balance = who.has_scope(Scope::ReadBilling);
    let person = who.person();
    let switching = move |lock| Switching {
        account_id: who.account_id,
        user_id: who.user_id,
        person,
        mode: wanted.mode,
        reason: reason.clone(),
        tells_balance,
        lock,
        now,
    };
    let Wanted { selection, picked, .. } = wanted;
    if wanted.dry_run {
        let told = app.db.read(move |conn| switch(conn, &key, &switching(RowLock::None), &selection, picked));
        return answer(serde_json::to_value(told.await?)?);
    }
    let switched = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        let switching = switching(RowLock::ForUpdate);
        once(conn, who.account_id, &repeat, now, |conn| switch(conn, &key, &switching, &selection, picked))
    });
    answer(switched.await?)
}

async fn switch_selected(app: AppData, who: SignedIn, write: Write<SwitchNodes>, mode: SwitchMode) -> Answered<Value> {
    let SwitchNodes { nodes, reason, dry_run, .. } = write.body;
    run(app, who, write.repeat, Wanted { mode, selection: nodes, picked: None, reason, dry_run }).await
}

/// Switches nodes for free, within the plan's quota: 10 % of its nodes per 30 days, at least one. The replacements are of the same tier and city.
/// Refused with 4003 if the quota is used up, 4002 if the city has no other node, and 4290 right after another switch.
#[utoipa::path(request_body = SwitchNodes, responses((status = 200, body = Answer<SwitchResult>)))]
#[post("/Ips/SwitchNode")]
pub async fn switch_node(app: AppData, who: SignedIn, write: Write<SwitchNodes>) -> Answered<Value> {
    switch_selected(app, who, write, SwitchMode::Quota).await
}

/// Switches nodes at the price of their tier, paid from the wallet. If the balance is too low (4001), nothing is switched.
#[utoipa::path(request_body = SwitchNodes, responses((status = 200, body = Answer<SwitchResult>)))]
#[post("/Ips/SwitchNodeByUnitPrice")]
pub async fn switch_node_by_unit_price(app: AppData, who: SignedIn, write: Write<SwitchNodes>) -> Answered<Value> {
    switch_selected(app, who, write, SwitchMode::UnitPrice).await
}

/// Switches a node to a specific replacement: free within the quota, otherwise at the price of the tier.
#[utoipa::path(request_body = SpecifySwitch, responses((status = 200, body = Answer<SwitchResult>)))]
#[post("/Ips/MySpecifySwitchNode")]
pub async fn my_specify_switch_node(app: AppData, who: SignedIn, write: Write<SpecifySwitch>) -> Answered<Value> {
    let SpecifySwitch { node_id, new_node_id, reason, dry_run } = write.body;
    let selection = NodeSelection { node_ids: vec![node_id], ..NodeSelection::default() };
    let wanted = Wanted { mode: SwitchMode::Specified, selection, picked: Some(new_node_id), reason, dry_run };
    run(app, who, write.repeat, wanted).await
}
