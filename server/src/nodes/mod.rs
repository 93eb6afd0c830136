//! Nodes, owned or not: lifecycle, stock, targets and inventory.
pub mod inventory;
pub mod lifecycle;
pub mod stock;
pub mod summaries;
pub mod targets;
