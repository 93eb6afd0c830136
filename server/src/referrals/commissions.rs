//! The state machine of commissions and its only writer: earned when an order is paid, available after their pending time, reversed by refunds,
//! refused by operators.
//!
//! An order's payment and its refund hold the buyer's wallet lock. A refund of a moved commission locks the referrer's wallet after it: an account is
//! always referred by an older one, so this cannot deadlock.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::ledger::{Movement, lock_wallet, move_money_of};
use crate::order_rows::rows::OrderRow;
use crate::referrals::rules::rate_of;
use crate::referrals::{doubts, rows};
use crate::schema::{
    accounts, commission_losses, commission_take_backs, commissions, referral_rules, referrals, referrers, wallets,
};
use crate::state::App;
use chrono::NaiveDateTime;
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::event::EventKind;
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::Money;
use postern_core::order::OrderKind;
use postern_core::referral::{
    CommissionEvent, CommissionState, ReferralReview, available_at, commission, commission_clawback,
    next_commission_state,
};
use serde_json::json;

/// Accounts processed per round.
const ACCOUNTS: i64 = 200;

/// The state after an event, by core's table.
pub(super) fn next(state: CommissionState, event: CommissionEvent) -> Result<CommissionState, AppError> {
    next_commission_state(state, event).map_err(|refused| AppError::state_forbids(refused.state.as_str()))
}

/// Records the commission of a newly paid order for the referrer of its account.
pub fn earn(conn: &mut Conn, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let referral: Option<(i64, ReferralReview, i32)> = referrals::table
        .inner_join(referral_rules::table.on(referral_rules::id.nullable().eq(referrals::rule_id)))
        .inner_join(accounts::table.on(accounts::id.eq(referrals::referrer_id)))
        .filter(referrals::account_id.eq(order.account_id))
        .filter(accounts::closed_at.is_null())
        .select((referrals::referrer_id, referrals::review, referral_rules::rate_basis_points))
        .first(conn)
        .optional()?;
    let Some((referrer_id, review, rate)) = referral.filter(|(_, review, _)| review.earns()) else { return Ok(()) };
    let amount = commission(order.kind, Money::from_minor(order.total_minor), Money::ZERO, rate_of(rate)?)?;
    if amount.is_zero() {
        return Ok(());
    }
    let available_at = available_at(now).ok_or_else(|| AppError::internal("a commission is pending too long"))?;
    let row = (
        commissions::referrer_id.eq(referrer_id),
        commissions::account_id.eq(order.account_id),
        commissions::order_id.eq(order.id),
        commissions::rate_basis_points.eq(rate),
        commissions::earned_minor.eq(amount.minor()),
        commissions::amount_minor.eq(amount.minor()),
        commissions::currency.eq(order.currency),
        commissions::state.eq(CommissionState::Pending),
        commissions::available_at.eq(available_at),
        commissions::created_at.eq(now),
    );
    diesel::insert_into(commissions::table).values(row).execute(conn)?;
    if review == ReferralReview::None {
        doubts::flag_shared_traces(conn, referrer_id, order.account_id)?;
    }
    let data = json!({ "Amount": amount, "Currency": order.currency });
    events::record(conn, referrer_id, EventKind::CommissionEarned, &data, now)
}

#[derive(Queryable)]
struct Earned {
    id: i64,
    referrer_id: i64,
    rate: i32,
    amount_minor: i64,
    state: CommissionState,
}

/// Why a commission is reversed.
#[derive(Clone, Copy)]
pub enum Cause {
    Refund(i64),
    /// The gateway took back the money of the order, and its customer owes it.
    Return(i64),
}

/// Reverses the part of an order's commission that a refund or a return invalidates. `gone` is what of the order's price was refunded or lost in all.
/// The buyer's wallet is locked, and no invoice has been issued yet: issuing blocks other transactions, which may hold the referrer's wallet.
pub fn take_back_of(
    conn: &mut Conn,
    order: &OrderRow,
    cause: Cause,
    gone: Money,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let of_order = commissions::table.filter(commissions::order_id.eq(order.id)).select((
        commissions::id,
        commissions::referrer_id,
        commissions::rate_basis_points,
        commissions::amount_minor,
        commissions::state,
    ));
    let earned: Option<Earned> = of_order.locked().get_result(conn).optional()?;
    let Some(earned) = earned else { return Ok(()) };
    let before = Money::from_minor(earned.amount_minor);
    let paid = Money::from_minor(order.total_minor);
    let after = commission(order.kind, paid, gone, rate_of(earned.rate)?)?.min(before);
    // A refused commission does not belong to the referrer.
    if before == after || earned.state == CommissionState::Refused {
        return Ok(());
    }
    let wallet = match earned.state {
        CommissionState::Moved => Some(lock_wallet(conn, earned.referrer_id)?),
        _ => None,
    };
    let balance = wallet.as_ref().map_or(Money::ZERO, |wallet| wallet.balance);
    let taken = commission_clawback(earned.state, before, after, balance)?;
    if let (Some(wallet), false) = (wallet, taken.from_wallet.is_zero()) {
        let movement = Movement {
            account_id: earned.referrer_id,
            kind: EntryKind::CommissionTakenBack,
            source: Book::Wallet,
            amount: taken.from_wallet,
            reference: match cause {
                Cause::Refund(id) => taken_back_reference(id),
                Cause::Return(id) => lost_reference(id, earned.id),
            },
            order_id: None,
        };
        move_money_of(conn, wallet, &movement, now)?;
    }
    if !taken.owed.is_zero() {
        owe(conn, earned.referrer_id, taken.owed)?;
    }
    let (from_commission, from_wallet, owed) =
        (taken.from_commission.minor(), taken.from_wallet.minor(), taken.owed.minor());
    match cause {
        Cause::Refund(id) => {
            let row = (
                commission_take_backs::commission_id.eq(earned.id),
                commission_take_backs::refund_id.eq(id),
                commission_take_backs::from_commission_minor.eq(from_commission),
                commission_take_backs::from_wallet_minor.eq(from_wallet),
                commission_take_backs::owed_minor.eq(owed),
                commission_take_backs::created_at.eq(now),
            );
            diesel::insert_into(commission_take_backs::table).values(row).execute(conn)?;
        }
        Cause::Return(id) => {
            let row = (
                commission_losses::commission_id.eq(earned.id),
                commission_losses::return_id.eq(id),
                commission_losses::from_commission_minor.eq(from_commission),
                commission_losses::from_wallet_minor.eq(from_wallet),
                commission_losses::owed_minor.eq(owed),
                commission_losses::created_at.eq(now),
            );
            diesel::insert_into(commission_losses::table).values(row).execute(conn)?;
        }
    }
    let state = if after.is_zero() { next(earned.state, CommissionEvent::TakeBack)? } else { earned.state };
    let left = (commissions::amount_minor.eq(after.minor()), commissions::state.eq(state));
    diesel::update(commissions::table.find(earned.id)).set(left).execute(conn)?;
    Ok(())
}

/// The ledger reference of a reversal from a referrer's wallet.
pub fn taken_back_reference(refund_id: i64) -> String {
    format!("commission taken back by refund {refund_id}")
}

/// The ledger reference of a reversal because of a return.
pub fn lost_reference(return_id: i64, commission_id: i64) -> String {
    format!("commission {commission_id} taken back by return {return_id}")
}

/// Adds to the amount that a referrer owes. The referrer's wallet must be locked.
fn owe(conn: &mut Conn, account_id: i64, amount: Money) -> Result<(), AppError> {
    let change = referrers::owed_minor.eq(referrers::owed_minor + amount.minor());
    if diesel::update(referrers::table.find(account_id)).set(change).execute(conn)? == 0 {
        let row = (referrers::account_id.eq(account_id), referrers::owed_minor.eq(amount.minor()));
        diesel::insert_into(referrers::table).values(row).execute(conn)?;
    }
    Ok(())
}

/// Makes commissions available whose pending time is over, unless they are held, or their customer owes.
pub async fn mature(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = app.db.read(move |conn| {
        // Written as in the condition of the partial index.
        let owing = wallets::table.filter(sql::<Bool>("wallets.owed_minor > 0")).select(wallets::account_id);
        let due = commissions::table
            .inner_join(referrals::table.on(referrals::account_id.eq(commissions::account_id)))
            // Written as in the condition of the partial index.
            .filter(sql::<Bool>("commissions.state = 'pending'"))
            .filter(commissions::available_at.le(now))
            .filter(referrals::review.ne(ReferralReview::ToReview))
            .filter(commissions::account_id.ne_all(owing));
        Ok(due.select(commissions::account_id).distinct().limit(ACCOUNTS).load::<i64>(conn)?)
    });
    let mut result = Ok(());
    for account_id in due.await? {
        if let Err(error) = app.db.write(move |conn| mature_of(conn, account_id, now)).await {
            tracing::error!(account_id, %error, "commissions could not be made available");
            result = Err(error);
        }
    }
    result
}

/// Makes the due commissions of an account available, after checking again for a self-referral: evidence may have appeared after the order.
pub fn mature_of(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let Some((referrer_id, review)) = rows::lock(conn, account_id)? else { return Ok(()) };
    let is_doubted = review == ReferralReview::None && doubts::flag_shared_traces(conn, referrer_id, account_id)?;
    let owed: i64 = wallets::table.find(account_id).select(wallets::owed_minor).first(conn)?;
    if review.holds() || is_doubted || owed > 0 {
        return Ok(());
    }
    let to = next(CommissionState::Pending, CommissionEvent::Mature)?;
    let due = commissions::table
        .filter(commissions::account_id.eq(account_id))
        .filter(commissions::state.eq(CommissionState::Pending))
        .filter(commissions::available_at.le(now));
    diesel::update(due).set(commissions::state.eq(to)).execute(conn)?;
    Ok(())
}

/// Refuses the pending commissions of a locked referral.
pub fn refuse(conn: &mut Conn, account_id: i64) -> Result<(), AppError> {
    let to = next(CommissionState::Pending, CommissionEvent::Refuse)?;
    let pending = commissions::table
        .filter(commissions::account_id.eq(account_id))
        .filter(commissions::state.eq(CommissionState::Pending));
    diesel::update(pending).set(commissions::state.eq(to)).execute(conn)?;
    Ok(())
}

/// Whether orders of this kind can earn commission; saves a query for top-ups.
pub fn can_earn(kind: OrderKind) -> bool {
    postern_core::referral::earns_commission(kind)
}

/// Marks available commissions as moved, with their amounts.
pub(super) fn mark_moved(conn: &mut Conn, ids: &[i64], move_id: i64) -> Result<(), AppError> {
    let to = next(CommissionState::Available, CommissionEvent::Move)?;
    for chunk in ids.chunks(1_000) {
        let available = commissions::table
            .filter(commissions::id.eq_any(chunk))
            .filter(commissions::state.eq(CommissionState::Available));
        let moved = (
            commissions::state.eq(to),
            commissions::move_id.eq(move_id),
            commissions::moved_minor.eq(commissions::amount_minor.nullable()),
        );
        if diesel::update(available).set(moved).execute(conn)? != chunk.len() {
            return Err(AppError::concurrent_change());
        }
    }
    Ok(())
}
