//! Notifications: the events of an account, as shown to its users on screen and by mail.
pub mod choices;
mod queries;
pub mod routes;
mod types;
pub mod unsubscribe;

pub use crate::notifications::queries::forget;
pub use crate::notifications::unsubscribe::configure as configure_public;
