//! Referrals: who signed up with whose invite code, and what their orders earn.
pub mod cli;
pub mod commissions;
mod doubts;
pub mod moves;
mod operator;
mod queries;
mod routes;
pub mod rows;
pub mod rules;
mod types;

pub use crate::referrals::operator::configure as configure_operator;
pub use crate::referrals::routes::configure;
