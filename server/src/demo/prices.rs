//! Puts everything on sale at the prices of the default catalogues.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::tiers;
use crate::traffic::prices::change_traffic;
use postern_core::price_forms::PriceChange;
use postern_core::traffic::TrafficCatalogue;

/// Sells all tiers and traffic. The catalogue of a new shop must be there.
pub fn sell_everything(conn: &mut Conn) -> Result<(), AppError> {
    diesel::update(tiers::table).set(tiers::is_sold.eq(true)).execute(conn)?;
    for offer in TrafficCatalogue::default().offers {
        for step in offer.steps {
            let (period_days, min_gigabytes, price) = (offer.period_days, step.min_gigabytes, step.price);
            change_traffic(conn, &PriceChange::SetTraffic { period_days, min_gigabytes, price })?;
        }
    }
    Ok(())
}
