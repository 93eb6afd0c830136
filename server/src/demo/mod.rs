//! The demo shop: a realistic inventory generated from a fixed seed, three accounts, and a mailbox for its mails.
pub mod data;
pub mod mailbox;
mod seed;
mod traffic;

pub use crate::demo::seed::{Accounts, seed};
