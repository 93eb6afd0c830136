//! Between the network and the calls: who is let in, how bodies arrive, what a call takes from its request and how it answers.
pub mod admission;
pub mod answer;
pub mod bodies;
pub mod connections;
mod json;
pub mod list;
pub mod pages;
pub mod request;
