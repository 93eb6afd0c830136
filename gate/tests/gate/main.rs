//! The gate over real sockets, with a shop whose answers the tests change.
mod access;
mod counting;
mod harness;
mod origin;
mod process;
mod protection;
mod proxying;
mod shop;
mod upstream;
mod upstreams;
