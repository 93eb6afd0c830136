//! The export of all data that the shop stores about an account, for its owner.
mod account;
mod billing;
mod contact;
mod proxies;
pub mod routes;
mod rows;
mod sections;
