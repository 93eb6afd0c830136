//! The seller's prices and discounts of both catalogues: shown, changed, and planned for later.
pub mod planned;
pub mod routes;
mod types;

use crate::audit::{self, Actor, Entry};
use crate::catalogue::{self, catalogue};
use crate::db::prelude::*;
use crate::db::{Conn, one_at_a_time};
use crate::error::AppError;
use crate::schema::nodes;
use crate::traffic::prices::{change_traffic, traffic_catalogue};
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::money::display_percent;
use postern_core::price_forms::{PriceChange, PriceForm, Prices, period_renews, validate_price};

/// The name of changes of prices among works that wait for each other: a rule about all prices, such as that one remains, looks at what others left.
const PRICES_LOCK: i64 = 0x0070_7269_6365_7301;

pub fn prices(conn: &mut Conn) -> Result<Prices, AppError> {
    Ok(Prices { catalogue: catalogue(conn)?, traffic: traffic_catalogue(conn)? })
}

/// Changes a price. Open orders keep the price at which they were created.
pub fn change(conn: &mut Conn, form: &PriceForm, actor: &Actor, now: NaiveDateTime) -> Result<(), AppError> {
    one_at_a_time(conn, PRICES_LOCK)?;
    let before = prices(conn)?;
    let change = validate_price(form, &before)?;
    if let PriceChange::RemovePeriod { period_days } = change {
        let days = i32::try_from(period_days).map_err(|_| AppError::internal("a period is too long"))?;
        let renewing = nodes::table.filter(nodes::auto_renew.eq(true)).filter(nodes::period_days.eq(days));
        let renewing: i64 = renewing.filter(nodes::account_id.is_not_null()).count().get_result(conn)?;
        if renewing > 0 {
            return Err(period_renews(renewing.unsigned_abs()).into());
        }
    }
    match change {
        PriceChange::SetTraffic { .. } | PriceChange::RemoveTraffic { .. } => change_traffic(conn, &change)?,
        _ => catalogue::change(conn, &change)?,
    }
    let changes = differences(&before, &prices(conn)?);
    audit::record(conn, actor, Entry::new(AuditAction::PriceChanged).changes(changes), now)
}

/// The lines that are not the same: one that is gone beside one that is new.
fn differences(before: &Prices, after: &Prices) -> Vec<AuditChange> {
    let (before, after) = (lines(before), lines(after));
    let plain = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let gone = before.iter().filter(|line| !after.contains(line)).map(plain);
    let new = after.iter().filter(|line| !before.contains(line)).map(plain);
    let (mut gone, mut new) = (gone.collect::<Vec<_>>().into_iter(), new.collect::<Vec<_>>().into_iter());
    std::iter::from_fn(move || match (gone.next(), new.next()) {
        (None, None) => None,
        (before, after) => Some(AuditChange { field: AuditField::Price, before, after }),
    })
    .collect()
}

/// All prices and discounts, one per line.
pub fn lines(Prices { catalogue, traffic }: &Prices) -> Vec<String> {
    let currency = catalogue.currency.as_str();
    let mut lines = Vec::new();
    for tier in &catalogue.tiers {
        let (ver_str, price) = (&tier.ver_str, tier.price.to_string());
        let mark = if tier.is_sold { "" } else { ", not sold" };
        let connections = tier.max_connections.map(|most| format!(", {most} connections per IP"));
        let megabits = tier.max_megabits.map(|most| format!(", {most} Mbit/s per IP"));
        let limits = connections.unwrap_or_default() + &megabits.unwrap_or_default();
        lines.push(format!("tier     {ver_str:<28} {price:>10} {currency} per IP and 30 days{mark}{limits}"));
    }
    for period in &catalogue.periods {
        let discount = display_percent(period.discount_basis_points);
        lines.push(format!("period   {:>5} days {discount:>8} off", period.period_days));
    }
    for step in &catalogue.quantity_steps {
        let discount = display_percent(step.discount_basis_points);
        lines.push(format!("step     {:>5} IPs  {discount:>8} off", step.min_quantity));
    }
    for offer in &traffic.offers {
        let period =
            if offer.period_days == 0 { "never expires".to_owned() } else { format!("{} days", offer.period_days) };
        for step in &offer.steps {
            let price = step.price.to_string();
            lines.push(format!("traffic  {period:<14} from {:>6} GB {price:>8} {currency} per GB", step.min_gigabytes));
        }
    }
    lines
}
