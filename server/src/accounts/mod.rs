//! Accounts from the operator's side: search, details and terms (level and reseller discount).
pub mod changes;
pub mod facts;
pub mod queries;
pub mod routes;
pub mod search;
pub mod staff;
pub mod types;
