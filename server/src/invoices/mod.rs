//! Invoices and credit notes: issuing, lists, and PDFs.
pub mod archive;
pub mod issue;
pub mod pdf;
pub mod pdf_layout;
pub mod queries;
pub mod routes;
pub mod types;
