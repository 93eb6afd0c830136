//! Our addresses that redirect to Stripe.
use crate::gateways::stripe::{cards, payments};
use actix_web::web;

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(cards::open_card).service(payments::open);
}
