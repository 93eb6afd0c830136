//! Requests to addresses that customers have entered: signed, limited, and sent through the guard only.
mod guard;
pub mod send;
pub mod signature;
pub mod webhook_sender;
