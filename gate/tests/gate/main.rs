//! The gate over real sockets, with a shop whose answers the tests change.
mod access;
mod attacks;
mod counting;
mod flood;
mod harness;
mod origin;
mod process;
mod protection;
mod proxying;
mod shop;
mod smuggling;
mod upstream;
mod upstreams;
