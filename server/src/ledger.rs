//! Moves money: balanced postings, and the wallet that they change.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::db::update_cached;
use crate::error::AppError;
use crate::schema::{ledger_entries, ledger_transactions, wallets};
use chrono::NaiveDateTime;
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::code::Code;
use postern_core::ledger::{Book, EntryKind, expense, posting};
use postern_core::money::{Currency, Money};
use serde_json::json;

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
    /// What its customer owes. A wallet that owes is empty: what comes in pays the debt first.
    pub owed: Money,
    currency: Currency,
    is_watched: bool,
}

impl LockedWallet {
    /// What can be spent after this much has come in.
    pub fn available_with(&self, amount: Money) -> Result<Money, AppError> {
        Ok(self.balance.checked_add(amount)?.checked_sub(self.owed)?.max(Money::ZERO))
    }

    /// Refuses to sell to a customer who owes, with `walletOwes`.
    pub fn refuse_owing(&self) -> Result<(), AppError> {
        if self.owed.is_zero() {
            return Ok(());
        }
        let owed = self.owed.display(self.currency);
        Err(AppError::with(Code::ShownInPlace, json!({ "Key": "walletOwes", "Owed": owed })))
    }
}

/// Locks the account's wallet until the transaction ends. Every transaction that moves money or creates orders for an account takes this
/// lock first, so that requests of one account are serialised.
pub fn lock_wallet(conn: &mut Conn, account_id: i64) -> Result<LockedWallet, AppError> {
    let wallet = wallets::table.find(account_id);
    let wallet = wallet.select((wallets::balance_minor, wallets::owed_minor, wallets::currency, wallets::is_watched));
    let (balance, owed, currency, is_watched): (i64, i64, Currency, bool) = wallet.locked().get_result(conn)?;
    let (balance, owed) = (Money::from_minor(balance), Money::from_minor(owed));
    Ok(LockedWallet { account_id, balance, owed, currency, is_watched })
}

/// Accounts that owe.
pub fn owing(conn: &mut Conn) -> Result<Vec<i64>, AppError> {
    // Written as in the condition of the partial index.
    Ok(wallets::table.filter(sql::<Bool>("owed_minor > 0")).select(wallets::account_id).load(conn)?)
}

/// The current balance of the account's wallet. For decisions, read it under `lock_wallet`.
pub fn balance_of(conn: &mut Conn, account_id: i64) -> Result<Money, AppError> {
    let balance = wallets::table.find(account_id).select(wallets::balance_minor).first(conn)?;
    Ok(Money::from_minor(balance))
}

/// What the account owes now. For decisions, read it under `lock_wallet`.
pub fn owed_by(conn: &mut Conn, account_id: i64) -> Result<Money, AppError> {
    Ok(Money::from_minor(wallets::table.find(account_id).select(wallets::owed_minor).first(conn)?))
}

/// Adds a balanced posting to the ledger and updates the wallet, or refuses if the wallet has too little.
pub fn move_money(conn: &mut Conn, movement: &Movement, now: NaiveDateTime) -> Result<(), AppError> {
    let wallet = lock_wallet(conn, movement.account_id)?;
    move_money_of(conn, wallet, movement, now).map(drop)
}

/// Adds a balanced posting for a wallet that is already locked, and updates its balance. What comes in pays what is owed. Returns the transaction's id.
pub fn move_money_of(
    conn: &mut Conn,
    wallet: LockedWallet,
    movement: &Movement,
    now: NaiveDateTime,
) -> Result<i64, AppError> {
    let (transaction_id, wallet) = post(conn, wallet, movement, now)?;
    if movement.kind == EntryKind::Owed {
        return Ok(transaction_id);
    }
    let amount = wallet.owed.min(wallet.balance);
    if !amount.is_zero() {
        let (kind, source) = (EntryKind::OwedPaid, Book::Wallet);
        let (account_id, reference) = (movement.account_id, format!("owed paid by {transaction_id}"));
        post(conn, wallet, &Movement { account_id, kind, source, amount, reference, order_id: None }, now)?;
    }
    Ok(transaction_id)
}

fn post(
    conn: &mut Conn,
    wallet: LockedWallet,
    movement: &Movement,
    now: NaiveDateTime,
) -> Result<(i64, LockedWallet), AppError> {
    let LockedWallet { account_id, balance, owed, currency, is_watched } = wallet;
    if account_id != movement.account_id {
        return Err(AppError::internal("the movement is not of the locked wallet"));
    }
    let entries = posting(movement.kind, movement.source, movement.amount)?;
    let sum_of = |book: Book| Money::sum(entries.iter().filter(|entry| entry.book == book).map(|entry| entry.amount));
    let change = sum_of(Book::Wallet)?;
    let owed_after = owed.checked_sub(sum_of(Book::Owed)?)?;
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
                ledger_entries::account_id.eq(entry.book.is_of_customers().then_some(account_id)),
                ledger_entries::amount_minor.eq(entry.amount.minor()),
            ))
            .execute(conn)?;
    }
    let moved = diesel::update(wallets::table.find(account_id)).set((
        wallets::balance_minor.eq(balance_after.minor()),
        wallets::owed_minor.eq(owed_after.minor()),
        wallets::total_expenses_minor.eq(wallets::total_expenses_minor + expense.minor()),
        wallets::next_look_at.eq(is_watched.then_some(now)),
    ));
    update_cached(conn, moved.returning(wallets::account_id))?;
    Ok((transaction_id, LockedWallet { account_id, balance: balance_after, owed: owed_after, currency, is_watched }))
}
