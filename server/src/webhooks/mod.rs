//! Webhooks: endpoints of customers that receive events, with their deliveries.
//!
//! An event is a row, written in the transaction that caused it. `dispatch` creates a delivery for each webhook that receives it, `deliver` sends the
//! due deliveries, and `lifecycle` records the results.
pub mod deliver;
pub mod dispatch;
pub mod keeping;
pub mod lifecycle;
pub mod queries;
pub mod routes;
mod types;
