//! What the seller wants to know: figures by day and month, what waits for a person, and what a new shop still lacks.
pub mod days;
pub mod routes;
mod setup;
mod tasks;
mod types;
mod view;
