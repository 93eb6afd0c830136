//! Users: signing up, in and out, the way back to a lost password, and what the portal knows of its user.
pub mod queries;
mod routes;
pub mod types;

pub use routes::configure;
