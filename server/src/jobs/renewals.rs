//! Runs automatic renewals, and reminds the owners of nodes that do not renew.
use crate::accounts::queries::order_terms;
use crate::catalogue::catalogue;
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::events;
use crate::fulfilment::fulfil::pay_from_wallet;
use crate::fulfilment::renewals::{Renewable, insert_order, load_owned};
use crate::ledger::lock_wallet;
use crate::mails;
use crate::payments::auto_top_ups;
use crate::schema::nodes;
use crate::security::SecretKey;
use crate::state::App;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use postern_core::node::{GRACE_HOURS, NodeState, next_reminder};
use postern_core::renewal::{affordable, next_attempt};
use postern_core::time::to_wire;
use serde_json::json;
use std::collections::BTreeMap;

/// Accounts per round, and nodes per account.
const ACCOUNTS: usize = 200;

const NODES: i64 = 1_000;

/// How long a renewal waits for a pending automatic top-up.
const TOP_UP_SECONDS: i64 = 60;

pub async fn renew(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = app.db.read(move |conn| {
        let due = nodes::table.filter(nodes::next_renewal_at.le(now)).select(nodes::account_id).distinct();
        Ok(due.load::<Option<i64>>(conn)?)
    });
    let mut result = Ok(());
    for account_id in due.await?.into_iter().flatten().take(ACCOUNTS) {
        let key = app.key.clone();
        if let Err(error) = app.db.write(move |conn| renew_account(conn, &key, account_id, now)).await {
            tracing::error!(account_id, %error, "nodes could not be renewed");
            result = Err(error);
        }
    }
    result
}

/// Renews an account's due nodes: all of them, or as many as the wallet can pay for, earliest expiry first. The others are retried closer to their
/// expiry.
fn renew_account(conn: &mut Conn, key: &SecretKey, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    lock_wallet(conn, account_id)?;
    let due = nodes::table.filter(nodes::account_id.eq(account_id)).filter(nodes::next_renewal_at.le(now));
    let ids: Vec<i64> = due.order(nodes::expires_at).limit(NODES).select(nodes::id).load(conn)?;
    let mut by_period: BTreeMap<u32, Vec<Renewable>> = BTreeMap::new();
    let mut failed = Vec::new();
    for node in load_owned(conn, account_id, &ids, RowLock::ForUpdate)? {
        match node.period() {
            Some(period_days) => by_period.entry(period_days).or_default().push(node),
            None => failed.push(node),
        }
    }
    let (shop, terms) = (catalogue(conn)?, order_terms(conn, account_id, None)?);
    let (mut renewed, mut paid) = (0, Money::ZERO);
    for (period_days, due) in by_period {
        let balance = lock_wallet(conn, account_id)?.balance;
        let ver_strs: Vec<&str> = due.iter().map(|node| node.ver_str.as_str()).collect();
        let kept = affordable(&ver_strs, period_days, &shop, &terms, balance);
        let count = kept.as_ref().map_or(0, |(count, _)| *count);
        if let Some((count, quote)) = kept {
            let order = insert_order(conn, account_id, &due[..count], &quote, now)?;
            pay_from_wallet(conn, key, &order, now)?;
            renewed += count;
            paid = paid.checked_add(quote.total)?;
        }
        failed.extend(due.into_iter().skip(count));
    }
    let currency = shop.currency;
    if !failed.is_empty() && wait_for_top_up(conn, account_id, &mut failed, now)? {
        tracing::debug!(account_id, "renewals wait for an automatic top-up");
    }
    postpone(conn, &failed, now)?;
    if renewed > 0 {
        let data = json!({ "Count": renewed, "Total": paid, "Currency": currency });
        events::record(conn, account_id, EventKind::ProxiesRenewed, &data, now)?;
        let parameters = json!({ "Count": renewed, "Total": paid.display(currency) });
        mails::queue_for_account(conn, account_id, EventKind::ProxiesRenewed, MailTemplate::Renewed, &parameters, now)?;
    }
    if let Some(ends) = failed.iter().filter_map(|node| node.expires_at).min() {
        let (count, balance) = (failed.len(), lock_wallet(conn, account_id)?.balance);
        let data = json!({ "Count": count, "Balance": balance, "Currency": currency, "EndsAt": to_wire(ends) });
        events::record(conn, account_id, EventKind::ProxiesRenewalFailed, &data, now)?;
        let parameters = json!({ "Count": count, "Balance": balance.display(currency), "EndsAt": to_wire(ends) });
        mails::queue_for_account(
            conn,
            account_id,
            EventKind::ProxiesRenewalFailed,
            MailTemplate::RenewalFailed,
            &parameters,
            now,
        )?;
    }
    Ok(())
}

/// If an automatic top-up is due or pending, nodes that the wallet could not pay for are retried when it may have arrived, and not counted as failed,
/// unless they expire before that.
fn wait_for_top_up(
    conn: &mut Conn,
    account_id: i64,
    failed: &mut Vec<Renewable>,
    now: NaiveDateTime,
) -> Result<bool, AppError> {
    let wallet = lock_wallet(conn, account_id)?;
    auto_top_ups::begin_if_due(conn, account_id, &wallet, now)?;
    if !auto_top_ups::is_charging(conn, account_id)? {
        return Ok(false);
    }
    let again_at = now + TimeDelta::seconds(TOP_UP_SECONDS);
    let (waiting, ending): (Vec<_>, Vec<_>) =
        std::mem::take(failed).into_iter().partition(|node| node.expires_at.is_some_and(|ends| ends > again_at));
    *failed = ending;
    let ids: Vec<i64> = waiting.iter().map(|node| node.id).collect();
    let these = nodes::table.filter(nodes::id.eq_any(&ids));
    diesel::update(these).set(nodes::next_renewal_at.eq(again_at)).execute(conn)?;
    Ok(!ids.is_empty())
}

fn postpone(conn: &mut Conn, failed: &[Renewable], now: NaiveDateTime) -> Result<(), AppError> {
    let mut by_end: BTreeMap<Option<NaiveDateTime>, Vec<i64>> = BTreeMap::new();
    for node in failed {
        by_end.entry(node.expires_at).or_default().push(node.id);
    }
    for (ends, ids) in by_end {
        let next = ends.and_then(|ends| next_attempt(ends, now));
        let these = nodes::table.filter(nodes::id.eq_any(ids));
        diesel::update(these).set(nodes::next_renewal_at.eq(next)).execute(conn)?;
    }
    Ok(())
}

pub async fn remind(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = app.db.read(move |conn| {
        let due = nodes::table.filter(nodes::next_reminder_at.le(now)).select(nodes::account_id).distinct();
        Ok(due.load::<Option<i64>>(conn)?)
    });
    for account_id in due.await?.into_iter().flatten().take(ACCOUNTS) {
        app.db.write(move |conn| remind_account(conn, account_id, now)).await?;
    }
    Ok(())
}

/// One mail for all nodes of an account that expire soon and do not renew.
fn remind_account(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    lock_wallet(conn, account_id)?;
    let due = nodes::table.filter(nodes::account_id.eq(account_id)).filter(nodes::next_reminder_at.le(now));
    let rows: Vec<(i64, NodeState, bool, Option<NaiveDateTime>)> =
        due.select((nodes::id, nodes::state, nodes::auto_renew, nodes::expires_at)).load(conn)?;
    let mut by_end: BTreeMap<Option<NaiveDateTime>, Vec<i64>> = BTreeMap::new();
    for (node_id, _, _, ends) in &rows {
        by_end.entry(*ends).or_default().push(*node_id);
    }
    for (ends, ids) in by_end {
        let next = ends.and_then(|ends| next_reminder(ends, now));
        for chunk in ids.chunks(1_000) {
            let these = nodes::table.filter(nodes::id.eq_any(chunk));
            diesel::update(these).set(nodes::next_reminder_at.eq(next)).execute(conn)?;
        }
    }
    let ending: Vec<NaiveDateTime> = rows
        .into_iter()
        .filter(|(_, state, auto_renew, _)| *state == NodeState::Assigned && !auto_renew)
        .filter_map(|(_, _, _, ends)| ends.filter(|ends| *ends > now))
        .collect();
    let Some(first) = ending.iter().min() else { return Ok(()) };
    let data = json!({ "Count": ending.len(), "EndsAt": to_wire(*first) });
    events::record(conn, account_id, EventKind::ProxiesEnding, &data, now)?;
    let parameters = json!({ "Count": ending.len(), "EndsAt": to_wire(*first), "GraceHours": GRACE_HOURS });
    mails::queue_for_account(conn, account_id, EventKind::ProxiesEnding, MailTemplate::EndingSoon, &parameters, now)
}
