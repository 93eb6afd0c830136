//! Usage: what proxy servers report, counted once, and the charts of it.
mod adding;
mod buckets;
mod charts;
mod intake;
pub mod keeping;
mod owners;
mod records;
mod rejected;
mod routes;
mod sums;
mod types;

pub use crate::usage::adding::add_up;
pub use crate::usage::intake::configure as configure_intake;
pub use crate::usage::routes::configure;
