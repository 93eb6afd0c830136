//! Renewing nodes: price, order, and the extension once paid.
use crate::accounts::queries::order_terms;
use crate::catalogue::catalogue;
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::mails;
use crate::nodes::CHUNK;
use crate::nodes::lifecycle;
use crate::order_rows::rows;
use crate::order_rows::rows::{NewLine, NewOrder, NodeChoices, OrderRow};
use crate::schema::{nodes, order_nodes};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::money::{Currency, Money};
use postern_core::node::{NodeState, OWNED, next_reminder, renewed_expiry};
use postern_core::order::{HOLD_MINUTES, OrderKind};
use postern_core::quote::Terms;
use postern_core::quote::quote_error_fields;
use postern_core::renewal::{
    RenewalLineRequest, RenewalQuote, RenewalRequest, charged_at, first_attempt, quote_renewal, renewal_of,
};
use postern_core::tier::Catalogue;
use postern_core::time::to_wire;
use serde::Serialize;
use serde_json::json;
use std::collections::{BTreeMap, HashSet};
use utoipa::ToSchema;

/// The next automatic renewals of a plan, at today's prices.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NextCharge {
    pub at: String,
    pub ips_count: u32,
    pub amount: Money,
    pub currency: Currency,
}

/// A node to be renewed.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = nodes)]
pub struct Renewable {
    pub id: i64,
    pub account_id: Option<i64>,
    pub ver_str: String,
    pub state: NodeState,
    pub expires_at: Option<NaiveDateTime>,
    pub period_days: Option<i32>,
}

impl Renewable {
    /// The period of its order, which an automatic renewal repeats.
    pub fn period(&self) -> Option<u32> {
        self.period_days.and_then(|days| u32::try_from(days).ok())
    }
}

/// The owned nodes with these ids, earliest expiry first.
pub fn load_owned(conn: &mut Conn, account_id: i64, ids: &[i64], lock: RowLock) -> Result<Vec<Renewable>, AppError> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(CHUNK) {
        let own = nodes::table
            .filter(nodes::id.eq_any(chunk))
            .filter(nodes::account_id.eq(account_id))
            .filter(nodes::state.eq_any(OWNED))
            .order(nodes::id);
        if let (Conn::Postgres(conn), RowLock::ForUpdate) = (&mut *conn, lock) {
            own.clone().select(nodes::id).for_update().load::<i64>(conn)?;
        }
        found.extend(own.select(Renewable::as_select()).load(conn)?);
    }
    found.sort_by_key(|node| (node.expires_at, node.id));
    Ok(found)
}

/// Prices the nodes of one account for one period, with its terms.
pub fn price(shop: &Catalogue, terms: &Terms, nodes: &[Renewable], period_days: u32) -> Result<RenewalQuote, AppError> {
    let request = renewal_of(nodes.iter().map(|node| node.ver_str.as_str()), period_days);
    quote_renewal(&request, shop, terms).map_err(|error| quote_error_fields(error).into())
}

/// The plan's next automatic renewals, with their price as of today.
pub fn next_charge(
    conn: &mut Conn,
    account_id: i64,
    ver_str: &str,
    now: NaiveDateTime,
) -> Result<Option<NextCharge>, AppError> {
    let renewing = nodes::table
        .filter(nodes::account_id.eq(account_id))
        .filter(nodes::ver_str.eq(ver_str))
        .filter(nodes::auto_renew.eq(true));
    let first: Option<NaiveDateTime> =
        renewing.select(diesel::dsl::min(nodes::next_renewal_at)).first(conn).optional()?.flatten();
    let Some(at) = first else { return Ok(None) };
    let periods: Vec<(Option<i32>, i64)> = renewing
        .filter(nodes::next_renewal_at.eq(at))
        .group_by(nodes::period_days)
        .select((nodes::period_days, diesel::dsl::count(nodes::id)))
        .load(conn)?;
    let (shop, terms) = (catalogue(conn)?, order_terms(conn, account_id, None)?);
    let (mut ips_count, mut amount) = (0, Money::ZERO);
    for (period_days, count) in periods {
        let quantity = u32::try_from(count).map_err(|_| AppError::internal("too many nodes to count"))?;
        let lines = vec![RenewalLineRequest { ver_str: ver_str.to_owned(), quantity }];
        // Nodes without a period, or whose period is no longer offered, do not renew.
        let Some(period_days) = period_days.and_then(|days| u32::try_from(days).ok()) else { continue };
        let Ok(quote) = quote_renewal(&RenewalRequest { period_days, lines }, &shop, &terms) else { continue };
        ips_count += quantity;
        amount = amount.checked_add(quote.total)?;
    }
    let currency = shop.currency;
    Ok((ips_count > 0).then(|| NextCharge { at: to_wire(charged_at(at, now)), ips_count, amount, currency }))
}

/// Creates the order of a renewal, and records its nodes with the price of each.
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
        choices: NodeChoices::default(),
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
    let order = rows::insert(conn, &new, &lines, now)?;
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
                Conn::Sqlite(conn) => diesel::insert_into(order_nodes::table).values(rows).execute_each(conn)?,
            };
        }
    }
    Ok(order)
}

/// Extends the nodes of a paid renewal from their current expiry, and returns those that no longer exist.
pub fn extend_nodes(conn: &mut Conn, order: &OrderRow, now: NaiveDateTime) -> Result<Vec<i64>, AppError> {
    let period_days = order.period()?;
    let ids: Vec<i64> =
        order_nodes::table.filter(order_nodes::order_id.eq(order.id)).select(order_nodes::node_id).load(conn)?;
    let owned = load_owned(conn, order.account_id, &ids, RowLock::ForUpdate)?;
    let mut by_end: BTreeMap<NaiveDateTime, Vec<i64>> = BTreeMap::new();
    for node in &owned {
        let ends = node.expires_at.ok_or_else(|| AppError::internal("an owned node without an expiry"))?;
        by_end.entry(ends).or_default().push(node.id);
    }
    for (ends, ids) in by_end {
        let renewed = renewed_expiry(ends, period_days).ok_or_else(|| AppError::internal("a period is too long"))?;
        for chunk in ids.chunks(CHUNK) {
            lifecycle::renew(conn, chunk, renewed, order.period_days, next_reminder(renewed, now))?;
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

/// Queues the mail that confirms a renewal, if the order that the customer has paid is one; automatic renewals are reported together.
pub fn queue_mail(conn: &mut Conn, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    if order.kind != OrderKind::Renewal {
        return Ok(());
    }
    let renewed =
        order_nodes::table.filter(order_nodes::order_id.eq(order.id)).filter(order_nodes::ends_at.is_not_null());
    let (count, first_end): (i64, Option<NaiveDateTime>) =
        renewed.select((diesel::dsl::count_star(), diesel::dsl::min(order_nodes::ends_at))).first(conn)?;
    let Some(first_end) = first_end else { return Ok(()) };
    let parameters = json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Count": count,
        "Days": order.period()?,
        "EndsAt": to_wire(first_end),
        "Total": Money::from_minor(order.total_minor).display(order.currency),
    });
    mails::queue_for_account(conn, order.account_id, EventKind::OrderPaid, MailTemplate::RenewalPaid, &parameters, now)
}
