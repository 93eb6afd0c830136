//! The program: what it is told on the command line, how it starts, and the document that describes its API.
pub mod cli;
pub mod health;
mod open;
pub mod openapi;
pub mod startup;

pub use open::open;
