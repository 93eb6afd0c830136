//! Rows of payments and saved cards. The gateways, and the code that begins and settles payments, build on it.
pub mod cards;
pub mod payments;
