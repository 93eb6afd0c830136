//! The shop's tiers, periods and discounts, as rows.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{periods, quantity_steps, tiers};
use diesel::sql_types::Bool;
use postern_core::money::{Currency, Money};
use postern_core::price_forms::PriceChange;
use postern_core::tier::{Catalogue, Period, QuantityStep, Tier};

pub fn unsigned(number: i32) -> Result<u32, AppError> {
    u32::try_from(number).map_err(|_| AppError::internal("a number of the catalogue is negative"))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = tiers)]
struct TierRow {
    ver_str: String,
    node_type: i16,
    label_en: String,
    label_zh: String,
    desc_en: String,
    desc_zh: String,
    price_minor: i64,
    is_sold: bool,
    max_connections: Option<i32>,
    max_megabits: Option<i32>,
}

impl TierRow {
    fn tier(self) -> Result<Tier, AppError> {
        Ok(Tier {
            ver_str: self.ver_str,
            label_en: self.label_en,
            label_zh: self.label_zh,
            desc_en: self.desc_en,
            desc_zh: self.desc_zh,
            node_type: u8::try_from(self.node_type)
                .map_err(|_| AppError::internal("a tier has an unknown node type"))?,
            price: Money::from_minor(self.price_minor),
            is_sold: self.is_sold,
            max_connections: self.max_connections.map(unsigned).transpose()?,
            max_megabits: self.max_megabits.map(unsigned).transpose()?,
        })
    }
}

/// The shop's tiers, periods and discounts.
pub fn catalogue(conn: &mut Conn) -> Result<Catalogue, AppError> {
    let tier_rows: Vec<TierRow> = tiers::table.order(tiers::position).select(TierRow::as_select()).load(conn)?;
    let mut catalogue = Catalogue { currency: Currency::Usd, tiers: vec![], periods: vec![], quantity_steps: vec![] };
    for row in tier_rows {
        catalogue.tiers.push(row.tier()?);
    }
    for (is_period, number, discount) in discounts(conn)? {
        let discount_basis_points = unsigned(discount)?;
        if is_period {
            catalogue.periods.push(Period { period_days: unsigned(number)?, discount_basis_points });
        } else {
            catalogue.quantity_steps.push(QuantityStep { min_quantity: unsigned(number)?, discount_basis_points });
        }
    }
    Ok(catalogue)
}

/// Periods and volume discounts, each ascending, with their discounts in basis points. Every order needs both, so one statement loads both.
pub fn discounts(conn: &mut Conn) -> Result<Vec<(bool, i32, i32)>, AppError> {
    macro_rules! both {
        () => {
            periods::table
                .select((true.into_sql::<Bool>(), periods::period_days, periods::discount_basis_points))
                .union_all(quantity_steps::table.select((
                    false.into_sql::<Bool>(),
                    quantity_steps::min_quantity,
                    quantity_steps::discount_basis_points,
                )))
        };
    }
    let mut rows: Vec<(bool, i32, i32)> = on_either!(conn, both!().load(conn)?);
    rows.sort_unstable();
    Ok(rows)
}

/// Writes the catalogue of a new shop.
pub fn seed_catalogue(conn: &mut Conn, catalogue: &Catalogue) -> Result<(), AppError> {
    let existing: i64 = tiers::table.count().get_result(conn)?;
    if existing > 0 {
        return Ok(());
    }
    let signed =
        |number: u32| i32::try_from(number).map_err(|_| AppError::internal("a catalogue's number is too large"));
    for (position, tier) in (0..).zip(&catalogue.tiers) {
        diesel::insert_into(tiers::table)
            .values((
                tiers::ver_str.eq(&tier.ver_str),
                tiers::node_type.eq(i16::from(tier.node_type)),
                tiers::label_en.eq(&tier.label_en),
                tiers::label_zh.eq(&tier.label_zh),
                tiers::desc_en.eq(&tier.desc_en),
                tiers::desc_zh.eq(&tier.desc_zh),
                tiers::price_minor.eq(tier.price.minor()),
                tiers::position.eq(position),
                tiers::is_sold.eq(tier.is_sold),
            ))
            .execute(conn)?;
    }
    for period in &catalogue.periods {
        let row = (signed(period.period_days)?, signed(period.discount_basis_points)?);
        let row = (periods::period_days.eq(row.0), periods::discount_basis_points.eq(row.1));
        diesel::insert_into(periods::table).values(row).execute(conn)?;
    }
    for step in &catalogue.quantity_steps {
        let row = (signed(step.min_quantity)?, signed(step.discount_basis_points)?);
        let row = (quantity_steps::min_quantity.eq(row.0), quantity_steps::discount_basis_points.eq(row.1));
        diesel::insert_into(quantity_steps::table).values(row).execute(conn)?;
    }
    Ok(())
}

/// Changes a price or a discount of the catalogue; those of traffic have rows of their own. The change must be valid.
pub fn change(conn: &mut Conn, change: &PriceChange) -> Result<(), AppError> {
    let signed =
        |number: u32| i32::try_from(number).map_err(|_| AppError::internal("a catalogue's number is too large"));
    match change {
        PriceChange::SetTier { ver_str, price } => {
            let price = tiers::price_minor.eq(price.minor());
            diesel::update(tiers::table.find(ver_str)).set(price).execute(conn)?;
        }
        PriceChange::SellTier { ver_str } => sell_tier(conn, ver_str, true)?,
        PriceChange::PauseTier { ver_str } => sell_tier(conn, ver_str, false)?,
        PriceChange::LimitTier { ver_str, max_connections, max_megabits } => {
            let limits = (
                tiers::max_connections.eq(max_connections.map(signed).transpose()?),
                tiers::max_megabits.eq(max_megabits.map(signed).transpose()?),
            );
            diesel::update(tiers::table.find(ver_str)).set(limits).execute(conn)?;
        }
        PriceChange::SetPeriod { period_days, discount_basis_points } => {
            let discount = periods::discount_basis_points.eq(signed(*discount_basis_points)?);
            let period = signed(*period_days)?;
            if diesel::update(periods::table.find(period)).set(discount).execute(conn)? == 0 {
                let row = (periods::period_days.eq(period), discount);
                diesel::insert_into(periods::table).values(row).execute(conn)?;
            }
        }
        PriceChange::RemovePeriod { period_days } => {
            diesel::delete(periods::table.find(signed(*period_days)?)).execute(conn)?;
        }
        PriceChange::SetStep { min_quantity, discount_basis_points } => {
            let discount = quantity_steps::discount_basis_points.eq(signed(*discount_basis_points)?);
            let min = signed(*min_quantity)?;
            if diesel::update(quantity_steps::table.find(min)).set(discount).execute(conn)? == 0 {
                let row = (quantity_steps::min_quantity.eq(min), discount);
                diesel::insert_into(quantity_steps::table).values(row).execute(conn)?;
            }
        }
        PriceChange::RemoveStep { min_quantity } => {
            diesel::delete(quantity_steps::table.find(signed(*min_quantity)?)).execute(conn)?;
        }
        PriceChange::SetTraffic { .. } | PriceChange::RemoveTraffic { .. } => {
            return Err(AppError::internal("traffic is no tier"));
        }
    }
    Ok(())
}

fn sell_tier(conn: &mut Conn, ver_str: &str, is_sold: bool) -> Result<(), AppError> {
    diesel::update(tiers::table.find(ver_str)).set(tiers::is_sold.eq(is_sold)).execute(conn)?;
    Ok(())
}
