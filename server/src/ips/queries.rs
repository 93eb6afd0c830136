//! SQL about the catalogue, the stock and what accounts own.
use super::stock;
use super::switching::quota_of;
use super::types::{
    CityStock, CountryStock, Inventory, OwnedProduct, OwnedTarget, Plan, PlanGroup, StockFilter, Target,
};
use crate::db::Conn;
use crate::error::AppError;
use crate::schema::{node_targets, nodes, periods, plan_groups, plans, quantity_steps, targets, tiers};
use chrono::NaiveDateTime;
use diesel::dsl::{count, min};
use diesel::prelude::*;
use diesel::sql_types::Bool;
use postern_core::money::{Currency, Money};
use postern_core::place;
use postern_core::tier::{Catalogue, Period, QuantityStep, Tier};
use postern_core::time::to_wire;
use std::collections::{BTreeMap, HashMap};

fn unsigned(number: i32) -> Result<u32, AppError> {
    u32::try_from(number).map_err(|_| AppError::internal("a number of the catalogue is negative"))
}

/// The shop's tiers, periods and discounts.
pub fn catalogue(conn: &mut Conn) -> Result<Catalogue, AppError> {
    type TierRow = (String, i16, String, String, String, String, i64);
    let tier_rows: Vec<TierRow> = tiers::table
        .order(tiers::position)
        .select((
            tiers::ver_str,
            tiers::node_type,
            tiers::label_en,
            tiers::label_zh,
            tiers::desc_en,
            tiers::desc_zh,
            tiers::price_minor,
        ))
        .load(conn)?;
    let mut catalogue = Catalogue { currency: Currency::Usd, tiers: vec![], periods: vec![], quantity_steps: vec![] };
    for (ver_str, node_type, label_en, label_zh, desc_en, desc_zh, price_minor) in tier_rows {
        let node_type = u8::try_from(node_type).map_err(|_| AppError::internal("a tier has an unknown node type"))?;
        let price = Money::from_minor(price_minor);
        catalogue.tiers.push(Tier { ver_str, label_en, label_zh, desc_en, desc_zh, node_type, price });
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

/// Periods and steps of quantity, each from the smallest, with their discounts in basis points. Every order asks for both, so one statement
/// does.
fn discounts(conn: &mut Conn) -> Result<Vec<(bool, i32, i32)>, AppError> {
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
    let mut rows: Vec<(bool, i32, i32)> = match conn {
        Conn::Postgres(conn) => both!().load(conn)?,
        Conn::Sqlite(conn) => both!().load(conn)?,
    };
    rows.sort_unstable();
    Ok(rows)
}

/// Writes a catalogue where there is none yet.
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

/// What is for sale, by city and tier.
pub fn inventory(conn: &mut Conn, filter: &StockFilter) -> Result<Vec<Inventory>, AppError> {
    let mut rows: Vec<Inventory> = Vec::new();
    for shelf in stock::shelves(conn, &filter.shelves())? {
        let place = (&shelf.ver_str, &shelf.country, &shelf.city, shelf.node_type);
        match rows.last_mut().filter(|row| (&row.ver_str, &row.country, &row.city, row.node_type) == place) {
            Some(row) => row.available += shelf.available,
            None => rows.push(Inventory {
                country: shelf.country,
                city: shelf.city,
                ver_str: shelf.ver_str,
                node_type: shelf.node_type,
                available: shelf.available,
            }),
        }
    }
    Ok(rows)
}

/// The same by country, with names; places that have nodes but none for sale right now are listed with none.
pub fn country_list(conn: &mut Conn, filter: &StockFilter) -> Result<Vec<CountryStock>, AppError> {
    let served = stock::served_places(conn)?;
    let mut available: HashMap<String, i64> = HashMap::new();
    for shelf in stock::shelves(conn, &filter.shelves())? {
        *available.entry(shelf.city).or_default() += shelf.available;
    }
    let mut by_country: BTreeMap<String, Vec<CityStock>> = BTreeMap::new();
    for (country, city) in served {
        let known = place::city(&city);
        by_country.entry(country).or_default().push(CityStock {
            name_en: known.as_ref().map_or_else(|| city.clone(), |known| known.name_en.clone()),
            name_zh: known.map_or_else(|| city.clone(), |known| known.name_zh),
            stock: available.get(&city).copied().unwrap_or_default(),
            city,
        });
    }
    let mut list: Vec<CountryStock> = Vec::new();
    for (code, mut cities) in by_country {
        let Some(known) = place::country(&code) else { continue };
        cities.sort_by(|one, other| one.name_en.cmp(&other.name_en));
        list.push(CountryStock {
            country: code,
            code3: known.code3,
            numeric: known.numeric,
            name_en: known.name_en,
            name_zh: known.name_zh,
            cities,
        });
    }
    list.sort_by(|one, other| one.name_en.cmp(&other.name_en));
    Ok(list)
}

pub fn target_list(conn: &mut Conn) -> Result<Vec<Target>, AppError> {
    let rows: Vec<(String, String, String, String)> = targets::table
        .order(targets::position)
        .select((targets::target, targets::name_en, targets::name_zh, targets::category))
        .load(conn)?;
    let row = |(target, name_en, name_zh, category)| Target { target, name_en, name_zh, category };
    Ok(rows.into_iter().map(row).collect())
}

pub fn owned_targets(conn: &mut Conn, account_id: i64) -> Result<Vec<OwnedTarget>, AppError> {
    let counts: Vec<(String, i64)> = node_targets::table
        .inner_join(nodes::table.on(nodes::id.eq(node_targets::node_id)))
        .filter(nodes::account_id.eq(account_id))
        .group_by(node_targets::target)
        .select((node_targets::target, count(nodes::id)))
        .load(conn)?;
    let counts: HashMap<String, i64> = counts.into_iter().collect();
    let owned =
        |target: Target| OwnedTarget { node_count: counts.get(&target.target).copied().unwrap_or_default(), target };
    Ok(target_list(conn)?.into_iter().map(owned).collect())
}

pub fn owned_products(conn: &mut Conn, account_id: i64) -> Result<Vec<OwnedProduct>, AppError> {
    let rows: Vec<(String, i16, i64, Option<NaiveDateTime>)> = nodes::table
        .filter(nodes::account_id.eq(account_id))
        .group_by((nodes::ver_str, nodes::node_type))
        .select((nodes::ver_str, nodes::node_type, count(nodes::id), min(nodes::expires_at)))
        .order(nodes::ver_str)
        .load(conn)?;
    let row = |(ver_str, node_type, ips_count, next): (_, _, _, Option<NaiveDateTime>)| OwnedProduct {
        ver_str,
        node_type,
        ips_count,
        next_expires_at: next.map(to_wire),
    };
    Ok(rows.into_iter().map(row).collect())
}

pub fn plan_list(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<Plan>, AppError> {
    let owned = owned_products(conn, account_id)?;
    type PlanRow = (i64, String, bool, i16, String, Option<String>);
    let rows: Vec<PlanRow> = plans::table
        .inner_join(tiers::table.on(tiers::ver_str.eq(plans::ver_str)))
        .filter(plans::account_id.eq(account_id))
        .order(tiers::position)
        .select((plans::id, plans::ver_str, plans::auto_renew, tiers::node_type, plans::access_mode, plans::user_name))
        .load(conn)?;
    rows.into_iter()
        .map(|(plan_id, ver_str, auto_renew, node_type, access_mode, user_name)| {
            let product = owned.iter().find(|product| product.ver_str == ver_str);
            Ok(Plan {
                plan_id,
                node_type,
                auto_renew,
                ips_count: product.map_or(0, |product| product.ips_count),
                next_expires_at: product.and_then(|product| product.next_expires_at.clone()),
                access_mode,
                user_name,
                quota: quota_of(conn, account_id, &ver_str, now)?,
                ver_str,
            })
        })
        .collect()
}

pub fn group_list(conn: &mut Conn, account_id: i64) -> Result<Vec<PlanGroup>, AppError> {
    let rows: Vec<(i64, String, String, String)> = plan_groups::table
        .filter(plan_groups::account_id.eq(account_id))
        .order(plan_groups::name)
        .select((plan_groups::id, plan_groups::name, plan_groups::colour, plan_groups::note))
        .load(conn)?;
    // Counted in the groups: most of what somebody owns may be in none.
    let counts: Vec<(Option<i64>, i64)> = nodes::table
        .filter(nodes::group_id.eq_any(rows.iter().map(|row| row.0)))
        .group_by(nodes::group_id)
        .select((nodes::group_id, count(nodes::id)))
        .load(conn)?;
    let counts: HashMap<i64, i64> = counts.into_iter().filter_map(|(group, nodes)| Some((group?, nodes))).collect();
    let row = |(group_id, name, colour, note)| PlanGroup {
        node_count: counts.get(&group_id).copied().unwrap_or_default(),
        group_id,
        name,
        colour,
        note,
    };
    Ok(rows.into_iter().map(row).collect())
}
