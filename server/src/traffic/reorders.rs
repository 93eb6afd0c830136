//! Automatic reorders: traffic bought from the wallet when less than the customer's threshold is left.
use crate::accounts::queries::order_terms;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::fulfilment::fulfil::pay_from_wallet;
use crate::ledger::lock_wallet;
use crate::mails;
use crate::payments::auto_top_ups;
use crate::schema::{accounts, orders, refunds, traffic_accounts, traffic_batches, traffic_reorders};
use crate::security::SecretKey;
use crate::traffic::prices::traffic_for_sale;
use crate::traffic::purchase::insert_order;
use crate::traffic::types::ReorderView;
use crate::traffic_batches::{batches_since, lock_account, signed, unsigned};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::AccountState;
use postern_core::auto_top_up::{SUSPENDED_HOURS, month_around};
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use postern_core::proxy_user::format_gigabytes;
use postern_core::reorder::{
    RETRY_MINUTES, Reorder, ReorderDecision, ReorderFailure, ReorderForm, decide_reorder, next_retry, validate_reorder,
};
use postern_core::time::to_wire;
use postern_core::traffic::{TrafficRequest, left_now};
use serde_json::json;

/// How long a reorder waits for a pending automatic top-up.
const TOP_UP_SECONDS: i64 = 60;

#[derive(Queryable, Selectable)]
#[diesel(table_name = traffic_reorders)]
struct Row {
    is_on: bool,
    threshold_bytes: i64,
    gigabytes: i32,
    period_days: i32,
    monthly_limit_minor: i64,
    failure: Option<ReorderFailure>,
    failed_at: Option<NaiveDateTime>,
    limit_told_at: Option<NaiveDateTime>,
}

impl Row {
    fn settings(&self) -> Result<Reorder, AppError> {
        let number = |number: i32| u32::try_from(number).map_err(|_| AppError::internal("a reorder below zero"));
        let request = TrafficRequest { gigabytes: number(self.gigabytes)?, period_days: number(self.period_days)? };
        let monthly_limit = Money::from_minor(self.monthly_limit_minor);
        Ok(Reorder { threshold_bytes: unsigned(self.threshold_bytes)?, request, monthly_limit })
    }
}

fn find(conn: &mut Conn, account_id: i64) -> Result<Option<Row>, AppError> {
    Ok(traffic_reorders::table.find(account_id).select(Row::as_select()).first(conn).optional()?)
}

/// The cost of reorders since this time, net of their refunds.
fn spent_since(conn: &mut Conn, account_id: i64, since: NaiveDateTime) -> Result<Money, AppError> {
    let reordered: Vec<(i64, i64)> = traffic_batches::table
        .inner_join(orders::table.on(orders::id.eq(traffic_batches::order_id)))
        .filter(traffic_batches::account_id.eq(account_id))
        .filter(traffic_batches::is_reorder.eq(true))
        .filter(traffic_batches::begins_at.ge(since))
        .select((orders::id, orders::total_minor))
        .load(conn)?;
    let order_ids = reordered.iter().map(|order| order.0);
    let of_orders = refunds::table.filter(refunds::order_id.eq_any(order_ids));
    let given_back: Vec<i64> = of_orders.select(refunds::amount_minor).load(conn)?;
    let minors = reordered.iter().map(|order| order.1).chain(given_back.into_iter().map(|minor| -minor));
    Ok(Money::sum(minors.map(Money::from_minor))?)
}

/// The automatic reorder as shown to the customer; `None` if it was never set.
pub fn view(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Option<ReorderView>, AppError> {
    let Some(row) = find(conn, account_id)? else { return Ok(None) };
    let Reorder { threshold_bytes, request, monthly_limit } = row.settings()?;
    Ok(Some(ReorderView {
        is_on: row.is_on,
        threshold_gigabytes: format_gigabytes(threshold_bytes),
        gigabytes: request.gigabytes,
        period_days: request.period_days,
        monthly_limit,
        spent_this_month: spent_since(conn, account_id, month_around(now).0)?,
        failure: row.failure,
        failed_at: row.failed_at.map(to_wire),
    }))
}

/// Turns automatic reorders on with these settings, or off; the latest settings are kept. The wallet must be locked.
pub fn set(conn: &mut Conn, account_id: i64, form: &ReorderForm, now: NaiveDateTime) -> Result<(), AppError> {
    let terms = order_terms(conn, account_id, None)?;
    let settings = validate_reorder(form, &traffic_for_sale(conn)?, &terms)?;
    lock_account(conn, account_id)?;
    let kept = traffic_reorders::table.find(account_id);
    let fresh = (
        traffic_reorders::failure.eq(None::<ReorderFailure>),
        traffic_reorders::failed_at.eq(None::<NaiveDateTime>),
        traffic_reorders::limit_told_at.eq(None::<NaiveDateTime>),
    );
    let Some(settings) = settings else {
        diesel::update(kept).set((traffic_reorders::is_on.eq(false), fresh)).execute(conn)?;
        return schedule_check(conn, account_id, None);
    };
    let number = |number: u32| i32::try_from(number).map_err(|_| AppError::internal("a reorder is too large"));
    let row = (
        traffic_reorders::is_on.eq(true),
        traffic_reorders::threshold_bytes.eq(signed(settings.threshold_bytes)?),
        traffic_reorders::gigabytes.eq(number(settings.request.gigabytes)?),
        traffic_reorders::period_days.eq(number(settings.request.period_days)?),
        traffic_reorders::monthly_limit_minor.eq(settings.monthly_limit.minor()),
        traffic_reorders::agreed_at.eq(now),
        fresh,
    );
    if diesel::update(kept).set(row).execute(conn)? == 0 {
        // The wallet's lock prevents duplicates.
        let row = (traffic_reorders::account_id.eq(account_id), row);
        diesel::insert_into(traffic_reorders::table).values(row).execute(conn)?;
    }
    schedule_check(conn, account_id, Some(now))
}

/// Accounts that are due for a check.
pub fn due(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<i64>, AppError> {
    let due = traffic_accounts::table.filter(traffic_accounts::next_look_at.le(now));
    Ok(due.order(traffic_accounts::next_look_at).limit(500).select(traffic_accounts::account_id).load(conn)?)
}

fn schedule_check(conn: &mut Conn, account_id: i64, at: Option<NaiveDateTime>) -> Result<(), AppError> {
    let account = traffic_accounts::table.find(account_id);
    diesel::update(account).set(traffic_accounts::next_look_at.eq(at)).execute(conn)?;
    Ok(())
}

/// Checks a due account. The locks of wallet and traffic serialise processes; the second one finds enough left.
pub fn check_account(conn: &mut Conn, key: &SecretKey, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    lock_wallet(conn, account_id)?;
    lock_account(conn, account_id)?;
    let again_at = match find(conn, account_id)?.filter(|row| row.is_on) {
        Some(row) => reorder_if_due(conn, key, account_id, &row, now)?,
        None => None,
    };
    schedule_check(conn, account_id, again_at)
}

/// Reorders if too little is left, and returns when to check again even if nothing is used.
fn reorder_if_due(
    conn: &mut Conn,
    key: &SecretKey,
    account_id: i64,
    row: &Row,
    now: NaiveDateTime,
) -> Result<Option<NaiveDateTime>, AppError> {
    let (settings, left) = (row.settings()?, left_now(&batches_since(conn, account_id, now)?, now));
    let (month_began_at, month_ends_at) = month_around(now);
    let spent = spent_since(conn, account_id, month_began_at)?;
    let (shop, terms) = (traffic_for_sale(conn)?, order_terms(conn, account_id, None)?);
    let wallet = lock_wallet(conn, account_id)?;
    let decision = decide_reorder(&settings, left, &shop, &terms, spent, wallet.balance);
    if decision != ReorderDecision::Nothing && is_suspended(conn, account_id)? {
        return Ok(Some(now + TimeDelta::hours(SUSPENDED_HOURS)));
    }
    let about = json!({
        "LeftGigabytes": format_gigabytes(left),
        "Gigabytes": settings.request.gigabytes,
        "Minutes": RETRY_MINUTES,
        "Limit": settings.monthly_limit.display(shop.currency),
        "Spent": spent.display(shop.currency),
    });
    match decision {
        ReorderDecision::Nothing => {
            forget_failure(conn, account_id, row)?;
            first_end(conn, account_id, now)
        }
        ReorderDecision::Buy(quote) => {
            let order = insert_order(conn, account_id, &quote, None, now)?;
            pay_from_wallet(conn, key, &order, now)?;
            let batch = traffic_batches::table.filter(traffic_batches::order_id.eq(order.id));
            diesel::update(batch).set(traffic_batches::is_reorder.eq(true)).execute(conn)?;
            forget_failure(conn, account_id, row)?;
            first_end(conn, account_id, now)
        }
        ReorderDecision::LimitReached => {
            if row.limit_told_at.is_none_or(|told_at| told_at < month_began_at) {
                let told = traffic_reorders::limit_told_at.eq(now);
                diesel::update(traffic_reorders::table.find(account_id)).set(told).execute(conn)?;
                let data = json!({ "Limit": settings.monthly_limit, "Currency": shop.currency });
                events::record(conn, account_id, EventKind::TrafficReorderLimit, &data, now)?;
                mails::queue_for_account(
                    conn,
                    account_id,
                    EventKind::TrafficReorderLimit,
                    MailTemplate::ReorderLimit,
                    &about,
                    now,
                )?;
            }
            Ok(Some(month_ends_at))
        }
        ReorderDecision::Fail(failure) => {
            if failure == ReorderFailure::BalanceTooLow {
                auto_top_ups::begin_if_due(conn, account_id, &wallet, now)?;
                if auto_top_ups::is_charging(conn, account_id)? {
                    return Ok(Some(now + TimeDelta::seconds(TOP_UP_SECONDS)));
                }
            }
            note_failure(conn, account_id, row, failure, about, now)?;
            Ok(Some(next_retry(now)))
        }
    }
}

fn is_suspended(conn: &mut Conn, account_id: i64) -> Result<bool, AppError> {
    let state: AccountState = accounts::table.find(account_id).select(accounts::state).first(conn)?;
    Ok(state != AccountState::Active)
}

/// When the first batch ends, after which the rest may be below the threshold. One that another process has bought meanwhile may begin after `now`.
fn first_end(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Option<NaiveDateTime>, AppError> {
    Ok(batches_since(conn, account_id, now)?.into_iter().filter_map(|batch| batch.ends_at).min())
}

/// Mails about the first failure; further ones for the same reason only count as retries.
fn note_failure(
    conn: &mut Conn,
    account_id: i64,
    row: &Row,
    failure: ReorderFailure,
    mut about: serde_json::Value,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let noted = (traffic_reorders::failure.eq(failure), traffic_reorders::failed_at.eq(now));
    diesel::update(traffic_reorders::table.find(account_id)).set(noted).execute(conn)?;
    if row.failure == Some(failure) {
        return Ok(());
    }
    events::record(conn, account_id, EventKind::TrafficReorderFailed, &json!({ "Reason": failure }), now)?;
    about["ReasonKey"] = format!("billing:reorderFailure.{}", failure.as_str()).into();
    mails::queue_for_account(
        conn,
        account_id,
        EventKind::TrafficReorderFailed,
        MailTemplate::ReorderFailed,
        &about,
        now,
    )
}

fn forget_failure(conn: &mut Conn, account_id: i64, row: &Row) -> Result<(), AppError> {
    if row.failure.is_none() {
        return Ok(());
    }
    let none =
        (traffic_reorders::failure.eq(None::<ReorderFailure>), traffic_reorders::failed_at.eq(None::<NaiveDateTime>));
    diesel::update(traffic_reorders::table.find(account_id)).set(none).execute(conn)?;
    Ok(())
}
