//! Renewals: what it costs to keep nodes, ordering it, and extending them once it is paid.
use super::queries::catalogue;
use super::selection::{BulkResult, CHUNK, NodeResult, NodeSelection, failures};
use crate::accounts::queries::order_terms;
use crate::answer::{Answer, Answered, answer};
use crate::db::Conn;
use crate::error::AppError;
use crate::orders::queries::{self as orders, NewLine, NewOrder, OrderRow};
use crate::orders::types::OrderView;
use crate::request::{Body, SignedIn, Write, once};
use crate::schema::{nodes, order_nodes, plans};
use crate::state::App;
use crate::wallet::ledger::lock_wallet;
use actix_web::{post, web};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use postern_core::code::Code;
use postern_core::money::Money;
use postern_core::node::{NodeState, OWNED, next_reminder, renewed_expiry};
use postern_core::order::{HOLD_MINUTES, OrderKind};
use postern_core::quote::Terms;
use postern_core::renewal::{RenewalLineRequest, RenewalQuote, RenewalRequest, first_attempt, quote_renewal};
use postern_core::tier::Catalogue;
use postern_core::time::to_wire;
use postern_core::validate::quote_error_fields;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct Renew {
    #[serde(flatten)]
    pub nodes: NodeSelection,
    pub period_days: u32,
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct OrderRenewal {
    #[serde(flatten)]
    pub renew: Renew,
    /// What the customer agreed to: another total is refused with code 4004.
    #[schema(value_type = String)]
    pub expected_total: Money,
}

/// What a renewal would cost, and until when the nodes would last.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RenewalPreview {
    pub quote: RenewalQuote,
    pub earliest_expires_at: String,
    pub latest_expires_at: String,
    pub failed: Vec<NodeResult>,
}

/// Turns automatic renewal on or off: for a plan with all its nodes, or for nodes selected.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct SetAutoRenew {
    #[schema(required = false)]
    pub ver_str: Option<String>,
    #[serde(flatten)]
    pub nodes: NodeSelection,
    pub auto_renew: bool,
}

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config.service(ips_none_renew_by_price).service(ips_none_renew).service(set_auto_renew);
}

type AppData = web::Data<App>;

/// A node that is to be renewed.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = nodes)]
pub struct Renewable {
    pub id: i64,
    pub account_id: Option<i64>,
    pub ver_str: String,
    pub state: String,
    pub expires_at: Option<NaiveDateTime>,
    pub period_days: Option<i32>,
}

fn owned_states() -> [&'static str; 2] {
    OWNED.map(NodeState::as_str)
}

/// Of these nodes, as many as the balance pays for, those that come first being kept; with their quote.
pub fn affordable<'a>(
    shop: &Catalogue,
    terms: &Terms,
    nodes: &'a [Renewable],
    period_days: u32,
    balance: Money,
) -> Option<(&'a [Renewable], RenewalQuote)> {
    (1..=nodes.len()).rev().find_map(|count| {
        let quote = price(shop, terms, &nodes[..count], period_days).ok()?;
        (quote.total <= balance).then_some((&nodes[..count], quote))
    })
}

/// The nodes of these ids that somebody owns, those that end first coming first. Locked on PostgreSQL.
pub fn load_owned(conn: &mut Conn, account_id: i64, ids: &[i64]) -> Result<Vec<Renewable>, AppError> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(CHUNK) {
        let own = nodes::table
            .filter(nodes::id.eq_any(chunk))
            .filter(nodes::account_id.eq(account_id))
            .filter(nodes::state.eq_any(owned_states()))
            .order(nodes::id);
        if let Conn::Postgres(conn) = &mut *conn {
            own.clone().select(nodes::id).for_update().load::<i64>(conn)?;
        }
        found.extend(own.select(Renewable::as_select()).load(conn)?);
    }
    found.sort_by_key(|node| (node.expires_at, node.id));
    Ok(found)
}

/// Prices nodes of one account, which has these terms, for one period.
pub fn price(shop: &Catalogue, terms: &Terms, nodes: &[Renewable], period_days: u32) -> Result<RenewalQuote, AppError> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for node in nodes {
        *counts.entry(&node.ver_str).or_default() += 1;
    }
    let line =
        |(ver_str, quantity): (&&str, &u32)| RenewalLineRequest { ver_str: (*ver_str).to_owned(), quantity: *quantity };
    let request = RenewalRequest { period_days, lines: counts.iter().map(line).collect() };
    quote_renewal(&request, shop, terms).map_err(|error| quote_error_fields(error).into())
}

/// Creates the order of a renewal, and notes which nodes it is for and what each costs.
pub fn insert_order(
    conn: &mut Conn,
    account_id: i64,
    nodes: &[Renewable],
    quote: &RenewalQuote,
    now: NaiveDateTime,
) -> Result<OrderRow, AppError> {
    let new = NewOrder {
        account_id,
        kind: OrderKind::Renewal,
        currency: quote.currency,
        ver_str: (quote.lines.len() == 1).then(|| quote.lines[0].ver_str.as_str()),
        period_days: Some(quote.period_days),
        subtotal: quote.subtotal,
        discounts: &quote.discounts,
        coupon: None,
        total: quote.total,
        expires_at: now + TimeDelta::minutes(HOLD_MINUTES),
    };
    let lines: Vec<_> = quote
        .lines
        .iter()
        .map(|line| NewLine {
            ver_str: &line.ver_str,
            place: None,
            quantity: line.quantity,
            unit_price: line.unit_price,
            amount: line.amount,
            net: line.net,
        })
        .collect();
    let order = orders::insert(conn, &new, &lines, now)?;
    for line in &quote.lines {
        let nets = line.net.split(line.quantity)?;
        let of_tier: Vec<i64> = nodes.iter().filter(|node| node.ver_str == line.ver_str).map(|node| node.id).collect();
        for (node_ids, nets) in of_tier.chunks(CHUNK).zip(nets.chunks(CHUNK)) {
            let rows: Vec<_> = node_ids
                .iter()
                .zip(nets)
                .map(|(node_id, net)| {
                    (
                        order_nodes::order_id.eq(order.id),
                        order_nodes::node_id.eq(*node_id),
                        order_nodes::net_minor.eq(net.minor()),
                    )
                })
                .collect();
            match &mut *conn {
                Conn::Postgres(conn) => diesel::insert_into(order_nodes::table).values(rows).execute(conn)?,
                Conn::Sqlite(conn) => diesel::insert_into(order_nodes::table).values(rows).execute(conn)?,
            };
        }
    }
    Ok(order)
}

/// Extends the nodes of a paid renewal from their old end, and returns those that are gone.
pub fn extend_nodes(conn: &mut Conn, order: &OrderRow, now: NaiveDateTime) -> Result<Vec<i64>, AppError> {
    let period_days = order.period()?;
    let ids: Vec<i64> =
        order_nodes::table.filter(order_nodes::order_id.eq(order.id)).select(order_nodes::node_id).load(conn)?;
    let owned = load_owned(conn, order.account_id, &ids)?;
    let mut by_end: BTreeMap<NaiveDateTime, Vec<i64>> = BTreeMap::new();
    for node in &owned {
        let ends = node.expires_at.ok_or_else(|| AppError::internal("a node of somebody without an end"))?;
        by_end.entry(ends).or_default().push(node.id);
    }
    for (ends, ids) in by_end {
        let renewed = renewed_expiry(ends, period_days).ok_or_else(|| AppError::internal("a period is too long"))?;
        for chunk in ids.chunks(CHUNK) {
            let extended = (
                nodes::state.eq(NodeState::Assigned.as_str()),
                nodes::expires_at.eq(renewed),
                nodes::period_days.eq(order.period_days),
                nodes::next_reminder_at.eq(next_reminder(renewed, now)),
                nodes::next_renewal_at.eq(None::<NaiveDateTime>),
            );
            diesel::update(nodes::table.filter(nodes::id.eq_any(chunk))).set(extended).execute(conn)?;
            let renewing = nodes::table.filter(nodes::id.eq_any(chunk)).filter(nodes::auto_renew.eq(true));
            diesel::update(renewing).set(nodes::next_renewal_at.eq(first_attempt(renewed, now))).execute(conn)?;
            let bought = order_nodes::table.filter(order_nodes::order_id.eq(order.id));
            diesel::update(bought.filter(order_nodes::node_id.eq_any(chunk)))
                .set((order_nodes::starts_at.eq(ends), order_nodes::ends_at.eq(renewed)))
                .execute(conn)?;
        }
    }
    let kept: HashSet<i64> = owned.iter().map(|node| node.id).collect();
    Ok(ids.into_iter().filter(|id| !kept.contains(id)).collect())
}

struct Renewing {
    nodes: Vec<Renewable>,
    failed: Vec<NodeResult>,
    quote: RenewalQuote,
}

fn look_up(conn: &mut Conn, account_id: i64, renew: &Renew, now: NaiveDateTime) -> Result<Renewing, AppError> {
    let mut selected = renew.nodes.resolve(conn, account_id, now)?;
    let nodes = load_owned(conn, account_id, &selected.ids)?;
    if nodes.len() < selected.ids.len() {
        let kept: HashSet<i64> = nodes.iter().map(|node| node.id).collect();
        let gone: Vec<i64> = selected.ids.iter().copied().filter(|id| !kept.contains(id)).collect();
        selected.failed.extend(failures(conn, account_id, &gone, Code::StateForbids)?);
    }
    if nodes.is_empty() {
        return Err(AppError::code(Code::NotFound));
    }
    let terms = order_terms(conn, account_id, None)?;
    let quote = price(&catalogue(conn)?, &terms, &nodes, renew.period_days)?;
    Ok(Renewing { nodes, failed: selected.failed, quote })
}

/// What it would cost to renew nodes for one more period.
#[utoipa::path(tag = "Ips", request_body = Renew, responses((status = 200, body = Answer<RenewalPreview>)), security(("Token" = [])))]
#[post("/Ips/IpsNoneRenewByPrice")]
async fn ips_none_renew_by_price(app: AppData, who: SignedIn, Body(renew): Body<Renew>) -> Answered<RenewalPreview> {
    let now = app.clock.now();
    let preview = app.db.write(move |conn| {
        let Renewing { nodes, failed, quote } = look_up(conn, who.account_id, &renew, now)?;
        let renewed = |node: Option<&Renewable>| {
            let ends = node.and_then(|node| renewed_expiry(node.expires_at?, quote.period_days));
            ends.map(to_wire).ok_or_else(|| AppError::internal("a node of somebody without an end"))
        };
        let (earliest_expires_at, latest_expires_at) = (renewed(nodes.first())?, renewed(nodes.last())?);
        Ok(RenewalPreview { quote, earliest_expires_at, latest_expires_at, failed })
    });
    answer(preview.await?)
}

/// Orders the renewal of nodes. It is paid as any order; then every node lasts one period longer, from its old end.
#[utoipa::path(
    tag = "Ips", request_body = OrderRenewal, responses((status = 200, body = Answer<OrderView>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/Ips/IpsNoneRenew")]
async fn ips_none_renew(app: AppData, who: SignedIn, write: Write<OrderRenewal>) -> Answered<Value> {
    let now = app.clock.now();
    let ordered = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            orders::check_unpaid(conn, who.account_id, now)?;
            let Renewing { nodes, quote, .. } = look_up(conn, who.account_id, &write.body.renew, now)?;
            let expected = write.body.expected_total;
            if quote.total != expected {
                let prices = json!({ "OldPrice": expected, "NewPrice": quote.total });
                return Err(AppError::with(Code::PriceChanged, prices));
            }
            let order = insert_order(conn, who.account_id, &nodes, &quote, now)?;
            orders::find(conn, who.account_id, order.id, now)
        })
    });
    answer(ordered.await?)
}

fn switch_auto_renew(
    conn: &mut Conn,
    account_id: i64,
    set: &SetAutoRenew,
    now: NaiveDateTime,
) -> Result<BulkResult, AppError> {
    let selected = match &set.ver_str {
        Some(ver_str) => {
            let own = plans::table.filter(plans::account_id.eq(account_id)).filter(plans::ver_str.eq(ver_str));
            let changed = diesel::update(own).set(plans::auto_renew.eq(set.auto_renew)).execute(conn)?;
            if changed == 0 {
                return Err(AppError::code(Code::NotFound));
            }
            let ids = nodes::table.filter(nodes::account_id.eq(account_id)).filter(nodes::ver_str.eq(ver_str));
            super::selection::Selected { ids: ids.select(nodes::id).load(conn)?, failed: Vec::new() }
        }
        None => set.nodes.resolve(conn, account_id, now)?,
    };
    let mut by_end: BTreeMap<Option<NaiveDateTime>, Vec<i64>> = BTreeMap::new();
    for node in load_owned(conn, account_id, &selected.ids)? {
        by_end.entry(node.expires_at).or_default().push(node.id);
    }
    for (ends, ids) in by_end {
        let next = ends.filter(|_| set.auto_renew).map(|ends| first_attempt(ends, now));
        for chunk in ids.chunks(CHUNK) {
            diesel::update(nodes::table.filter(nodes::id.eq_any(chunk)))
                .set((nodes::auto_renew.eq(set.auto_renew), nodes::next_renewal_at.eq(next)))
                .execute(conn)?;
        }
    }
    Ok(BulkResult { changed: selected.ids.len(), failed: selected.failed })
}

/// Turns automatic renewal on or off.
#[utoipa::path(tag = "Ips", request_body = SetAutoRenew, responses((status = 200, body = Answer<BulkResult>)), security(("Token" = [])))]
#[post("/Ips/SetAutoRenew")]
async fn set_auto_renew(app: AppData, who: SignedIn, Body(set): Body<SetAutoRenew>) -> Answered<BulkResult> {
    let now = app.clock.now();
    let switched = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        switch_auto_renew(conn, who.account_id, &set, now)
    });
    answer(switched.await?)
}
