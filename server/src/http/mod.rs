//! The HTTP layer: admission, bodies, requests and responses.
pub mod admission;
pub mod answer;
mod api_keys;
pub mod bodies;
mod client_address;
pub mod connection;
pub mod connections;
pub mod csv;
pub mod head;
mod json;
pub mod list;
mod misfits;
pub mod repeat;
pub mod request;
pub mod routes;
pub mod sending;
pub mod upload;
mod views;
