//! SQL about the table `stock`: what is for sale and where, without counting the inventory. Triggers keep it exact, in the transaction that changes
//! the nodes.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::stock;
use diesel::dsl::sql;
use diesel::sql_types::{BigInt, Bool};

/// The number of nodes of one tier, city and ISP in stock.
#[derive(Clone, Debug, Eq, PartialEq, Queryable)]
pub struct Shelf {
    pub ver_str: String,
    pub country: String,
    pub city: String,
    pub isp: String,
    pub node_type: i16,
    pub available: i64,
}

/// Filters for shelves; absent fields do not filter.
#[derive(Clone, Copy, Default)]
pub struct ShelfFilter<'a> {
    pub ver_str: Option<&'a str>,
    pub country: Option<&'a str>,
    pub city: Option<&'a str>,
    pub isp: Option<&'a str>,
    pub target: Option<&'a str>,
}

/// The stock by tier, country, city and ISP, in that order. Empty shelves are left out.
pub fn shelves(conn: &mut Conn, filter: &ShelfFilter) -> Result<Vec<Shelf>, AppError> {
    let mut query = stock::table
        .filter(stock::target.eq(filter.target.unwrap_or_default()))
        .group_by((stock::ver_str, stock::country, stock::city, stock::isp, stock::node_type))
        .having(sql::<Bool>("sum(available) > 0"))
        .select((
            stock::ver_str,
            stock::country,
            stock::city,
            stock::isp,
            stock::node_type,
            sql::<BigInt>("CAST(sum(available) AS BIGINT)"),
        ))
        .order((stock::ver_str, stock::country, stock::city, stock::isp, stock::node_type))
        .into_boxed();
    if let Some(ver_str) = filter.ver_str {
        query = query.filter(stock::ver_str.eq(ver_str));
    }
    if let Some(country) = filter.country {
        query = query.filter(stock::country.eq(country));
    }
    if let Some(city) = filter.city {
        query = query.filter(stock::city.eq(city));
    }
    if let Some(isp) = filter.isp {
        query = query.filter(stock::isp.eq(isp));
    }
    Ok(query.load(conn)?)
}

/// A city that has nodes, in stock or not.
#[derive(Clone, Debug, Eq, PartialEq, Queryable)]
pub struct ServedCity {
    pub country: String,
    pub city: String,
    /// Nodes that are owned by customers or held for an order.
    pub sold: i64,
}

/// The cities that have nodes, by country.
pub fn served_cities(conn: &mut Conn) -> Result<Vec<ServedCity>, AppError> {
    let cities = stock::table
        .filter(stock::target.eq(""))
        .group_by((stock::country, stock::city))
        .having(sql::<Bool>("sum(served) > 0"))
        .select((stock::country, stock::city, sql::<BigInt>("CAST(sum(served) - sum(available) AS BIGINT)")))
        .order((stock::country, stock::city));
    Ok(cities.load(conn)?)
}

/// Compacts places with many delta rows. One statement, so concurrent readers see the rows before or after.
/// No-op on SQLite, which counts in place.
pub fn fold(conn: &mut Conn) -> Result<usize, AppError> {
    let Conn::Postgres(conn) = conn else { return Ok(0) };
    let folded = diesel::sql_query(
        "WITH gathered AS ( \
           SELECT target, ver_str, country, city, isp, node_type FROM stock GROUP BY 1, 2, 3, 4, 5, 6 HAVING count(*) > 20 \
         ), gone AS ( \
           DELETE FROM stock USING gathered \
           WHERE (stock.target, stock.ver_str, stock.country, stock.city, stock.isp, stock.node_type) \
             = (gathered.target, gathered.ver_str, gathered.country, gathered.city, gathered.isp, gathered.node_type) \
           RETURNING stock.* \
         ) \
         INSERT INTO stock \
           SELECT target, ver_str, country, city, isp, node_type, sum(served), sum(available) \
           FROM gone GROUP BY 1, 2, 3, 4, 5, 6",
    );
    Ok(folded.execute(conn)?)
}
