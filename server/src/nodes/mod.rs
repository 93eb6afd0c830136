//! Nodes, whoever owns them: lifecycle, stock, targets and inventory.
pub mod inventory;
pub mod lifecycle;
pub mod stock;
pub mod targets;
