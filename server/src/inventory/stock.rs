//! SQL about the stock by tier and city, and how long it lasts.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::inventory::types::CityShelf;
use crate::schema::{nodes, stock};
use crate::static_proxies::place_names::{of_city, of_country};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::{count_star, sql};
use diesel::sql_types::{BigInt, Bool};
use postern_core::inventory::{SALES_DAYS, days_of_stock};
use std::collections::HashMap;

/// Every tier and city that has nodes, the shortest stock first.
pub fn shelves(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<CityShelf>, AppError> {
    let sold: Vec<(String, String, String, i64)> = nodes::table
        .filter(nodes::assigned_at.gt(now - TimeDelta::days(SALES_DAYS)))
        .group_by((nodes::ver_str, nodes::country, nodes::city))
        .select((nodes::ver_str, nodes::country, nodes::city, count_star()))
        .load(conn)?;
    let sold: HashMap<(String, String, String), i64> =
        sold.into_iter().map(|(ver_str, country, city, count)| ((ver_str, country, city), count)).collect();
    let rows: Vec<(String, String, String, i64, i64)> = stock::table
        .filter(stock::target.eq(""))
        .group_by((stock::ver_str, stock::country, stock::city))
        .having(sql::<Bool>("sum(served) > 0"))
        .select((
            stock::ver_str,
            stock::country,
            stock::city,
            sql::<BigInt>("CAST(sum(served) AS BIGINT)"),
            sql::<BigInt>("CAST(sum(available) AS BIGINT)"),
        ))
        .load(conn)?;
    let shelf = |(ver_str, country, city, served, available): (String, String, String, i64, i64)| {
        let (country_name, city_name) = (of_country(&country), of_city(&city));
        let place = (ver_str, country, city);
        let sold = sold.get(&place).copied().unwrap_or_default();
        let (ver_str, country, city) = place;
        CityShelf {
            ver_str,
            country,
            country_name_en: country_name.en,
            country_name_zh: country_name.zh,
            city,
            city_name_en: city_name.en,
            city_name_zh: city_name.zh,
            nodes: served,
            available,
            sold,
            days_left: days_of_stock(available, sold),
        }
    };
    let mut shelves: Vec<CityShelf> = rows.into_iter().map(shelf).collect();
    shelves.sort_by(|one, other| {
        let key = |shelf: &CityShelf| (shelf.days_left.unwrap_or(i64::MAX), shelf.available);
        let place = |shelf: &CityShelf| (shelf.ver_str.clone(), shelf.country.clone(), shelf.city.clone());
        key(one).cmp(&key(other)).then_with(|| place(one).cmp(&place(other)))
    });
    Ok(shelves)
}
