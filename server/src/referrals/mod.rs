//! Referrals: accounts that signed up with another account's invitation code, and the commission on their orders.
pub mod cli;
pub mod commissions;
mod doubts;
pub mod moves;
pub mod operator;
mod queries;
pub mod routes;
pub mod rows;
pub mod rules;
mod types;
