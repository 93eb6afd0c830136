//! The routes of the gateways' pages.
use crate::gateways::{sandbox, stripe, transfer};
use actix_web::web;

pub fn configure(config: &mut web::ServiceConfig) {
    config.configure(sandbox::pages::configure).configure(stripe::pages::configure).configure(transfer::configure);
}
