//! Orders: created with a hold on their nodes, paid once, fulfilled in the same transaction.
pub mod customer;
pub mod fulfil;
pub mod limits;
pub mod operator;
pub mod purchase;
mod routes;
pub mod rows;
pub mod types;
pub mod views;

pub use crate::orders::routes::configure;
