//! Renewals: previewing the price, ordering, and extending nodes once paid.
use crate::accounts::queries::order_terms;
use crate::catalogue::catalogue;
use crate::customers::customer;
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::fulfilment::renewals::{Renewable, insert_order, load_owned, price};
use crate::fulfilment::types::OrderView;
use crate::fulfilment::views as orders;
use crate::http::answer::{Answer, Answered, answer, language_of};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::ledger::lock_wallet;
use crate::nodes::CHUNK;
use crate::order_rows::limits;
use crate::order_rows::rows::lines_of_order;
use crate::payments::begin::{self, PaymentContext};
use crate::schema::{nodes, plans};
use crate::state::App;
use crate::static_proxies::selection::{BulkResult, NodeResult, NodeSelection, failures};
use actix_web::{HttpRequest, post, web};
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::money::Money;
use postern_core::node::renewed_expiry;
use postern_core::order::PaymentMethod;
use postern_core::renewal::{RenewalQuote, first_attempt};
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use serde_json::Value;
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
    /// The total that the customer agreed to; if the price has changed, the call is refused with code 4004.
    pub expected_total: Money,
    /// Pays from the wallet at once. If that fails, no order is created.
    #[schema(required = false)]
    pub pay_from_wallet: bool,
}

/// The price of a renewal, and the nodes' new expiry times.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RenewalPreview {
    pub quote: RenewalQuote,
    pub earliest_expires_at: String,
    pub latest_expires_at: String,
    pub failed: Vec<NodeResult>,
}

/// Turns automatic renewal on or off, for a whole plan or for selected nodes.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct SetAutoRenew {
    #[schema(required = false)]
    pub ver_str: Option<String>,
    #[serde(flatten)]
    pub nodes: NodeSelection,
    pub auto_renew: bool,
}

type AppData = web::Data<App>;

struct Renewing {
    nodes: Vec<Renewable>,
    failed: Vec<NodeResult>,
    quote: RenewalQuote,
}

fn look_up(
    conn: &mut Conn,
    account_id: i64,
    renew: &Renew,
    lock: RowLock,
    now: NaiveDateTime,
) -> Result<Renewing, AppError> {
    let mut selected = renew.nodes.resolve(conn, account_id, now)?;
    let nodes = load_owned(conn, account_id, &selected.ids, lock)?;
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

/// Previews the price of renewing nodes for one more period.
#[utoipa::path(request_body = Renew, responses((status = 200, body = Answer<RenewalPreview>)))]
#[post("/Ips/IpsNoneRenewByPrice")]
pub async fn ips_none_renew_by_price(
    app: AppData,
    who: SignedIn,
    Body(renew): Body<Renew>,
) -> Answered<RenewalPreview> {
    let now = app.clock.now();
    let preview = app.db.read(move |conn| {
        let Renewing { nodes, failed, quote } = look_up(conn, who.account_id, &renew, RowLock::None, now)?;
        let renewed = |node: Option<&Renewable>| {
            let ends = node.and_then(|node| renewed_expiry(node.expires_at?, quote.period_days));
            ends.map(to_wire).ok_or_else(|| AppError::internal("an owned node without an expiry"))
        };
        let (earliest_expires_at, latest_expires_at) = (renewed(nodes.first())?, renewed(nodes.last())?);
        Ok(RenewalPreview { quote, earliest_expires_at, latest_expires_at, failed })
    });
    answer(preview.await?)
}

/// Orders the renewal of nodes. The order is paid like any other; then every node is extended by one period from its current expiry.
/// With `PayFromWallet` that happens at once, or the renewal is refused with 4001 if the balance is too low, and not ordered.
#[utoipa::path(request_body = OrderRenewal, responses((status = 200, body = Answer<OrderView>)))]
#[post("/Ips/IpsNoneRenew")]
pub async fn ips_none_renew(
    app: AppData,
    request: HttpRequest,
    who: SignedIn,
    write: Write<OrderRenewal>,
) -> Answered<Value> {
    let now = app.clock.now();
    let (config, key, language) = (app.config.clone(), app.key.clone(), language_of(&request));
    let person = who.person();
    let ordered = app.db.write(move |conn| {
        let wallet = lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let OrderRenewal { renew, pay_from_wallet, .. } = &write.body;
            if !pay_from_wallet {
                wallet.refuse_owing()?;
                limits::check_unpaid(conn, who.account_id, now)?;
            }
            let Renewing { nodes, quote, .. } = look_up(conn, who.account_id, renew, RowLock::ForUpdate, now)?;
            let expected = write.body.expected_total;
            if quote.total != expected {
                return Err(AppError::price_changed(expected, quote.total, quote.currency));
            }
            let order = insert_order(conn, who.account_id, &nodes, &quote, now)?;
            if *pay_from_wallet {
                let method = PaymentMethod::Wallet;
                let paying =
                    PaymentContext { method, use_wallet: true, language, person, config: &config, key: &key, now };
                let customer = customer(conn, who.account_id, None)?;
                let lines = lines_of_order(conn, order.id)?;
                begin::buy(conn, wallet, customer, &order, lines, &paying, |_| Ok(Vec::new()))?.issue(conn, now)?;
            }
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
            crate::static_proxies::selection::Selected { ids: ids.select(nodes::id).load(conn)?, failed: Vec::new() }
        }
        None => set.nodes.resolve(conn, account_id, now)?,
    };
    let mut by_end: BTreeMap<Option<NaiveDateTime>, Vec<i64>> = BTreeMap::new();
    for node in load_owned(conn, account_id, &selected.ids, RowLock::ForUpdate)? {
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
#[utoipa::path(request_body = SetAutoRenew, responses((status = 200, body = Answer<BulkResult>)))]
#[post("/Ips/SetAutoRenew")]
pub async fn set_auto_renew(app: AppData, who: SignedIn, Body(set): Body<SetAutoRenew>) -> Answered<BulkResult> {
    let now = app.clock.now();
    let switched = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        switch_auto_renew(conn, who.account_id, &set, now)
    });
    answer(switched.await?)
}
