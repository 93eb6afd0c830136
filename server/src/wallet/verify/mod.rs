//! Verifies the books: ledger, wallets, orders, refunds and invoices, each against the others. Run it in one snapshot, for consistency. Memory is
//! bounded regardless of the size of the books: they are read in chunks that keep related rows together.
mod closed_accounts;
mod commissions;
mod documents;
mod found;
mod ledger;
mod orders;
mod payments;
mod returns;
mod traffic;

use crate::db::{Conn, Database, file_problems};
use crate::error::AppError;
pub use closed_accounts::sentence;
pub use found::Verification;

/// Checks the database's file, then the books in one snapshot. What cannot be read is a problem too.
pub fn check(db: &Database) -> Verification {
    let mut found = Verification::default();
    for problem in file_problems(&db.url) {
        found.problem(format!("the database file is damaged: {problem}"));
    }
    // The rows of a damaged file may add up, and mean nothing.
    if found.problem_count > 0 {
        return found;
    }
    db.snapshot_blocking(verify).unwrap_or_else(|error| {
        found.problem(format!("the books could not be read: {error}"));
        found
    })
}

/// Verifies that every posting balances; that every wallet, and its amount spent, equals its entries, and each balance follows from the previous one;
/// that every succeeded payment was posted once and in full, and nothing else was posted as received; that what was taken back agrees; that every paid order was charged once and
/// invoiced once, and no other; that refunds agree in the ledger, the order, its refunds and its credit notes, and never exceed the amount paid; that
/// every document adds up, and numbers have no gaps; that every paid order of traffic has its batch; and that commissions are shares of their orders,
/// and were posted as they were moved and reversed. Lists closed accounts that have money.
pub fn verify(conn: &mut Conn) -> Result<Verification, AppError> {
    let mut found = Verification::default();
    ledger::verify(conn, &mut found)?;
    payments::verify(conn, &mut found)?;
    returns::verify(conn, &mut found)?;
    documents::verify(conn, &mut found)?;
    orders::verify(conn, &mut found)?;
    traffic::verify(conn, &mut found)?;
    commissions::verify(conn, &mut found)?;
    closed_accounts::find(conn, &mut found)?;
    Ok(found)
}
