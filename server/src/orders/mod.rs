//! Orders and their payments: created with a hold on the nodes, paid once, fulfilled in the same transaction.
pub mod customer;
pub mod fulfil;
pub mod operator;
pub mod payments;
pub mod queries;
mod routes;
pub mod types;

pub use routes::configure;
