//! SQL of the ledger: moving money, listing what moved, proving that it all adds up.
use super::types::{Transaction, TransactionFilter};
use crate::db::Conn;
use crate::error::AppError;
use crate::list::{Direction, ListRequest, Page, unknown_sort};
use crate::schema::{ledger_entries, ledger_transactions, orders, wallets};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::ledger::{Book, EntryKind, posting};
use postern_core::money::Money;
use postern_core::time::to_wire;
use std::collections::HashMap;

/// A movement of money of one account. `amount` is above zero; the kind decides which way it goes.
pub struct Movement {
    pub account_id: i64,
    pub kind: EntryKind,
    /// The book that the money comes from.
    pub source: Book,
    pub amount: Money,
    /// Unique: the same movement never happens twice.
    pub reference: String,
    pub order_id: Option<i64>,
}

/// Locks the account's wallet until the transaction ends, and returns its balance. Whoever moves money or creates orders
/// for an account does this first, so that two requests of one account follow each other.
pub fn lock_wallet(conn: &mut Conn, account_id: i64) -> Result<Money, AppError> {
    let balance = wallets::table.find(account_id).select(wallets::balance_minor);
    let balance: i64 = match conn {
        Conn::Postgres(conn) => balance.for_update().first(conn)?,
        // The writer's transaction has the whole database to itself.
        Conn::Sqlite(conn) => balance.first(conn)?,
    };
    Ok(Money::from_minor(balance))
}

/// Adds a balanced posting to the ledger and brings the wallet up to date, or refuses when the wallet has too little.
pub fn move_money(conn: &mut Conn, movement: &Movement, now: NaiveDateTime) -> Result<(), AppError> {
    let balance = lock_wallet(conn, movement.account_id)?;
    let entries = posting(movement.kind, movement.source, movement.amount)?;
    let change = Money::sum(entries.iter().filter(|entry| entry.book == Book::Wallet).map(|entry| entry.amount))?;
    let expense = Money::sum(entries.iter().filter(|entry| entry.book == Book::Revenue).map(|entry| entry.amount))?;
    let balance_after = balance.checked_add(change)?;
    if balance_after.is_negative() {
        return Err(AppError::balance_too_low(balance, movement.amount));
    }
    let currency: String = wallets::table.find(movement.account_id).select(wallets::currency).first(conn)?;
    let transaction_id: i64 = diesel::insert_into(ledger_transactions::table)
        .values((
            ledger_transactions::account_id.eq(movement.account_id),
            ledger_transactions::kind.eq(movement.kind.as_str()),
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
                ledger_entries::book.eq(entry.book.as_str()),
                ledger_entries::account_id.eq((entry.book == Book::Wallet).then_some(movement.account_id)),
                ledger_entries::amount_minor.eq(entry.amount.minor()),
            ))
            .execute(conn)?;
    }
    diesel::update(wallets::table.find(movement.account_id))
        .set((
            wallets::balance_minor.eq(balance_after.minor()),
            wallets::total_expenses_minor.eq(wallets::total_expenses_minor + expense.minor()),
        ))
        .execute(conn)?;
    Ok(())
}

pub fn transaction_list(conn: &mut Conn, account_id: i64, list: &ListRequest) -> Result<Page<Transaction>, AppError> {
    let filter: TransactionFilter = list.filters()?;
    let (from, to) = list.between()?;
    macro_rules! narrowed {
        ($query:expr) => {{
            let mut query = $query.filter(ledger_transactions::account_id.eq(account_id)).into_boxed();
            if let Some(kind) = &filter.kind {
                query = query.filter(ledger_transactions::kind.eq(kind));
            }
            if let Some(from) = from {
                query = query.filter(ledger_transactions::created_at.ge(from));
            }
            if let Some(to) = to {
                query = query.filter(ledger_transactions::created_at.le(to));
            }
            query
        }};
    }
    let total: i64 =
        narrowed!(ledger_transactions::table.select(diesel::dsl::count(ledger_transactions::id))).first(conn)?;
    type Row = (i64, String, i64, i64, String, Option<i64>, NaiveDateTime, Option<String>);
    let mut query = narrowed!(
        ledger_transactions::table
            .left_join(orders::table.on(orders::id.nullable().eq(ledger_transactions::order_id)))
            .select((
                ledger_transactions::id,
                ledger_transactions::kind,
                ledger_transactions::wallet_change_minor,
                ledger_transactions::balance_after_minor,
                ledger_transactions::currency,
                ledger_transactions::order_id,
                ledger_transactions::created_at,
                orders::order_number.nullable(),
            ))
    );
    for sort in &list.sort {
        query = match (sort.field.as_str(), sort.direction) {
            // Rows are numbered in the order of time.
            ("CreatedAt", Direction::Asc) => query.then_order_by(ledger_transactions::id.asc()),
            ("CreatedAt", Direction::Desc) => query.then_order_by(ledger_transactions::id.desc()),
            (other, _) => return Err(unknown_sort(other)),
        };
    }
    let rows: Vec<Row> =
        query.then_order_by(ledger_transactions::id.desc()).limit(list.limit()).offset(list.offset()).load(conn)?;
    let row = |(transaction_id, kind, change, after, currency, order_id, created_at, order_number): Row| Transaction {
        transaction_id,
        kind,
        amount: Money::from_minor(change),
        balance_after: Money::from_minor(after),
        currency,
        order_id,
        order_number,
        created_at: to_wire(created_at),
    };
    Ok(list.page_of(rows.into_iter().map(row).collect(), total))
}

/// What `postern ledger verify` found.
#[derive(Debug, Default)]
pub struct Verification {
    pub transactions: usize,
    pub wallets: usize,
    pub problems: Vec<String>,
}

/// Proves that every posting balances, that every wallet equals its entries, and that each step of every wallet follows
/// from the one before.
pub fn verify(conn: &mut Conn) -> Result<Verification, AppError> {
    let mut found = Verification::default();
    let mut sums: HashMap<i64, i64> = HashMap::new();
    let mut wallet_sums: HashMap<i64, i64> = HashMap::new();
    let entries: Vec<(i64, String, Option<i64>, i64)> = ledger_entries::table
        .select((
            ledger_entries::transaction_id,
            ledger_entries::book,
            ledger_entries::account_id,
            ledger_entries::amount_minor,
        ))
        .load(conn)?;
    for (transaction_id, book, account_id, amount) in entries {
        *sums.entry(transaction_id).or_default() += amount;
        if let Some(account_id) = account_id.filter(|_| book == Book::Wallet.as_str()) {
            *wallet_sums.entry(account_id).or_default() += amount;
        }
    }
    let unbalanced = sums.iter().filter(|(_, sum)| **sum != 0);
    found
        .problems
        .extend(unbalanced.map(|(id, sum)| format!("transaction {id} is off balance by {}", Money::from_minor(*sum))));
    let transactions: Vec<(i64, i64, i64, i64)> = ledger_transactions::table
        .order(ledger_transactions::id)
        .select((
            ledger_transactions::id,
            ledger_transactions::account_id,
            ledger_transactions::wallet_change_minor,
            ledger_transactions::balance_after_minor,
        ))
        .load(conn)?;
    found.transactions = transactions.len();
    let mut balances: HashMap<i64, i64> = HashMap::new();
    for (id, account_id, change, after) in transactions {
        if !sums.contains_key(&id) {
            found.problems.push(format!("transaction {id} has no entries"));
        }
        let balance = balances.entry(account_id).or_default();
        *balance += change;
        if *balance != after {
            found
                .problems
                .push(format!("transaction {id} leaves {after} in the wallet, but its history gives {balance}"));
        }
    }
    let wallets: Vec<(i64, i64)> = wallets::table.select((wallets::account_id, wallets::balance_minor)).load(conn)?;
    found.wallets = wallets.len();
    for (account_id, balance) in wallets {
        let entries = wallet_sums.get(&account_id).copied().unwrap_or_default();
        let history = balances.get(&account_id).copied().unwrap_or_default();
        if balance != entries || balance != history || balance < 0 {
            found
                .problems
                .push(format!("wallet {account_id} holds {balance}, its entries {entries}, its history {history}"));
        }
    }
    Ok(found)
}
