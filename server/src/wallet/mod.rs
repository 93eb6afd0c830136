//! The wallet and the ledger behind it.
pub mod alarms;
pub mod expenses;
pub mod ledger;
mod routes;
pub mod types;
pub mod verify;

pub use routes::configure;
