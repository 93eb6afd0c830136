//! Between the network and the calls: admission, bodies, requests and responses.
pub mod admission;
pub mod answer;
pub mod bodies;
pub mod connections;
mod json;
pub mod list;
pub mod pages;
pub mod request;
