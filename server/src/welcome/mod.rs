//! The welcome screens: what an account owns, what expires soon, and its first steps.
mod queries;
pub mod routes;
mod types;
