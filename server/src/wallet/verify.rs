//! Proving that the books add up: the ledger, the wallets, the orders, the refunds and the invoices, each against the others. To be run
//! in one snapshot, so that nothing moves meanwhile.
use crate::charges::payments;
use crate::db::Conn;
use crate::error::AppError;
use crate::orders::rows::OrderRow;
use crate::schema::{self, invoice_counters, invoices, ledger_entries, ledger_transactions, orders, refunds, wallets};
use diesel::prelude::*;
use postern_core::invoice::{InvoiceKind, InvoiceSnapshot, broken_numbers, invoice_number, is_invoiced};
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::Money;
use postern_core::order::{OrderKind, OrderState, PaymentMethod, PaymentState};
use std::collections::{BTreeMap, HashMap};

/// Rows that are looked at together, where each may be long.
const CHUNK: i64 = 1_000;

/// What `postern ledger verify` found.
#[derive(Debug, Default)]
pub struct Verification {
    pub transactions: usize,
    pub wallets: usize,
    pub payments: usize,
    pub orders: usize,
    pub invoices: usize,
    /// A sentence each, for the operator.
    pub problems: Vec<String>,
}

impl Verification {
    fn problem(&mut self, text: String) {
        self.problems.push(text);
    }
}

/// What the ledger, the refunds and the invoices say of one order, in minor units.
#[derive(Default)]
struct OfOrder {
    charged: Vec<i64>,
    topped_up: Vec<i64>,
    given_back: i64,
    refunds: i64,
    invoices: Vec<i64>,
    credit_notes: i64,
}

/// Proves that every posting balances; that every wallet, and what was spent from it, equals its entries, and each of its steps follows
/// from the one before; that every payment that succeeded at a gateway came in once and in full, and nothing else came in from there; that
/// every paid order was charged once and invoiced once, and no other; that what was given back is the same in
/// the ledger, the order, its refunds and its credit notes, and never more than was paid; that every document adds up, and that no
/// number is left out.
pub fn verify(conn: &mut Conn) -> Result<Verification, AppError> {
    let mut found = Verification::default();
    let mut of_orders: HashMap<i64, OfOrder> = HashMap::new();
    verify_ledger(conn, &mut found, &mut of_orders)?;
    verify_payments(conn, &mut found)?;
    verify_documents(conn, &mut found, &mut of_orders)?;
    verify_orders(conn, &mut found, of_orders)?;
    Ok(found)
}

fn money(minor: i64) -> Money {
    Money::from_minor(minor)
}

fn verify_ledger(
    conn: &mut Conn,
    found: &mut Verification,
    of_orders: &mut HashMap<i64, OfOrder>,
) -> Result<(), AppError> {
    let mut sums: HashMap<i64, i64> = HashMap::new();
    let mut wallet_sums: HashMap<i64, i64> = HashMap::new();
    let mut spent: HashMap<i64, i64> = HashMap::new();
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
        match (Book::from_wire(&book), account_id) {
            (Some(Book::Wallet), Some(account_id)) => *wallet_sums.entry(account_id).or_default() += amount,
            (Some(Book::Revenue | Book::Refund), _) => *spent.entry(transaction_id).or_default() += amount,
            _ => {}
        }
    }
    for (id, sum) in sums.iter().filter(|(_, sum)| **sum != 0) {
        found.problem(format!("transaction {id} is off balance by {}", money(*sum)));
    }
    type Row = (i64, i64, String, Option<i64>, i64, i64);
    let transactions: Vec<Row> = ledger_transactions::table
        .order(ledger_transactions::id)
        .select((
            ledger_transactions::id,
            ledger_transactions::account_id,
            ledger_transactions::kind,
            ledger_transactions::order_id,
            ledger_transactions::wallet_change_minor,
            ledger_transactions::balance_after_minor,
        ))
        .load(conn)?;
    found.transactions = transactions.len();
    let (mut balances, mut expenses): (HashMap<i64, i64>, HashMap<i64, i64>) = Default::default();
    for (id, account_id, kind, order_id, change, after) in transactions {
        if !sums.contains_key(&id) {
            found.problem(format!("transaction {id} has no entries"));
        }
        let balance = balances.entry(account_id).or_default();
        *balance += change;
        if *balance != after {
            let (after, balance) = (money(after), money(*balance));
            found.problem(format!("transaction {id} leaves {after} in the wallet, but its history gives {balance}"));
        }
        *expenses.entry(account_id).or_default() += spent.get(&id).copied().unwrap_or_default();
        let Some(of_order) = order_id.map(|order_id| of_orders.entry(order_id).or_default()) else { continue };
        match EntryKind::from_wire(&kind) {
            Some(EntryKind::Purchase | EntryKind::Renewal | EntryKind::Switch) => of_order.charged.push(-change),
            Some(EntryKind::TopUp | EntryKind::AutoTopUp) => of_order.topped_up.push(change),
            Some(EntryKind::Refund) => of_order.given_back += change,
            _ => {}
        }
    }
    let wallets: Vec<(i64, i64, i64)> = wallets::table
        .select((wallets::account_id, wallets::balance_minor, wallets::total_expenses_minor))
        .load(conn)?;
    found.wallets = wallets.len();
    for (account_id, balance, expense) in wallets {
        let of = |sums: &HashMap<i64, i64>| sums.get(&account_id).copied().unwrap_or_default();
        let (entries, history, spent) = (of(&wallet_sums), of(&balances), of(&expenses));
        if balance != entries || balance != history || balance < 0 {
            let [balance, entries, history] = [balance, entries, history].map(money);
            found.problem(format!("wallet {account_id} holds {balance}, its entries {entries}, its history {history}"));
        }
        if expense != spent {
            let [expense, spent] = [expense, spent].map(money);
            found.problem(format!("wallet {account_id} says {expense} was spent, its entries {spent}"));
        }
    }
    Ok(())
}

fn verify_payments(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    use schema::payments::dsl;
    let kinds = EntryKind::OF_PAYMENTS.map(EntryKind::as_str);
    let received: Vec<(String, i64)> = ledger_transactions::table
        .filter(ledger_transactions::kind.eq_any(kinds))
        .select((ledger_transactions::reference, ledger_transactions::wallet_change_minor))
        .load(conn)?;
    let mut received: HashMap<String, i64> = received.into_iter().collect();
    let succeeded: Vec<(i64, i64)> = dsl::payments
        .filter(dsl::state.eq(PaymentState::Succeeded.as_str()))
        .filter(dsl::payment_method.ne(PaymentMethod::Wallet.as_str()))
        .select((dsl::id, dsl::amount_minor))
        .load(conn)?;
    found.payments = succeeded.len();
    for (id, amount) in succeeded {
        let came_in = received.remove(&payments::reference(id));
        if came_in != Some(amount) {
            let came_in = came_in.map_or("nothing".to_owned(), |came_in| money(came_in).to_string());
            found.problem(format!("payment {id} of {} succeeded, and {came_in} came in", money(amount)));
        }
    }
    for (reference, amount) in received {
        found.problem(format!("{} came in as \"{reference}\", which did not succeed", money(amount)));
    }
    Ok(())
}

fn verify_documents(
    conn: &mut Conn,
    found: &mut Verification,
    of_orders: &mut HashMap<i64, OfOrder>,
) -> Result<(), AppError> {
    let mut numbers: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut last_id = 0;
    loop {
        type Row = (i64, String, String, String, i64, i64, i64, String);
        let rows: Vec<Row> = invoices::table
            .filter(invoices::id.gt(last_id))
            .order(invoices::id)
            .limit(CHUNK)
            .select((
                invoices::id,
                invoices::kind,
                invoices::invoice_number,
                invoices::series,
                invoices::number_in_series,
                invoices::order_id,
                invoices::total_minor,
                invoices::snapshot,
            ))
            .load(conn)?;
        let Some(last) = rows.last() else { break };
        last_id = last.0;
        found.invoices += rows.len();
        for (_, kind, number, series, place, order_id, total, snapshot) in rows {
            let place = u64::try_from(place).unwrap_or_default();
            if number != invoice_number(&series, place) {
                found.problem(format!("{number} stands at place {place} of the series {series}"));
            }
            numbers.entry(series).or_default().push(place);
            let adds_up = serde_json::from_str::<InvoiceSnapshot>(&snapshot)
                .is_ok_and(|snapshot| snapshot.check().is_ok() && snapshot.total.minor() == total);
            if !adds_up {
                found.problem(format!("{number} does not add up"));
            }
            let of_order = of_orders.entry(order_id).or_default();
            if kind == InvoiceKind::CreditNote.as_str() {
                of_order.credit_notes += total;
            } else {
                of_order.invoices.push(total);
            }
        }
    }
    let counters: Vec<(String, i64)> = invoice_counters::table.load(conn)?;
    for (series, counter) in counters {
        let mut places = numbers.remove(&series).unwrap_or_default();
        places.sort_unstable();
        let broken = broken_numbers(&places, u64::try_from(counter).unwrap_or_default());
        if let Some(first) = broken.first() {
            let number = invoice_number(&series, *first);
            found.problem(format!("the series {series} has {} wrong numbers, the first is {number}", broken.len()));
        }
    }
    for series in numbers.keys() {
        found.problem(format!("the series {series} has no counter"));
    }
    let refunded: Vec<(i64, i64, Option<i64>)> =
        refunds::table.select((refunds::order_id, refunds::amount_minor, refunds::credit_note_id)).load(conn)?;
    for (order_id, amount, credit_note_id) in refunded {
        of_orders.entry(order_id).or_default().refunds += amount;
        if credit_note_id.is_none() {
            found.problem(format!("a refund of order {order_id} has no credit note"));
        }
    }
    Ok(())
}

fn verify_orders(
    conn: &mut Conn,
    found: &mut Verification,
    mut of_orders: HashMap<i64, OfOrder>,
) -> Result<(), AppError> {
    let mut last_id = 0;
    loop {
        let rows: Vec<OrderRow> = orders::table
            .filter(orders::id.gt(last_id))
            .order(orders::id)
            .limit(CHUNK)
            .select(OrderRow::as_select())
            .load(conn)?;
        let Some(last) = rows.last() else { return Ok(()) };
        last_id = last.id;
        found.orders += rows.len();
        for order in rows {
            let of_order = of_orders.remove(&order.id).unwrap_or_default();
            verify_order(found, &order, &of_order)?;
        }
    }
}

fn verify_order(found: &mut Verification, order: &OrderRow, of_order: &OfOrder) -> Result<(), AppError> {
    let (number, kind, total) = (&order.order_number, order.kind()?, order.total_minor);
    let state = order.state()?;
    let is_paid = !matches!(state, OrderState::Unpaid | OrderState::Cancelled | OrderState::Expired);
    if is_paid != order.paid_at.is_some() {
        found.problem(format!("order {number} is {}, but its time of payment says otherwise", order.state));
    }
    let once: Vec<i64> = if is_paid && total > 0 { vec![total] } else { Vec::new() };
    let (charged, topped_up) = if kind == OrderKind::TopUp { (Vec::new(), once) } else { (once, Vec::new()) };
    if of_order.charged != charged || of_order.topped_up != topped_up {
        found.problem(format!("order {number} is {}, which is not what the ledger has of it", order.state));
    }
    let invoiced = if is_paid && is_invoiced(kind) { vec![total] } else { Vec::new() };
    if of_order.invoices != invoiced {
        found.problem(format!("order {number} is {} and has {} invoices", order.state, of_order.invoices.len()));
    }
    let back = order.refunded_minor;
    if [of_order.given_back, of_order.refunds, of_order.credit_notes].iter().any(|sum| *sum != back) {
        let [order, ledger, refunds, notes] =
            [back, of_order.given_back, of_order.refunds, of_order.credit_notes].map(money);
        found.problem(format!(
            "order {number} gave back {order}, the ledger says {ledger}, its refunds {refunds}, its credit notes {notes}"
        ));
    }
    if back > total || (state == OrderState::Refunded) != (back == total && back > 0) {
        found.problem(format!("order {number} is {} with {} of {} given back", order.state, money(back), money(total)));
    }
    Ok(())
}
