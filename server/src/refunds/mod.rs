//! Refunds: money of an order back to the wallet, with a credit note.
pub mod execute;
mod order_nodes;
mod plan;
pub mod queries;
pub mod routes;
mod traffic;
pub mod types;
