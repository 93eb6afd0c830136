//! The HTTP layer: admission, bodies, requests and responses.
pub mod admission;
pub mod answer;
mod api_keys;
pub mod bodies;
mod client_address;
pub mod connections;
mod json;
pub mod key_limits;
pub mod list;
pub mod pages;
pub mod request;
pub mod routes;
pub mod upload;
