//! Proxy servers, which carry the traffic: registration, and their requests to authorise connections.
pub mod authorize;
mod cli;
pub mod health;
pub mod heartbeat;
mod nodes;
pub mod queries;
pub mod registration;
pub mod routes;
mod secret;
pub mod status;
pub mod types;

pub use crate::proxy_servers::cli::{ProxyServerCommand, run};
pub use crate::proxy_servers::secret::Secret;
