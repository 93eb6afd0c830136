//! The wallet and the ledger behind it.
pub mod ledger;
mod routes;
pub mod types;

pub use routes::configure;
