//! Checks that commissions, their reversals by refunds, and moves to wallets agree with the ledger.
use super::found::{CHUNK, Verification, money};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::referrals::commissions::{lost_reference, taken_back_reference};
use crate::referrals::moves::move_reference;
use crate::schema::{
    commission_losses, commission_moves, commission_take_backs, commissions, ledger_transactions, orders, referrers,
};
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use postern_core::ledger::EntryKind;
use postern_core::money::Money;
use postern_core::order::OrderKind;
use postern_core::referral::{CommissionState, commission};
use std::collections::HashMap;

pub fn verify(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    verify_commissions(conn, found)?;
    verify_moves(conn, found)?;
    verify_take_backs(conn, found)?;
    verify_owed(conn, found)
}

#[derive(Queryable)]
struct Earned {
    id: i64,
    rate: i32,
    earned: i64,
    amount: i64,
    state: CommissionState,
    kind: OrderKind,
    total: i64,
    refunded: i64,
    lost: i64,
}

/// Each commission is its share of its order, less reversals.
fn verify_commissions(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let mut last = 0;
    loop {
        let rows: Vec<Earned> = commissions::table
            .inner_join(orders::table.on(orders::id.eq(commissions::order_id)))
            .filter(commissions::id.gt(last))
            .order(commissions::id)
            .limit(CHUNK)
            .select((
                commissions::id,
                commissions::rate_basis_points,
                commissions::earned_minor,
                commissions::amount_minor,
                commissions::state,
                orders::kind,
                orders::total_minor,
                orders::refunded_minor,
                orders::lost_minor,
            ))
            .load(conn)?;
        let Some(end) = rows.last() else { return Ok(()) };
        last = end.id;
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let lost: Vec<(i64, i64)> = commission_losses::table
            .filter(commission_losses::commission_id.eq_any(&ids))
            .group_by(commission_losses::commission_id)
            .select((
                commission_losses::commission_id,
                sql::<BigInt>("CAST(sum(from_commission_minor + from_wallet_minor + owed_minor) AS BIGINT)"),
            ))
            .load(conn)?;
        let taken: Vec<(i64, i64)> = commission_take_backs::table
            .filter(commission_take_backs::commission_id.eq_any(ids))
            .group_by(commission_take_backs::commission_id)
            .select((
                commission_take_backs::commission_id,
                sql::<BigInt>("CAST(sum(from_commission_minor + from_wallet_minor + owed_minor) AS BIGINT)"),
            ))
            .load(conn)?;
        let mut back_of: HashMap<i64, i64> = taken.into_iter().collect();
        for (id, amount) in lost {
            *back_of.entry(id).or_default() += amount;
        }
        for row in rows {
            let rate = u32::try_from(row.rate).unwrap_or(u32::MAX);
            let share = |gone: i64| commission(row.kind, money(row.total), money(gone.min(row.total)), rate);
            if share(0) != Ok(money(row.earned)) {
                found.problem(format!(
                    "commission {} is {}, which is not its order's share",
                    row.id,
                    money(row.earned)
                ));
            }
            if row.state != CommissionState::Refused && share(row.refunded + row.lost) != Ok(money(row.amount)) {
                let amount = money(row.amount);
                found.problem(format!("commission {} is {amount} after refunds, which is not its share", row.id));
            }
            let back = back_of.get(&row.id).copied().unwrap_or_default();
            if row.earned - back != row.amount {
                let [earned, back, amount] = [row.earned, back, row.amount].map(money);
                found.problem(format!("commission {} was {earned}, {back} was reversed, {amount} is left", row.id));
            }
        }
    }
}

/// The wallet changes posted under these references.
fn posted(conn: &mut Conn, kind: EntryKind, references: Vec<String>) -> Result<HashMap<String, i64>, AppError> {
    let rows: Vec<(String, i64)> = ledger_transactions::table
        .filter(ledger_transactions::reference.eq_any(references))
        .filter(ledger_transactions::kind.eq(kind))
        .select((ledger_transactions::reference, ledger_transactions::wallet_change_minor))
        .load(conn)?;
    Ok(rows.into_iter().collect())
}

fn count_posted(conn: &mut Conn, kind: EntryKind) -> Result<i64, AppError> {
    Ok(ledger_transactions::table.filter(ledger_transactions::kind.eq(kind)).count().get_result(conn)?)
}

/// Each move is posted once, and is the sum of its commissions less the amount owed.
fn verify_moves(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let (mut last, mut count) = (0, 0);
    loop {
        let rows: Vec<(i64, i64, i64)> = commission_moves::table
            .filter(commission_moves::id.gt(last))
            .order(commission_moves::id)
            .limit(CHUNK)
            .select((commission_moves::id, commission_moves::amount_minor, commission_moves::owed_minor))
            .load(conn)?;
        let Some(end) = rows.last() else { break };
        last = end.0;
        count += rows.len() as i64;
        let ids: Vec<i64> = rows.iter().map(|row| row.0).collect();
        let moved: Vec<(Option<i64>, i64)> = commissions::table
            .filter(commissions::move_id.eq_any(ids.iter().copied().map(Some).collect::<Vec<_>>()))
            .group_by(commissions::move_id)
            .select((commissions::move_id, sql::<BigInt>("CAST(sum(moved_minor) AS BIGINT)")))
            .load(conn)?;
        let moved: HashMap<i64, i64> = moved.into_iter().filter_map(|(id, sum)| Some((id?, sum))).collect();
        let posted = posted(conn, EntryKind::Commission, ids.iter().map(|id| move_reference(*id)).collect())?;
        for (id, amount, owed) in rows {
            let sum = moved.get(&id).copied().unwrap_or_default();
            if sum != amount + owed {
                let [sum, amount, owed] = [sum, amount, owed].map(money);
                found.problem(format!("move {id} of commissions of {sum} moved {amount} and paid off {owed}"));
            }
            if posted.get(&move_reference(id)) != Some(&amount) {
                found.problem(format!("move {id} of commissions, {}, is not in the ledger like this", money(amount)));
            }
        }
    }
    if count_posted(conn, EntryKind::Commission)? != count {
        found.problem("the ledger has commissions that no move brought".to_owned());
    }
    Ok(())
}

/// Each reversal from a wallet is posted once.
fn verify_take_backs(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let (mut last, mut count) = (0, 0);
    loop {
        let rows: Vec<(i64, i64, i64)> = commission_take_backs::table
            .filter(commission_take_backs::id.gt(last))
            .filter(commission_take_backs::from_wallet_minor.gt(0))
            .order(commission_take_backs::id)
            .limit(CHUNK)
            .select((
                commission_take_backs::id,
                commission_take_backs::refund_id,
                commission_take_backs::from_wallet_minor,
            ))
            .load(conn)?;
        let Some(end) = rows.last() else { break };
        last = end.0;
        count += rows.len() as i64;
        let references = rows.iter().map(|row| taken_back_reference(row.1)).collect();
        let posted = posted(conn, EntryKind::CommissionTakenBack, references)?;
        for (_, refund_id, amount) in rows {
            if posted.get(&taken_back_reference(refund_id)) != Some(&-amount) {
                let amount = money(amount);
                found.problem(format!(
                    "refund {refund_id} reversed {amount} of a commission, which is not in the ledger"
                ));
            }
        }
    }
    count += verify_losses(conn, found)?;
    if count_posted(conn, EntryKind::CommissionTakenBack)? != count {
        found.problem("the ledger has reversals of commissions without a cause".to_owned());
    }
    Ok(())
}

/// Each reversal by a return from a wallet is posted once. Returns how many there are.
fn verify_losses(conn: &mut Conn, found: &mut Verification) -> Result<i64, AppError> {
    let (mut last, mut count) = (0, 0);
    loop {
        let rows: Vec<(i64, i64, i64, i64)> = commission_losses::table
            .filter(commission_losses::id.gt(last))
            .filter(commission_losses::from_wallet_minor.gt(0))
            .order(commission_losses::id)
            .limit(CHUNK)
            .select((
                commission_losses::id,
                commission_losses::return_id,
                commission_losses::commission_id,
                commission_losses::from_wallet_minor,
            ))
            .load(conn)?;
        let Some(end) = rows.last() else { return Ok(count) };
        last = end.0;
        count += rows.len() as i64;
        let references = rows.iter().map(|row| lost_reference(row.1, row.2)).collect();
        let posted = posted(conn, EntryKind::CommissionTakenBack, references)?;
        for (_, return_id, commission_id, amount) in rows {
            if posted.get(&lost_reference(return_id, commission_id)) != Some(&-amount) {
                let amount = money(amount);
                found.problem(format!(
                    "return {return_id} reversed {amount} of a commission, which is not in the ledger"
                ));
            }
        }
    }
}

/// A referrer owes the reversals that the wallet could not cover, less the amounts paid off by moves.
fn verify_owed(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let due: Vec<(i64, i64)> = commission_take_backs::table
        .inner_join(commissions::table.on(commissions::id.eq(commission_take_backs::commission_id)))
        .filter(commission_take_backs::owed_minor.gt(0))
        .group_by(commissions::referrer_id)
        .select((commissions::referrer_id, sql::<BigInt>("CAST(sum(commission_take_backs.owed_minor) AS BIGINT)")))
        .load(conn)?;
    let lost: Vec<(i64, i64)> = commission_losses::table
        .inner_join(commissions::table.on(commissions::id.eq(commission_losses::commission_id)))
        .filter(commission_losses::owed_minor.gt(0))
        .group_by(commissions::referrer_id)
        .select((commissions::referrer_id, sql::<BigInt>("CAST(sum(commission_losses.owed_minor) AS BIGINT)")))
        .load(conn)?;
    let paid_off: Vec<(i64, i64)> = commission_moves::table
        .filter(commission_moves::owed_minor.gt(0))
        .group_by(commission_moves::account_id)
        .select((commission_moves::account_id, sql::<BigInt>("CAST(sum(owed_minor) AS BIGINT)")))
        .load(conn)?;
    let stored: Vec<(i64, i64)> = referrers::table.select((referrers::account_id, referrers::owed_minor)).load(conn)?;
    let mut owed: HashMap<i64, i64> = HashMap::new();
    for (account_id, amount) in due.into_iter().chain(lost) {
        *owed.entry(account_id).or_default() += amount;
    }
    for (account_id, amount) in paid_off.into_iter().chain(stored) {
        *owed.entry(account_id).or_default() -= amount;
    }
    for (account_id, difference) in owed.into_iter().filter(|(_, difference)| *difference != 0) {
        let difference = Money::from_minor(difference);
        found.problem(format!("referrer {account_id} owes {difference} more than is recorded"));
    }
    Ok(())
}
