//! Proxy users: sub-users of an account's residential traffic, with limits, passwords and addresses.
mod addresses;
pub mod files;
pub mod lifecycle;
pub mod queries;
mod routes;
mod types;
pub mod upkeep;

pub fn configure(config: &mut impl crate::http::routes::Routes) {
    config.configure(routes::configure).configure(addresses::configure).configure(files::configure);
}
