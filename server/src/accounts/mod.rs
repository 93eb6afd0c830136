//! Accounts as the operator sees them: found, read, and granted their terms: the level and a reseller's discount.
pub mod queries;
mod routes;
pub mod types;

pub use crate::accounts::routes::configure;
