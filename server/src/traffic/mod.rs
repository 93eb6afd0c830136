//! Residential traffic: prices, purchases, and the batches that accounts own.
pub mod prices;
pub mod purchase;
mod queries;
pub mod reorders;
pub mod routes;
mod types;
