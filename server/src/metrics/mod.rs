//! What those who watch a server are told, at an address of its own: what the process has counted, and how the shop is at the moment.
mod listener;
mod page;
mod process;
mod shop;
mod values;

pub use crate::metrics::listener::{count_requests, serve};
pub use crate::metrics::page::page;
