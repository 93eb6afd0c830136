//! The rows of orders, and what follows from them alone: their states, their current proxies, and the limits of unpaid ones.
pub mod current_nodes;
pub mod limits;
pub mod rows;
pub mod types;
