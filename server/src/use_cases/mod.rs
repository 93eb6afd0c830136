//! The seller's use cases: what customers choose proxies for.
pub mod queries;
pub mod routes;
mod types;
