//! Refunds: money of an order back to the wallet or to where it came from, with a credit note; and of a top-up to where it came from.
pub mod execute;
mod order_nodes;
mod plan;
pub mod queries;
pub mod routes;
mod sources;
mod top_ups;
mod traffic;
pub mod types;
