//! Orders: created with a hold on their nodes, paid once, fulfilled in the same transaction.
pub mod export;
pub mod limits;
pub mod month;
pub mod operator;
pub mod purchase;
pub mod routes;
pub mod types;
