//! The endpoint generator's saved data: presets, and list URLs from which scripts fetch endpoints.
pub mod check;
mod public;
pub mod queries;
pub mod routes;
mod types;

pub use crate::endpoint_lists::public::configure as configure_public;
