//! Proving that the books add up: the ledger, the wallets, the orders, the refunds and the invoices, each against the others. To be run
//! in one snapshot, so that nothing moves meanwhile. Memory is bounded, however long the books are: they are read in chunks, and what
//! belongs together is read together.
mod documents;
mod found;
mod ledger;
mod orders;
mod payments;

use crate::db::Conn;
use crate::error::AppError;
pub use found::Verification;

/// Proves that every posting balances; that every wallet, and what was spent from it, equals its entries, and each of its steps follows
/// from the one before; that every payment that succeeded at a gateway came in once and in full, and nothing else came in from there; that
/// every paid order was charged once and invoiced once, and no other; that what was given back is the same in
/// the ledger, the order, its refunds and its credit notes, and never more than was paid; that every document adds up, and that no
/// number is left out.
pub fn verify(conn: &mut Conn) -> Result<Verification, AppError> {
    let mut found = Verification::default();
    ledger::verify(conn, &mut found)?;
    payments::verify(conn, &mut found)?;
    documents::verify(conn, &mut found)?;
    orders::verify(conn, &mut found)?;
    Ok(found)
}
