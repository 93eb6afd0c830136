//! Rows of payments, of what arrived for them, and of saved cards. The gateways, and the code that begins and settles payments, build on it.
pub mod arrivals;
pub mod cards;
pub mod cases;
pub mod checkout;
pub mod payments;
