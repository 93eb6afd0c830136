//! The transactions of an account's wallet, as a list.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, containing, page_of_rows, within};
use crate::invoices;
use crate::refunds::queries as refunds;
use crate::schema::wallet_adjustments;
use crate::schema::{self, ledger_transactions, orders};
use crate::wallet::types::{Transaction, TransactionFilter};
use chrono::NaiveDateTime;
use postern_core::invoice::receipt_number;
use postern_core::ledger::EntryKind;
use postern_core::list::TRANSACTIONS;
use postern_core::money::{Currency, Money};
use postern_core::time::to_wire;

pub fn transaction_list(conn: &mut Conn, account_id: i64, list: &ListRequest) -> Result<Page<Transaction>, AppError> {
    let filter: TransactionFilter = list.filters()?;
    let between = list.between()?;
    let search = list.search.trim().to_uppercase();
    let asked = list.asked(&TRANSACTIONS)?;
    let narrowed = || {
        let query = ledger_transactions::table.filter(ledger_transactions::account_id.eq(account_id));
        let mut query = within(query.into_boxed(), ledger_transactions::created_at, between);
        if !search.is_empty() {
            // Matches part of an order number, or of the number of one of the order's documents.
            let pattern = containing(&search);
            // The orders are already joined under their own name.
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
        if let Some(kind) = filter.kind {
            query = query.filter(ledger_transactions::kind.eq(kind));
        }
        query
    };
    type Row = (i64, EntryKind, String, i64, i64, Currency, Option<i64>, NaiveDateTime, Option<String>, Option<String>);
    let page = page_of_rows!(
        conn, asked, |row: Row| narrowed()
            .left_join(orders::table.on(orders::id.nullable().eq(ledger_transactions::order_id)))
            .left_join(wallet_adjustments::table.on(wallet_adjustments::id.eq(ledger_transactions::id)))
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
                wallet_adjustments::reason.nullable(),
            )),
        counted: narrowed().select(ledger_transactions::id), number: ledger_transactions::id => row.0, fields: {}
    );
    let order_ids: Vec<i64> = page.rows.iter().filter_map(|row| row.6).collect();
    let invoices = invoices::queries::numbers_of(conn, &order_ids)?;
    let credit_notes = refunds::credit_notes_of(conn, &order_ids)?;
    let row = |row: Row| {
        let (transaction_id, kind, reference, change, after, currency, order_id, created_at, order_number, reason) =
            row;
        let invoice_number = match kind {
            EntryKind::Refund => credit_notes.get(&reference).cloned(),
            kind if kind.is_charge() => order_id.and_then(|order_id| invoices.get(&order_id).cloned()),
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
            receipt_number: kind.has_receipt().then(|| receipt_number(transaction_id)),
            reason: reason.unwrap_or_default(),
            created_at: to_wire(created_at),
        }
    };
    page.map(row)
}
