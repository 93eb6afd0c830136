//! The wallet and the ledger behind it.
pub mod adjustments;
pub mod closed_accounts;
pub mod expenses;
pub mod low_balance;
pub mod nightly;
pub mod routes;
pub mod transactions;
pub mod types;
pub mod verify;
pub mod watching;
