//! Residential traffic: what it costs, buying it, and the batches that accounts own.
pub mod batches;
