//! The demo shop: a realistic inventory drawn from a fixed seed, three accounts, and a mailbox to read its mails in.
pub mod data;
pub mod mailbox;
mod seed;

pub use crate::demo::seed::{Accounts, seed};
