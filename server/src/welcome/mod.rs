//! The welcome screens: what an account owns, what expires soon, and its first steps.
mod queries;
mod routes;
mod types;

pub use crate::welcome::routes::configure;
