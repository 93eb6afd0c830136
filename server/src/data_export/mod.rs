//! The export of everything that the shop keeps about an account, for its owner.
mod routes;
mod sections;

pub use crate::data_export::routes::configure;
