//! Orders: created with a hold on their nodes, paid once, fulfilled in the same transaction.
pub mod current_nodes;
pub mod customer;
pub mod export;
pub mod fulfil;
pub mod limits;
pub mod operator;
pub mod purchase;
pub mod routes;
pub mod rows;
pub mod types;
pub mod views;
