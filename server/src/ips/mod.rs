//! Static residential proxies: the catalogue, what is in stock, what somebody owns and does with it.
mod access;
mod check;
pub mod export;
mod groups;
mod nodes;
mod purchasable;
pub mod queries;
pub mod renewal;
mod routes;
mod selection;
pub mod stock;
mod switch_records;
pub mod switching;
pub mod types;
mod whitelist;

pub(crate) use selection::good_for;

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config
        .configure(routes::configure)
        .configure(groups::configure)
        .configure(access::configure)
        .configure(switching::configure)
        .configure(purchasable::configure)
        .configure(switch_records::configure)
        .configure(renewal::configure)
        .configure(whitelist::configure)
        .configure(export::configure)
        .configure(check::configure);
}
