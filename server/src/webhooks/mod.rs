//! Webhooks: endpoints of customers that receive events, with their deliveries.
//!
//! An event is a row, written in the transaction that caused it. `dispatch` makes a delivery of it for each webhook that receives it,
//! `deliver` sends what is due, and `lifecycle` writes down what came of it.
pub mod deliver;
pub mod deliverer;
pub mod dispatch;
mod guard;
pub mod keeping;
pub mod lifecycle;
mod queries;
mod routes;
mod send;
mod signature;
mod types;

pub use crate::webhooks::routes::configure;
pub use crate::webhooks::signature::new_secret;
