//! The routes of the gateways' pages.
use crate::gateways::{btcpay, epay, stripe, transfer};
use actix_web::web;

pub fn configure(config: &mut web::ServiceConfig) {
    config.configure(stripe::pages::configure).configure(transfer::configure);
    config.configure(btcpay::page::configure).configure(epay::page::configure);
}
