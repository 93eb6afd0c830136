//! Rows of payments and remembered cards. The gateways, and the code that begins and settles payments, build on it.
pub mod cards;
pub mod payments;
