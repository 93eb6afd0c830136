//! The program: its command line, its start-up, and the OpenAPI document.
pub mod cli;
pub mod health;
mod open;
pub mod openapi;
pub mod prices;
mod refusal;
pub mod startup;

pub use open::open;
