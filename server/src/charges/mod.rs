//! What is paid through gateways, as rows: payments, and the cards that gateways remember. Gateways and whoever begins or settles payments
//! build on it.
pub mod cards;
pub mod payments;
