//! Prices of traffic, as rows.
use crate::catalogue::unsigned;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{proxy_servers, traffic_steps};
use postern_core::money::{Currency, Money};
use postern_core::price_forms::PriceChange;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::traffic::{TrafficCatalogue, TrafficOffer, TrafficStep};

/// The shop's offers: by period, traffic without expiry last.
pub fn traffic_catalogue(conn: &mut Conn) -> Result<TrafficCatalogue, AppError> {
    let rows: Vec<(i32, i32, i64)> = traffic_steps::table
        .order((traffic_steps::period_days, traffic_steps::min_gigabytes))
        .select((traffic_steps::period_days, traffic_steps::min_gigabytes, traffic_steps::price_minor))
        .load(conn)?;
    let mut offers: Vec<TrafficOffer> = Vec::new();
    for (period_days, min_gigabytes, price_minor) in rows {
        let period_days = unsigned(period_days)?;
        let step = TrafficStep { min_gigabytes: unsigned(min_gigabytes)?, price: Money::from_minor(price_minor) };
        match offers.last_mut().filter(|offer| offer.period_days == period_days) {
            Some(offer) => offer.steps.push(step),
            None => offers.push(TrafficOffer { period_days, steps: vec![step] }),
        }
    }
    offers.sort_by_key(|offer| (offer.period_days == 0, offer.period_days));
    Ok(TrafficCatalogue { currency: Currency::Usd, offers })
}

/// What of the shop's offers can be ordered: nothing without a residential proxy server.
pub fn traffic_for_sale(conn: &mut Conn) -> Result<TrafficCatalogue, AppError> {
    let present = proxy_servers::table.filter(proxy_servers::removed_at.is_null());
    let residential = present.filter(proxy_servers::kind.eq(ProxyServerKind::Residential));
    let server: Option<i64> = residential.select(proxy_servers::id).first(conn).optional()?;
    Ok(traffic_catalogue(conn)?.for_sale(server.is_some()))
}

/// Changes a price of traffic. The change must be valid.
pub fn change_traffic(conn: &mut Conn, change: &PriceChange) -> Result<(), AppError> {
    let signed = |number: u32| i32::try_from(number).map_err(|_| AppError::internal("a price's number is too large"));
    match change {
        PriceChange::SetTraffic { period_days, min_gigabytes, price } => {
            let step = (signed(*period_days)?, signed(*min_gigabytes)?);
            let price = traffic_steps::price_minor.eq(price.minor());
            if diesel::update(traffic_steps::table.find(step)).set(price).execute(conn)? == 0 {
                let row = (traffic_steps::period_days.eq(step.0), traffic_steps::min_gigabytes.eq(step.1), price);
                diesel::insert_into(traffic_steps::table).values(row).execute(conn)?;
            }
            Ok(())
        }
        PriceChange::RemoveTraffic { period_days, min_gigabytes } => {
            let step = traffic_steps::table.find((signed(*period_days)?, signed(*min_gigabytes)?));
            diesel::delete(step).execute(conn)?;
            Ok(())
        }
        _ => Err(AppError::internal("not a price of traffic")),
    }
}
