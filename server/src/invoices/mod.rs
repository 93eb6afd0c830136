//! Invoices and credit notes: issuing, lists, and PDFs.
pub mod issue;
pub mod pdf;
pub mod pdf_layout;
pub mod queries;
mod routes;
pub mod types;

pub use crate::invoices::routes::configure;
