//! The gate over real sockets, with a shop whose answers the tests change.
mod access;
mod counting;
mod harness;
mod origin;
mod process;
mod protection;
mod proxying;
mod shop;
mod squid;
mod squid_process;
mod squid_usage;
mod upstream;
mod upstreams;
