//! A paid order: what its customer gets, and the order as its customer sees it.
pub mod delivery;
pub mod fulfil;
pub mod payment_views;
pub mod renewals;
pub mod types;
pub mod views;
