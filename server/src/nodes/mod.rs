//! Nodes, owned or not: lifecycle, stock, targets and inventory.
pub mod groups;
pub mod inventory;
pub mod lifecycle;
pub mod stock;
pub mod summaries;
pub mod targets;

/// Ids per statement.
pub const CHUNK: usize = 1_000;
