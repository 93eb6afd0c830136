//! Payments: begun, polled, reported by callbacks, settled; and cards for automatic charges.
pub mod auto_top_up_results;
pub mod auto_top_ups;
pub mod begin;
pub mod callbacks;
pub mod cards;
pub mod cases;
pub mod compare;
pub mod intake;
pub mod list;
pub mod poll;
pub mod process;
pub mod sandbox_pages;
pub mod settle;
pub mod stored;
pub mod top_ups;
pub mod transfers;
