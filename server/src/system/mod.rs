//! How the shop's own machinery is: its jobs and its backups.
pub mod backups;
pub mod routes;
pub mod runs;
mod types;
