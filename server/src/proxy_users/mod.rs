//! Proxy users: sub-users of an account's residential traffic, with limits, passwords and addresses.
pub mod addresses;
pub mod files;
pub mod lifecycle;
mod names;
pub mod queries;
pub mod routes;
mod types;
pub mod upkeep;
