//! The endpoint generator's saved data: presets, and list URLs from which scripts fetch endpoints.
mod public;
mod queries;
mod routes;
mod types;

pub use crate::endpoint_lists::public::configure as configure_public;
pub use crate::endpoint_lists::routes::configure;
