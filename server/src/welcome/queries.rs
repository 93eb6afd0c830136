//! SQL of the welcome screens: the account's nodes and expiries.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::nodes::summaries::{TierSummary, tier_summaries};
use crate::schema::{accounts, nodes, orders, plans, proxy_users, wallets, white_list};
use crate::welcome::types::{EndingDayView, Overview, OwnedCountry, OwnedTier, StepView};
use chrono::NaiveDateTime;
use chrono_tz::Tz;
use diesel::dsl::count;
use postern_core::node::NodeState;
use postern_core::order::OrderKind;
use postern_core::product_summary::ProductSummary;
use postern_core::time::to_wire;
use postern_core::welcome::{Ending, FirstStep, Progress, coming, ending_days, is_done, soon};
use std::cmp::Reverse;

pub fn overview(conn: &mut Conn, account_id: i64, zone: Tz, now: NaiveDateTime) -> Result<Overview, AppError> {
    let endings = endings(conn, account_id, zone, now)?;
    let soon = soon(now).ok_or_else(|| AppError::internal("the clock is too far ahead"))?;
    let tiers = tiers(conn, account_id, now)?;
    let ends_soon = endings.iter().filter(|ending| ending.at <= soon);
    let progress = progress(conn, account_id)?;
    let sum = |of: fn(&ProductSummary) -> u32| tiers.iter().map(|tier| i64::from(of(&tier.summary))).sum();
    Ok(Overview {
        active_count: sum(|tier| tier.active_count),
        grace_count: sum(|tier| tier.grace_count),
        ending_soon_count: sum(|tier| tier.ending_soon_count),
        ending_soon_renewing: ends_soon.map(|ending| i64::from(ending.renewing)).sum(),
        tiers,
        countries: countries(conn, account_id)?,
        days: ending_days(&endings, now, zone)
            .into_iter()
            .map(|day| EndingDayView { starts_at: to_wire(day.starts_at), count: day.count, renewing: day.renewing })
            .collect(),
        steps: FirstStep::ALL.iter().map(|step| StepView { step: *step, is_done: is_done(*step, progress) }).collect(),
    })
}

/// The owned tiers with their summaries, Regular and Premium before Dedicated.
fn tiers(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<OwnedTier>, AppError> {
    let view = |TierSummary { ver_str, node_type, summary }| OwnedTier { ver_str, node_type, summary };
    let mut tiers: Vec<OwnedTier> = tier_summaries(conn, account_id, now)?.into_iter().map(view).collect();
    tiers.sort_by_key(|tier| Reverse(tier.node_type));
    Ok(tiers)
}

fn countries(conn: &mut Conn, account_id: i64) -> Result<Vec<OwnedCountry>, AppError> {
    let rows: Vec<(String, i64)> = nodes::table
        .filter(nodes::account_id.eq(account_id))
        .group_by(nodes::country)
        .select((nodes::country, count(nodes::id)))
        .load(conn)?;
    let mut countries: Vec<_> = rows.into_iter().map(|(country, count)| OwnedCountry { country, count }).collect();
    countries.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.country.cmp(&other.country)));
    Ok(countries)
}

/// The active nodes that expire in the next days, counted by exact expiry time: one group for each order and renewal.
fn endings(conn: &mut Conn, account_id: i64, zone: Tz, now: NaiveDateTime) -> Result<Vec<Ending>, AppError> {
    let (from, to) = coming(now, zone).ok_or_else(|| AppError::internal("the clock is too far ahead"))?;
    let rows: Vec<(Option<NaiveDateTime>, bool, i64)> = nodes::table
        .filter(nodes::account_id.eq(account_id))
        .filter(nodes::state.eq(NodeState::Assigned))
        .filter(nodes::expires_at.gt(from))
        .filter(nodes::expires_at.lt(to))
        .group_by((nodes::expires_at, nodes::auto_renew))
        .select((nodes::expires_at, nodes::auto_renew, count(nodes::id)))
        .load(conn)?;
    rows.into_iter()
        .filter_map(|(at, auto_renew, nodes)| Some((at?, auto_renew, nodes)))
        .map(|(at, auto_renew, nodes)| {
            let count = u32::try_from(nodes).map_err(|_| AppError::internal("too many nodes to count"))?;
            Ok(Ending { at, count, renewing: if auto_renew { count } else { 0 } })
        })
        .collect()
}

fn progress(conn: &mut Conn, account_id: i64) -> Result<Progress, AppError> {
    let balance: i64 = wallets::table.find(account_id).select(wallets::balance_minor).first(conn)?;
    let bought = orders::table
        .filter(orders::account_id.eq(account_id))
        .filter(orders::kind.eq(OrderKind::Purchase))
        .filter(orders::paid_at.is_not_null())
        .select(orders::id);
    let whitelisted = white_list::table.filter(white_list::account_id.eq(account_id)).select(white_list::id);
    let named =
        plans::table.filter(plans::account_id.eq(account_id)).filter(plans::user_name.is_not_null()).select(plans::id);
    let proxy_user = proxy_users::table.filter(proxy_users::account_id.eq(account_id)).select(proxy_users::id);
    let (name, company, address): (String, String, String) = accounts::table
        .find(account_id)
        .select((accounts::last_name, accounts::company_name, accounts::address))
        .first(conn)?;
    Ok(Progress {
        has_money: balance > 0,
        has_bought: bought.first::<i64>(conn).optional()?.is_some(),
        has_access: whitelisted.first::<i64>(conn).optional()?.is_some()
            || named.first::<i64>(conn).optional()?.is_some()
            || proxy_user.first::<i64>(conn).optional()?.is_some(),
        has_details: [name, company].iter().any(|text| !text.is_empty()) && !address.is_empty(),
    })
}
