//! The program: its command line, its start-up, and the OpenAPI document.
mod accounts;
mod backup;
pub mod calls;
pub mod cli;
pub mod health;
pub mod init;
mod ledger;
mod open;
pub mod openapi;
mod output;
pub mod prices;
mod probe;
mod refusal;
mod secret_key;
mod settings;
pub mod startup;

pub use open::open;
