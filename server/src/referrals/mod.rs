//! Referrals: accounts that signed up with another account's invitation code, and the commission on their orders.
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
