//! Checks that every posting balances, that wallet balances are continuous, and that each wallet equals its last entry.
use super::found::{CHUNK, Verification, money};
use super::payments;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{ledger_entries, ledger_transactions, wallets};
use diesel::dsl::{exists, not, sql};
use diesel::sql_types::{BigInt, Bool};
use postern_core::ledger::{Book, EntryKind};
use std::collections::HashMap;

#[derive(Queryable, Selectable)]
#[diesel(table_name = ledger_transactions)]
struct Transaction {
    id: i64,
    account_id: i64,
    kind: EntryKind,
    reference: String,
    wallet_change_minor: i64,
    balance_after_minor: i64,
}

/// The sums of one transaction's entries.
#[derive(Default)]
struct Entries {
    count: i64,
    sum: i64,
    wallet: i64,
    /// The sum in the book of what the account owes.
    owed: i64,
    /// The sum in wallets of other accounts.
    elsewhere: i64,
    spent: i64,
}

/// An account's transactions read so far.
#[derive(Default)]
struct History {
    account_id: i64,
    balance: i64,
    entries: i64,
    owed: i64,
    spent: i64,
}

pub fn verify(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let mut history = History::default();
    let (mut last, mut entry_count) = ((0, 0), 0);
    loop {
        let rows: Vec<Transaction> = ledger_transactions::table
            .filter(
                sql::<Bool>("(account_id, id) > (")
                    .bind::<BigInt, _>(last.0)
                    .sql(", ")
                    .bind::<BigInt, _>(last.1)
                    .sql(")"),
            )
            .order((ledger_transactions::account_id, ledger_transactions::id))
            .limit(CHUNK)
            .select(Transaction::as_select())
            .load(conn)?;
        let Some(end) = rows.last() else { break };
        last = (end.account_id, end.id);
        found.transactions += rows.len();
        let entries = entries_of(conn, &rows)?;
        entry_count += entries.values().map(|entries| entries.count).sum::<i64>();
        let mut ended = Vec::new();
        let mut received = Vec::new();
        for row in rows {
            if row.account_id != history.account_id {
                let next = History { account_id: row.account_id, ..History::default() };
                ended.push(std::mem::replace(&mut history, next));
            }
            step(found, &mut history, &row, entries.get(&row.id));
            if EntryKind::OF_PAYMENTS.contains(&row.kind) {
                received.push((row.reference, row.wallet_change_minor));
            }
        }
        compare_wallets(conn, found, &ended)?;
        payments::verify_received(conn, found, &received)?;
    }
    compare_wallets(conn, found, &[history])?;
    let all: i64 = ledger_entries::table.count().get_result(conn)?;
    if all != entry_count {
        found.problem(format!("{} entries belong to no transaction", all - entry_count));
    }
    verify_untouched(conn, found)
}

fn entries_of(conn: &mut Conn, transactions: &[Transaction]) -> Result<HashMap<i64, Entries>, AppError> {
    let accounts: HashMap<i64, i64> = transactions.iter().map(|row| (row.id, row.account_id)).collect();
    let rows: Vec<(i64, Book, Option<i64>, i64)> = ledger_entries::table
        .filter(ledger_entries::transaction_id.eq_any(accounts.keys().copied().collect::<Vec<_>>()))
        .select((
            ledger_entries::transaction_id,
            ledger_entries::book,
            ledger_entries::account_id,
            ledger_entries::amount_minor,
        ))
        .load(conn)?;
    let mut of: HashMap<i64, Entries> = HashMap::with_capacity(transactions.len());
    for (transaction_id, book, account_id, amount) in rows {
        let entries = of.entry(transaction_id).or_default();
        entries.count += 1;
        entries.sum += amount;
        match book {
            Book::Wallet if account_id == accounts.get(&transaction_id).copied() => entries.wallet += amount,
            Book::Owed if account_id == accounts.get(&transaction_id).copied() => entries.owed += amount,
            book if book.is_of_customers() => entries.elsewhere += 1,
            book if book.is_of_expenses() => entries.spent += amount,
            _ => {}
        }
    }
    Ok(of)
}

fn step(found: &mut Verification, history: &mut History, row: &Transaction, entries: Option<&Entries>) {
    let id = row.id;
    match entries {
        None => found.problem(format!("transaction {id} has no entries")),
        Some(entries) => {
            if entries.sum != 0 {
                found.problem(format!("transaction {id} is off balance by {}", money(entries.sum)));
            }
            if entries.elsewhere != 0 {
                found.problem(format!("transaction {id} moves money of another account's wallet"));
            }
            history.entries += entries.wallet;
            history.owed -= entries.owed;
            history.spent += entries.spent;
        }
    }
    history.balance += row.wallet_change_minor;
    if history.balance != row.balance_after_minor {
        let (after, balance) = (money(row.balance_after_minor), money(history.balance));
        found.problem(format!("transaction {id} leaves {after} in the wallet, but its history gives {balance}"));
    }
}

fn compare_wallets(conn: &mut Conn, found: &mut Verification, histories: &[History]) -> Result<(), AppError> {
    let ids: Vec<i64> = histories.iter().map(|history| history.account_id).collect();
    let rows: Vec<(i64, i64, i64, i64)> = wallets::table
        .filter(wallets::account_id.eq_any(ids))
        .select((wallets::account_id, wallets::balance_minor, wallets::owed_minor, wallets::total_expenses_minor))
        .load(conn)?;
    let wallets: HashMap<i64, (i64, i64, i64)> =
        rows.into_iter().map(|(id, balance, owed, spent)| (id, (balance, owed, spent))).collect();
    for history in histories {
        let Some((balance, owed, expense)) = wallets.get(&history.account_id).copied() else { continue };
        if owed != history.owed || (owed > 0 && balance > 0) {
            let [balance, owed, entries] = [balance, owed, history.owed].map(money);
            found
                .problem(format!("wallet {} has {balance} and owes {owed}, its entries {entries}", history.account_id));
        }
        if balance != history.entries || balance != history.balance || balance < 0 {
            let [balance, entries, steps] = [balance, history.entries, history.balance].map(money);
            let account_id = history.account_id;
            found.problem(format!("wallet {account_id} has {balance}, its entries {entries}, its history {steps}"));
        }
        if expense != history.spent {
            let [expense, spent] = [expense, history.spent].map(money);
            found.problem(format!("wallet {} has {expense} spent, its entries {spent}", history.account_id));
        }
    }
    Ok(())
}

/// Wallets without any entry must be empty.
fn verify_untouched(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let count: i64 = wallets::table.count().get_result(conn)?;
    found.wallets = usize::try_from(count).unwrap_or_default();
    let own = ledger_transactions::table.filter(ledger_transactions::account_id.eq(wallets::account_id));
    let full: Vec<(i64, i64, i64)> = wallets::table
        .filter(wallets::balance_minor.ne(0).or(wallets::total_expenses_minor.ne(0)).or(wallets::owed_minor.ne(0)))
        .filter(not(exists(own)))
        .order(wallets::account_id)
        .limit(CHUNK)
        .select((wallets::account_id, wallets::balance_minor, wallets::total_expenses_minor))
        .load(conn)?;
    for (account_id, balance, spent) in full {
        let [balance, spent] = [balance, spent].map(money);
        found.problem(format!("wallet {account_id} has {balance} and {spent} spent, without a transaction"));
    }
    Ok(())
}
