//! The demo shop: a realistic inventory drawn from a fixed seed, three accounts, and a mailbox to read its mails in.
pub mod mailbox;
mod seed;

pub use seed::{Accounts, seed};
