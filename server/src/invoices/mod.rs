//! Invoices and credit notes: issued with what they are about, listed, and printed as PDF.
pub mod issue;
pub mod paper;
pub mod pdf;
pub mod queries;
mod routes;
pub mod types;

pub use crate::invoices::routes::configure;
