//! The wallet and the ledger behind it.
pub mod alarms;
pub mod expenses;
pub mod low_balance;
mod routes;
pub mod transactions;
pub mod types;
pub mod verify;
pub mod watching;

pub use crate::wallet::routes::configure;
