//! The export of all data that the shop stores about an account, for its owner.
mod routes;
mod sections;

pub use crate::data_export::routes::configure;
