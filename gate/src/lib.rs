//! `postern-gate`: the proxy server of Postern. It carries the traffic of those whom the shop admits, over HTTP and SOCKS5, ends what the shop
//! ends, and reports every byte once.
//!
//! A connection passes `listener`, then `http` or `socks`, is admitted by `access`, its destination is checked by `destination`, reached by
//! `route`, and carried by `tunnel`, within what `shares` leaves to its user. `running` starts and ends it all. `meter` counts, `spool` keeps on disk what `report` sends to the `shop`, which also gets
//! a `heartbeat`.
//! `squid` has the commands for those who run Squid instead.
pub mod access;
pub mod addresses;
pub mod attempts;
pub mod destination;
pub mod exit;
pub mod gate;
pub mod health;
pub mod heartbeat;
pub mod host_port;
pub mod http;
pub mod limits;
pub mod listener;
pub mod memory;
pub mod meter;
pub mod metrics;
pub mod metrics_page;
pub mod refusal;
pub mod report;
pub mod route;
pub mod running;
pub mod secret;
pub mod settings;
pub mod shares;
pub mod shop;
pub mod socks;
pub mod spool;
pub mod squid;
pub mod tunnel;
pub mod upstream;
