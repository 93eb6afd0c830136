//! Accounts from the operator's side: search, details and terms (level and reseller discount).
pub mod changes;
pub mod queries;
mod routes;
pub mod types;

pub use crate::accounts::routes::configure;
