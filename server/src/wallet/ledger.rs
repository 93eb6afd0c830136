//! SQL of the ledger: moving money, and listing what moved.
use super::types::{Transaction, TransactionFilter};
use crate::db::{Conn, change_kept};
use crate::error::AppError;
use crate::invoices;
use crate::list::{Direction, ListRequest, Page, containing, unknown_sort};
use crate::refunds::queries as refunds;
use crate::schema::{self, ledger_entries, ledger_transactions, orders, wallets};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::ledger::{Book, EntryKind, expense, posting};
use postern_core::money::Money;
use postern_core::time::to_wire;

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

/// A wallet as it is until the transaction ends, or moves money of it itself.
pub struct LockedWallet {
    account_id: i64,
    pub balance: Money,
    currency: String,
    is_watched: bool,
}

/// Locks the account's wallet until the transaction ends. Whoever moves money or creates orders for an account does this first, so
/// that two requests of one account follow each other.
pub fn lock_wallet(conn: &mut Conn, account_id: i64) -> Result<LockedWallet, AppError> {
    let wallet = wallets::table.find(account_id);
    let wallet = wallet.select((wallets::balance_minor, wallets::currency, wallets::is_watched));
    let (balance, currency, is_watched): (i64, String, bool) = match conn {
        Conn::Postgres(conn) => wallet.for_update().first(conn)?,
        // The writer's transaction has the whole database to itself.
        Conn::Sqlite(conn) => wallet.first(conn)?,
    };
    Ok(LockedWallet { account_id, balance: Money::from_minor(balance), currency, is_watched })
}

/// Adds a balanced posting to the ledger and brings the wallet up to date, or refuses when the wallet has too little.
pub fn move_money(conn: &mut Conn, movement: &Movement, now: NaiveDateTime) -> Result<(), AppError> {
    let wallet = lock_wallet(conn, movement.account_id)?;
    move_money_of(conn, wallet, movement, now)
}

/// The same of a wallet that is locked already, and whose balance is another one then.
pub fn move_money_of(
    conn: &mut Conn,
    wallet: LockedWallet,
    movement: &Movement,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let LockedWallet { account_id, balance, currency, is_watched } = wallet;
    if account_id != movement.account_id {
        return Err(AppError::internal("money is moved of another wallet than the locked one"));
    }
    let entries = posting(movement.kind, movement.source, movement.amount)?;
    let change = Money::sum(entries.iter().filter(|entry| entry.book == Book::Wallet).map(|entry| entry.amount))?;
    let expense = expense(&entries)?;
    let balance_after = balance.checked_add(change)?;
    if balance_after.is_negative() {
        return Err(AppError::balance_too_low(balance, movement.amount));
    }
    let transaction_id: i64 = diesel::insert_into(ledger_transactions::table)
        .values((
            ledger_transactions::account_id.eq(account_id),
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
    change_kept(conn, moved.returning(wallets::account_id))?;
    Ok(())
}

pub fn transaction_list(conn: &mut Conn, account_id: i64, list: &ListRequest) -> Result<Page<Transaction>, AppError> {
    let filter: TransactionFilter = list.filters()?;
    let (from, to) = list.between()?;
    let search = list.search.trim().to_uppercase();
    macro_rules! narrowed {
        ($query:expr) => {{
            let mut query = $query.filter(ledger_transactions::account_id.eq(account_id)).into_boxed();
            if !search.is_empty() {
                // A part of an order's number, or of the number of one of its documents.
                let pattern = containing(&search);
                // The orders are joined already under their own name.
                let named = diesel::alias!(orders as named_orders);
                let by_number = named
                    .filter(named.field(orders::account_id).eq(account_id))
                    .filter(named.field(orders::order_number).like(pattern.clone()).escape('\\'))
                    .select(named.field(orders::id).nullable());
                let by_invoice = schema::invoices::table
                    .filter(schema::invoices::account_id.eq(account_id))
                    .filter(schema::invoices::invoice_number.like(pattern).escape('\\'))
                    .select(schema::invoices::order_id.nullable());
                let order_id = ledger_transactions::order_id;
                query = query.filter(order_id.eq_any(by_number).or(order_id.eq_any(by_invoice)));
            }
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
    type Row = (i64, String, String, i64, i64, String, Option<i64>, NaiveDateTime, Option<String>);
    let mut query = narrowed!(
        ledger_transactions::table
            .left_join(orders::table.on(orders::id.nullable().eq(ledger_transactions::order_id)))
            .select((
                ledger_transactions::id,
                ledger_transactions::kind,
                ledger_transactions::reference,
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
    let order_ids: Vec<i64> = rows.iter().filter_map(|row| row.6).collect();
    let invoices = invoices::queries::numbers_of(conn, &order_ids)?;
    let credit_notes = refunds::credit_notes_of(conn, &order_ids)?;
    let row = |(transaction_id, kind, reference, change, after, currency, order_id, created_at, order_number): Row| {
        let invoice_number = match EntryKind::from_wire(&kind) {
            Some(EntryKind::Refund) => credit_notes.get(&reference).cloned(),
            Some(EntryKind::Purchase | EntryKind::Renewal | EntryKind::Switch) => {
                order_id.and_then(|order_id| invoices.get(&order_id).cloned())
            }
            _ => None,
        };
        Transaction {
            transaction_id,
            kind,
            amount: Money::from_minor(change),
            balance_after: Money::from_minor(after),
            currency,
            order_id,
            order_number,
            invoice_number,
            created_at: to_wire(created_at),
        }
    };
    Ok(list.page_of(rows.into_iter().map(row).collect(), total))
}
