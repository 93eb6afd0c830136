//! Residential traffic: prices, purchases, and the batches that accounts own.
pub mod batches;
pub mod delivery;
pub mod prices;
pub mod purchase;
mod queries;
pub mod reorders;
mod routes;
mod types;

pub use crate::traffic::routes::configure;
