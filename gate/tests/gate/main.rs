//! The gate over real sockets, with a shop whose answers the tests change.
mod access;
mod attacks;
mod counting;
mod flood;
mod harness;
mod limits;
mod origin;
mod process;
mod protection;
mod proxying;
mod shop;
mod smuggling;
mod squid;
mod squid_process;
mod squid_usage;
mod upstream;
mod upstreams;
