//! The wallet and the ledger behind it.
pub mod alarms;
pub mod auto_top_ups;
pub mod cards;
pub mod expenses;
pub mod ledger;
pub mod low_balance;
mod routes;
pub mod types;
pub mod verify;
pub mod watching;

pub use routes::configure;
