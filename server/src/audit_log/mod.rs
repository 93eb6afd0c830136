//! The audit log for operators: a list with filters, and the same as a file.
pub mod queries;
pub mod routes;
