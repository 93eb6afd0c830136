//! The demo shop: a realistic inventory generated from a fixed seed, three accounts, and a mailbox for its mails.
pub mod data;
mod history;
mod keys;
pub mod mailbox;
pub mod prices;
mod referrals;
mod seed;
mod servers;
mod static_traffic;
mod support;
mod traffic;
mod webhooks;

pub use crate::demo::seed::{Accounts, seed};
