//! Static residential proxies: catalogue, stock, and managing owned nodes.
mod access;
mod check;
pub mod export;
mod groups;
mod history;
pub mod list;
mod places;
pub mod plans;
mod purchasable;
pub mod queries;
pub mod renewal;
pub mod renewals;
mod routes;
mod search;
pub mod selection;
pub mod switch_plan;
mod switch_records;
pub mod switching;
pub mod types;
mod whitelist;

pub fn configure(config: &mut impl crate::http::routes::Routes) {
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
        .configure(check::configure)
        .configure(history::configure);
}
