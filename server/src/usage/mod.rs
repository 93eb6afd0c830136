//! Usage: reports of proxy servers, each record counted once, and the charts.
mod aggregation;
mod buckets;
mod charts;
mod intake;
pub mod keeping;
mod owners;
mod records;
mod rejected;
mod request;
pub mod routes;
mod rows;
mod splits;
mod sums;
mod types;

pub use crate::usage::aggregation::{aggregate, aggregate_as_load_allows};
pub use crate::usage::buckets::add as add_sums;
pub use crate::usage::intake::configure as configure_intake;
pub use crate::usage::rejected::keep as keep_rejected;
pub use crate::usage::sums::{Amount, Owner, UsageKey, UsageSums};
