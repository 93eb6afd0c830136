//! Static residential proxies: the catalogue, what is in stock, what somebody owns.
mod nodes;
pub mod queries;
mod routes;
pub mod types;

pub use routes::configure;
