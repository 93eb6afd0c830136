//! The figures of a range, from the rows of days and the present day.
use crate::business::days::{DayFigures, count_day};
use crate::business::types::{BusinessChanges, BusinessFigures, BusinessPoint, BusinessView, ProductSales};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{shop_days, shop_sales, stock};
use chrono::{NaiveDate, NaiveDateTime};
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use postern_core::business::{BusinessRange, DaySpan, change_basis_points, churn_basis_points};
use postern_core::money::{Currency, Money};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = shop_days)]
struct Day {
    day: NaiveDate,
    orders: i64,
    revenue_minor: i64,
    refunded_minor: i64,
    new_accounts: i64,
    traffic_bytes: i64,
    customers: Option<i64>,
    customers_left: Option<i64>,
}

impl Day {
    fn of_today(day: NaiveDate, figures: &DayFigures) -> Day {
        Day {
            day,
            orders: figures.orders(),
            revenue_minor: figures.revenue_minor(),
            refunded_minor: figures.refunded_minor,
            new_accounts: figures.new_accounts,
            traffic_bytes: figures.traffic_bytes,
            customers: None,
            customers_left: None,
        }
    }
}

pub fn view(conn: &mut Conn, range: BusinessRange, now: NaiveDateTime) -> Result<BusinessView, AppError> {
    let today = now.date();
    let spans = range.spans(today).ok_or_else(|| AppError::internal("the calendar ends"))?;
    let counted = count_day(conn, today)?;
    // A day more: how many customers there were when the first one began.
    let first = spans.before.from.pred_opt().unwrap_or(spans.before.from);
    let mut days: Vec<Day> = shop_days::table
        .filter(shop_days::day.ge(first))
        .filter(shop_days::day.lt(today))
        .order(shop_days::day)
        .select(Day::as_select())
        .load(conn)?;
    days.push(Day::of_today(today, &counted));
    let (before, after) = (figures(&days, spans.before), figures(&days, spans.now));
    let points = spans.points.iter().map(|span| BusinessPoint {
        day: span.from.to_string(),
        is_partial: span.has(today),
        figures: figures(&days, *span),
        customers: days.iter().filter(|day| span.has(day.day)).filter_map(|day| day.customers).next_back(),
    });
    let (nodes, nodes_for_sale) = stock::table
        .filter(stock::target.eq(""))
        .select((
            sql::<BigInt>("CAST(coalesce(sum(served), 0) AS BIGINT)"),
            sql::<BigInt>("CAST(coalesce(sum(available), 0) AS BIGINT)"),
        ))
        .first(conn)?;
    Ok(BusinessView {
        range,
        currency: Currency::Usd,
        changes: changes(&after, &before),
        today: figures(&days, DaySpan { from: today, until: today.succ_opt().unwrap_or(today) }),
        points: points.collect(),
        products: products(conn, spans.now)?,
        nodes,
        nodes_for_sale,
        customers: days.iter().filter_map(|day| day.customers).next_back(),
        now: after,
        before,
    })
}

/// The sums of the days in a span.
fn figures(days: &[Day], span: DaySpan) -> BusinessFigures {
    let mut sum = BusinessFigures::default();
    let (mut revenue, mut refunded) = (0_i64, 0_i64);
    for day in days.iter().filter(|day| span.has(day.day)) {
        sum.orders += day.orders;
        revenue = revenue.saturating_add(day.revenue_minor);
        refunded = refunded.saturating_add(day.refunded_minor);
        sum.new_accounts += day.new_accounts;
        sum.traffic_bytes = sum.traffic_bytes.saturating_add(day.traffic_bytes);
        sum.customers_left =
            day.customers_left.map(|left| sum.customers_left.unwrap_or(0) + left).or(sum.customers_left);
    }
    sum.revenue = Money::from_minor(revenue);
    sum.refunded = Money::from_minor(refunded);
    // Those at the beginning, or when they were counted first.
    let at_first = days.iter().rev().filter(|day| day.day < span.from).find_map(|day| day.customers);
    let customers = at_first.or_else(|| days.iter().filter(|day| span.has(day.day)).find_map(|day| day.customers));
    sum.churn_basis_points = sum.customers_left.zip(customers).and_then(|(left, all)| churn_basis_points(left, all));
    sum
}

fn changes(now: &BusinessFigures, before: &BusinessFigures) -> BusinessChanges {
    let left = now.customers_left.zip(before.customers_left);
    BusinessChanges {
        orders_basis_points: change_basis_points(now.orders, before.orders),
        revenue_basis_points: change_basis_points(now.revenue.minor(), before.revenue.minor()),
        refunded_basis_points: change_basis_points(now.refunded.minor(), before.refunded.minor()),
        new_accounts_basis_points: change_basis_points(now.new_accounts, before.new_accounts),
        traffic_basis_points: change_basis_points(now.traffic_bytes, before.traffic_bytes),
        customers_left_basis_points: left.and_then(|(now, before)| change_basis_points(now, before)),
    }
}

fn products(conn: &mut Conn, span: DaySpan) -> Result<Vec<ProductSales>, AppError> {
    let rows: Vec<(String, i64, i64)> = shop_sales::table
        .filter(shop_sales::day.ge(span.from))
        .filter(shop_sales::day.lt(span.until))
        .select((shop_sales::product, shop_sales::orders, shop_sales::revenue_minor))
        .load(conn)?;
    let mut sums: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for (product, orders, revenue) in rows {
        let sum = sums.entry(product).or_default();
        *sum = (sum.0 + orders, sum.1.saturating_add(revenue));
    }
    let view = |(product, (orders, revenue)): (String, (i64, i64))| ProductSales {
        ver_str: (!product.is_empty()).then_some(product),
        orders,
        revenue: Money::from_minor(revenue),
    };
    let mut products: Vec<ProductSales> = sums.into_iter().map(view).collect();
    products.sort_by_key(|product| std::cmp::Reverse(product.revenue.minor()));
    Ok(products)
}
