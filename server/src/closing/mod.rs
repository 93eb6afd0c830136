//! Closing an account: ends everything it owns and deletes personal data; data needed for invoices and the ledger stays.
pub mod operator;
mod queries;
pub mod routes;
