//! Moves money: balanced postings, and the wallet that they change.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::db::update_cached;
use crate::error::AppError;
use crate::schema::{ledger_entries, ledger_transactions, wallets};
use chrono::NaiveDateTime;
use postern_core::ledger::{Book, EntryKind, expense, posting};
use postern_core::money::{Currency, Money};

/// A money movement of one account. `amount` is positive; the kind decides the direction.
pub struct Movement {
    pub account_id: i64,
    pub kind: EntryKind,
    /// The book that is debited.
    pub source: Book,
    pub amount: Money,
    /// Unique, so that the same movement is never posted twice.
    pub reference: String,
    pub order_id: Option<i64>,
}

/// A locked wallet: its balance cannot change until the transaction ends or moves its money.
pub struct LockedWallet {
    account_id: i64,
    pub balance: Money,
    currency: Currency,
    is_watched: bool,
}

/// Locks the account's wallet until the transaction ends. Every transaction that moves money or creates orders for an account takes this
/// lock first, so that requests of one account are serialised.
pub fn lock_wallet(conn: &mut Conn, account_id: i64) -> Result<LockedWallet, AppError> {
    let wallet = wallets::table.find(account_id);
    let wallet = wallet.select((wallets::balance_minor, wallets::currency, wallets::is_watched));
    let (balance, currency, is_watched): (i64, Currency, bool) = wallet.locked().get_result(conn)?;
    Ok(LockedWallet { account_id, balance: Money::from_minor(balance), currency, is_watched })
}

/// The current balance of the account's wallet. For decisions, read it under `lock_wallet`.
pub fn balance_of(conn: &mut Conn, account_id: i64) -> Result<Money, AppError> {
    let balance = wallets::table.find(account_id).select(wallets::balance_minor).first(conn)?;
    Ok(Money::from_minor(balance))
}

/// Adds a balanced posting to the ledger and updates the wallet, or refuses if the wallet has too little.
pub fn move_money(conn: &mut Conn, movement: &Movement, now: NaiveDateTime) -> Result<(), AppError> {
    let wallet = lock_wallet(conn, movement.account_id)?;
    move_money_of(conn, wallet, movement, now).map(drop)
}

/// Adds a balanced posting for a wallet that is already locked, and updates its balance. Returns the transaction's id.
pub fn move_money_of(
    conn: &mut Conn,
    wallet: LockedWallet,
    movement: &Movement,
    now: NaiveDateTime,
) -> Result<i64, AppError> {
    let LockedWallet { account_id, balance, currency, is_watched } = wallet;
    if account_id != movement.account_id {
        return Err(AppError::internal("the movement is not of the locked wallet"));
    }
    let entries = posting(movement.kind, movement.source, movement.amount)?;
    let change = Money::sum(entries.iter().filter(|entry| entry.book == Book::Wallet).map(|entry| entry.amount))?;
    let expense = expense(&entries)?;
    let balance_after = balance.checked_add(change)?;
    if balance_after.is_negative() {
        return Err(AppError::balance_too_low(balance, movement.amount, currency));
    }
    let transaction_id: i64 = diesel::insert_into(ledger_transactions::table)
        .values((
            ledger_transactions::account_id.eq(account_id),
            ledger_transactions::kind.eq(movement.kind),
            ledger_transactions::reference.eq(&movement.reference),
            ledger_transactions::order_id.eq(movement.order_id),
            ledger_transactions::wallet_change_minor.eq(change.minor()),
            ledger_transactions::balance_after_minor.eq(balance_after.minor()),
            ledger_transactions::currency.eq(currency),
            ledger_transactions::created_at.eq(now),
        ))
        .returning(ledger_transactions::id)
        .get_result(conn)?;
    for entry in entries {
        diesel::insert_into(ledger_entries::table)
            .values((
                ledger_entries::transaction_id.eq(transaction_id),
                ledger_entries::book.eq(entry.book),
                ledger_entries::account_id.eq((entry.book == Book::Wallet).then_some(account_id)),
                ledger_entries::amount_minor.eq(entry.amount.minor()),
            ))
            .execute(conn)?;
    }
    let moved = diesel::update(wallets::table.find(account_id)).set((
        wallets::balance_minor.eq(balance_after.minor()),
        wallets::total_expenses_minor.eq(wallets::total_expenses_minor + expense.minor()),
        wallets::next_look_at.eq(is_watched.then_some(now)),
    ));
    update_cached(conn, moved.returning(wallets::account_id))?;
    Ok(transaction_id)
}
