//! Invoices, credit notes and receipts: issuing, lists, and PDFs.
pub mod archive;
pub mod issue;
pub mod paper;
pub mod pdf;
pub mod pdf_layout;
pub mod queries;
pub mod receipts;
pub mod routes;
pub mod sheet;
pub mod types;
