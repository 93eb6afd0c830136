//! What is paid through gateways, as rows: payments and remembered cards. Gateways, and the code that begins and settles payments,
//! build on it.
pub mod cards;
pub mod payments;
