//! Nodes, owned or not: lifecycle, stock and targets.
pub mod groups;
pub mod lifecycle;
pub mod stock;
pub mod summaries;
pub mod targets;

/// Ids per statement.
pub const CHUNK: usize = 1_000;
