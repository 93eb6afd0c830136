//! SQL about the catalogue, the stock and what accounts own.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::nodes::stock::{self, ServedCity};
use crate::nodes::summaries::{TierSummary, tier_summaries};
use crate::schema::{node_targets, nodes, plan_groups, targets};
use crate::static_proxies::types::{
    CityStock, CountryStock, Inventory, OwnedProduct, OwnedTarget, PlanGroup, StockFilter, Target,
};
use chrono::NaiveDateTime;
use diesel::dsl::count;
use postern_core::place;
use std::collections::{BTreeMap, HashMap};

/// The stock, by city and tier.
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

/// The stock by country, with names. Places whose nodes are all sold out are listed with zero.
pub fn country_list(conn: &mut Conn, filter: &StockFilter) -> Result<Vec<CountryStock>, AppError> {
    let served = stock::served_cities(conn)?;
    let mut available: HashMap<String, i64> = HashMap::new();
    for shelf in stock::shelves(conn, &filter.shelves())? {
        *available.entry(shelf.city).or_default() += shelf.available;
    }
    let popular = place::popular_cities(served.iter().map(|one| (one.city.as_str(), one.sold)));
    let mut by_country: BTreeMap<&str, Vec<CityStock>> = BTreeMap::new();
    for ServedCity { country, city, .. } in &served {
        let known = place::city(city);
        by_country.entry(country).or_default().push(CityStock {
            name_en: known.as_ref().map_or_else(|| city.clone(), |known| known.name_en.clone()),
            name_zh: known.map_or_else(|| city.clone(), |known| known.name_zh),
            stock: available.get(city).copied().unwrap_or_default(),
            popularity: popular.iter().position(|one| one == city).map(|index| index + 1),
            city: city.clone(),
        });
    }
    let mut list: Vec<CountryStock> = Vec::new();
    for (code, mut cities) in by_country {
        let (Some(known), Some(region)) = (place::country(code), place::region_of(code)) else { continue };
        cities.sort_by(|one, other| one.name_en.cmp(&other.name_en));
        list.push(CountryStock {
            country: known.country,
            code3: known.code3,
            numeric: known.numeric,
            name_en: known.name_en,
            name_zh: known.name_zh,
            region,
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

pub fn owned_products(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<OwnedProduct>, AppError> {
    let product = |TierSummary { ver_str, node_type, summary }| OwnedProduct {
        ver_str,
        node_type,
        ips_count: summary.owned(),
        summary,
    };
    Ok(tier_summaries(conn, account_id, now)?.into_iter().map(product).collect())
}

pub fn group_list(conn: &mut Conn, account_id: i64) -> Result<Vec<PlanGroup>, AppError> {
    let rows: Vec<(i64, String, String, String)> = plan_groups::table
        .filter(plan_groups::account_id.eq(account_id))
        .order(plan_groups::name)
        .select((plan_groups::id, plan_groups::name, plan_groups::colour, plan_groups::note))
        .load(conn)?;
    // Counted per group: most nodes may be in none.
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
