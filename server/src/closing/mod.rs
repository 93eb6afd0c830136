//! Closing an account: ends everything it owns and deletes personal data; data needed for invoices and the ledger stays.
mod queries;
mod routes;

pub use crate::closing::routes::configure;
