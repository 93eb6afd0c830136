//! Users: signing up, in and out, the way back to a lost password, and what the portal knows of its user.
mod devices;
pub mod links;
pub mod queries;
mod routes;
mod sign_in;
pub mod types;

pub use crate::users::routes::configure;
