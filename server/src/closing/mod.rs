//! Closing an account: what it owns ends, what is personal is deleted, and what invoices and the ledger need stays.
mod queries;
mod routes;

pub use crate::closing::routes::configure;
