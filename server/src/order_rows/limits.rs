//! Limits on an account's unpaid orders. They are rows that the seller can change.
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::order_rows::types::HoldLimitView;
use crate::schema::{card_requests, hold_steps, limits, order_lines, orders, wallets};
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::money::{Currency, Money};
use postern_core::order::{OrderKind, OrderState, PaymentState};
use postern_core::traffic::TRAFFIC_PRODUCT;
use postern_core::unpaid::{HoldLimit, HoldStep, Limit, unpaid_hold_limit};
use serde_json::json;

/// The limit on IPs in unpaid orders, as its customer sees it.
pub fn hold_limit_view(conn: &mut Conn, account_id: i64) -> Result<HoldLimitView, AppError> {
    let (limit, currency) = hold_limit(conn, account_id)?;
    Ok(HoldLimitView {
        max_ips: limit.max_ips,
        held_ips: held(conn, account_id)?,
        max_orders: most(conn, Limit::UnpaidOrders)?,
        next_max_ips: limit.next.map(|next| next.max_ips),
        missing: limit.next.map(|next| next.missing),
        currency,
    })
}

/// The steps of the limit on held IPs, lowest first.
pub fn steps(conn: &mut Conn) -> Result<Vec<HoldStep>, AppError> {
    let rows: Vec<(i64, i32)> = hold_steps::table.order(hold_steps::min_standing_minor).load(conn)?;
    let step = |(min_standing, max_ips): (i64, i32)| {
        let max_ips = u32::try_from(max_ips).map_err(|_| AppError::internal("hold_steps.max_ips is below zero"))?;
        Ok(HoldStep { min_standing: Money::from_minor(min_standing), max_ips })
    };
    rows.into_iter().map(step).collect()
}

/// The configured value of a limit.
pub fn most(conn: &mut Conn, limit: Limit) -> Result<i32, AppError> {
    Ok(limits::table.find(limit).select(limits::most).first(conn)?)
}

/// An account's limit, and the currency of its amounts.
fn hold_limit(conn: &mut Conn, account_id: i64) -> Result<(HoldLimit, Currency), AppError> {
    let wallet = wallets::table.find(account_id);
    let wallet = wallet.select((wallets::balance_minor, wallets::total_expenses_minor, wallets::currency));
    let (balance, paid, currency): (i64, i64, Currency) = wallet.first(conn)?;
    let limit = unpaid_hold_limit(&steps(conn)?, Money::from_minor(balance), Money::from_minor(paid))?;
    Ok((limit, currency))
}

/// Orders that are neither paid nor ended.
macro_rules! open_orders {
    ($account_id:expr) => {
        orders::table
            .filter(orders::account_id.eq($account_id))
            .filter(orders::paid_at.is_null())
            .filter(orders::ended_at.is_null())
            .filter(orders::state.eq(OrderState::Unpaid))
    };
}

/// The number of IPs held by an account's unpaid orders. Expired orders count until their nodes are returned to stock.
fn held(conn: &mut Conn, account_id: i64) -> Result<u32, AppError> {
    let purchases = open_orders!(account_id).filter(orders::kind.eq(OrderKind::Purchase));
    let purchases: Vec<i64> = purchases.select(orders::id).load(conn)?;
    // Orders of traffic hold no IPs.
    let lines = order_lines::table
        .filter(order_lines::order_id.eq_any(purchases))
        .filter(order_lines::ver_str.ne(TRAFFIC_PRODUCT))
        .select(order_lines::quantity);
    let quantities: Vec<i32> = lines.load(conn)?;
    u32::try_from(quantities.into_iter().map(i64::from).sum::<i64>())
        .map_err(|_| AppError::internal("too many held IPs to count"))
}

/// Refuses an order to be paid later if the account would hold too many IPs, or has too many unpaid orders. The
/// wallet must be locked.
pub fn check_hold(conn: &mut Conn, account_id: i64, wanted: u32, now: NaiveDateTime) -> Result<(), AppError> {
    check_unpaid(conn, account_id, now)?;
    let (limit, _) = hold_limit(conn, account_id)?;
    Ok(limit.check(held(conn, account_id)?, wanted)?)
}

/// Refuses if the account has too many unpaid orders. The wallet must be locked.
pub fn check_unpaid(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let unpaid = open_orders!(account_id)
        .filter(orders::kind.ne(OrderKind::TopUp))
        .filter(orders::expires_at.gt(now))
        .count()
        .get_result(conn)?;
    refuse_from(conn, Limit::UnpaidOrders, unpaid)
}

/// Refuses if the account has too many unpaid top-ups. The wallet must be locked.
pub fn check_top_ups(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let open = open_orders!(account_id)
        .filter(orders::kind.eq(OrderKind::TopUp))
        .filter(orders::expires_at.gt(now))
        .count()
        .get_result(conn)?;
    refuse_from(conn, Limit::OpenTopUps, open)
}

/// Refuses if the account has too many open card requests. The wallet must be locked.
pub fn check_card_requests(conn: &mut Conn, account_id: i64) -> Result<(), AppError> {
    let open = card_requests::table
        .filter(card_requests::account_id.eq(account_id))
        .filter(card_requests::state.eq(PaymentState::Pending))
        .count()
        .get_result(conn)?;
    refuse_from(conn, Limit::OpenCardRequests, open)
}

fn refuse_from(conn: &mut Conn, limit: Limit, open: i64) -> Result<(), AppError> {
    let most = most(conn, limit)?;
    if open < i64::from(most) {
        return Ok(());
    }
    Err(AppError::with(Code::ShownInPlace, json!({ "Key": limit.refusal(), "Max": most })))
}

/// Changes a limit.
pub fn set_limit(conn: &mut Conn, limit: Limit, value: i32, actor: &Actor, now: NaiveDateTime) -> Result<(), AppError> {
    let before = most(conn, limit)?;
    diesel::update(limits::table.find(limit)).set(limits::most.eq(value)).execute(conn)?;
    let change = AuditChange::between(AuditField::Value, before, value);
    audit::record(conn, actor, Entry::new(AuditAction::LimitChanged).subject(limit.as_str()).changes(change), now)
}

/// Sets how many IPs an account with at least this much money may hold; `None` removes the step.
pub fn set_step(
    conn: &mut Conn,
    min_standing: Money,
    max_ips: Option<i32>,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let step = hold_steps::table.find(min_standing.minor());
    let before: Option<i32> = step.select(hold_steps::max_ips).first(conn).optional()?;
    diesel::delete(hold_steps::table.find(min_standing.minor())).execute(conn)?;
    if let Some(max_ips) = max_ips {
        let row = (hold_steps::min_standing_minor.eq(min_standing.minor()), hold_steps::max_ips.eq(max_ips));
        diesel::insert_into(hold_steps::table).values(row).execute(conn)?;
    }
    let text = |ips: Option<i32>| ips.map(|ips| ips.to_string());
    let change = AuditChange { field: AuditField::Value, before: text(before), after: text(max_ips) };
    let entry = Entry::new(AuditAction::LimitChanged).subject(format!("held_ips from {min_standing}"));
    audit::record(conn, actor, entry.changes([change]), now)
}
