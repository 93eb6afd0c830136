//! Moving available commissions to the referrer's wallet.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::ledger::{Movement, lock_wallet, move_money_of};
use crate::referrals::commissions::mark_moved;
use crate::referrals::types::Moved;
use crate::schema::{commission_moves, commissions, referrers, wallets};
use chrono::NaiveDateTime;
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::{Currency, Money};
use postern_core::referral::movable_amount;

/// The ledger reference of a move.
pub fn move_reference(move_id: i64) -> String {
    format!("commissions moved {move_id}")
}

/// The amount that a referrer owes.
pub fn owed(conn: &mut Conn, account_id: i64) -> Result<Money, AppError> {
    let owed: Option<i64> = referrers::table.find(account_id).select(referrers::owed_minor).first(conn).optional()?;
    Ok(Money::from_minor(owed.unwrap_or_default()))
}

/// Moves all available commissions, less the amount owed. The wallet's lock serialises concurrent calls of one account; the second one finds nothing
/// to move.
pub fn move_to_wallet(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Moved, AppError> {
    let wallet = lock_wallet(conn, account_id)?;
    let available = commissions::table
        .filter(commissions::referrer_id.eq(account_id))
        // Written as in the condition of the partial index.
        .filter(sql::<Bool>("state = 'available'"))
        .order(commissions::id)
        .select((commissions::id, commissions::amount_minor));
    // A concurrent refund may reverse some of them.
    let rows: Vec<(i64, i64)> = available.locked().load(conn)?;
    let available = Money::sum(rows.iter().map(|row| Money::from_minor(row.1)))?;
    let owed = owed(conn, account_id)?;
    let amount = movable_amount(available, owed)?;
    if amount.is_zero() {
        return Err(AppError::in_place("nothingToMove"));
    }
    let currency: Currency = wallets::table.find(account_id).select(wallets::currency).first(conn)?;
    let row = (
        commission_moves::account_id.eq(account_id),
        commission_moves::amount_minor.eq(amount.minor()),
        commission_moves::owed_minor.eq(owed.minor()),
        commission_moves::currency.eq(currency),
        commission_moves::created_at.eq(now),
    );
    let move_id: i64 =
        diesel::insert_into(commission_moves::table).values(row).returning(commission_moves::id).get_result(conn)?;
    let ids: Vec<i64> = rows.iter().map(|row| row.0).collect();
    mark_moved(conn, &ids, move_id)?;
    if !owed.is_zero() {
        diesel::update(referrers::table.find(account_id)).set(referrers::owed_minor.eq(0)).execute(conn)?;
    }
    let balance = wallet.balance.checked_add(amount)?;
    let movement = Movement {
        account_id,
        kind: EntryKind::Commission,
        source: Book::Commission,
        amount,
        reference: move_reference(move_id),
        order_id: None,
    };
    move_money_of(conn, wallet, &movement, now)?;
    Ok(Moved { amount, owed, balance, currency })
}
