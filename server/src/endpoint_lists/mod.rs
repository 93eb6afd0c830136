//! What accounts keep of the endpoint generator: its settings, and addresses from which scripts fetch a list.
mod public;
mod queries;
mod routes;
mod types;

pub use crate::endpoint_lists::public::configure as configure_public;
pub use crate::endpoint_lists::routes::configure;
