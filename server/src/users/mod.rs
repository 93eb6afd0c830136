//! Users: sign-up, sign-in and sign-out, password reset, and the user's profile.
mod devices;
pub mod links;
pub mod queries;
mod routes;
mod sign_in;
pub mod types;

pub use crate::users::routes::configure;
