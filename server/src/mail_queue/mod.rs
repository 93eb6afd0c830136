//! Mails as operators see them: which were sent, which wait and why, and how each text looks.
mod list;
mod preview;
pub mod routes;
mod types;
