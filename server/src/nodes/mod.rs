//! Nodes, whoever owns them: on the shelf, held, resting, brought in and taken out by the seller.
pub mod inventory;
pub mod lifecycle;
pub mod stock;
pub mod targets;
