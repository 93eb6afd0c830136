//! The figures of each day that is over, as rows: a job counts them, so that a chart of a year reads some hundred rows, however much was sold.
use crate::db::prelude::*;
use crate::db::{Conn, one_at_a_time};
use crate::error::AppError;
use crate::schema::{
    accounts, nodes, orders, refunds, shop_customers, shop_days, shop_sales, traffic_batches, usage_days,
};
use crate::state::App;
use chrono::{Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use diesel::dsl::{count_star, min, sql};
use diesel::sql_types::{BigInt, Bool};
use postern_core::node::OWNED;
use postern_core::order::OrderKind;
use postern_core::permission::Level;
use postern_core::usage::{LATE_DAYS, MAX_SUM_BYTES};
use std::collections::BTreeSet;

/// The name of this work among those that wait for each other.
const DAYS_LOCK: i64 = 0x0064_6179_7300_0001;

/// Days per transaction when many are missing, as in a shop that gets this version.
const AT_ONCE: usize = 31;

/// A day is counted again after this long, as long as usage records of it may still arrive.
const AGAIN: TimeDelta = TimeDelta::days(1);

/// Rows per statement.
const CHUNK: usize = 1_000;

/// What was sold of a product on a day.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sales {
    /// The `VerStr` of its orders; empty for orders of several products.
    pub product: String,
    pub orders: i64,
    pub revenue_minor: i64,
}

/// The figures of a day.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct DayFigures {
    pub sales: Vec<Sales>,
    pub refunded_minor: i64,
    pub new_accounts: i64,
    pub traffic_bytes: i64,
}

impl DayFigures {
    pub fn orders(&self) -> i64 {
        self.sales.iter().map(|sales| sales.orders).sum()
    }

    pub fn revenue_minor(&self) -> i64 {
        self.sales.iter().map(|sales| sales.revenue_minor).sum()
    }
}

/// Counts a day. Each of its four queries reads the rows of that day by an index.
pub fn count_day(conn: &mut Conn, day: NaiveDate) -> Result<DayFigures, AppError> {
    let from = day.and_time(NaiveTime::MIN);
    let until = from + TimeDelta::days(1);
    let sales: Vec<(Option<String>, i64, i64)> = orders::table
        .filter(orders::paid_at.ge(from))
        .filter(orders::paid_at.lt(until))
        .filter(orders::kind.ne(OrderKind::TopUp))
        .group_by(orders::ver_str)
        .order(orders::ver_str)
        .select((orders::ver_str, count_star(), sql::<BigInt>("CAST(coalesce(sum(total_minor), 0) AS BIGINT)")))
        .load(conn)?;
    let refunded_minor = refunds::table
        .filter(refunds::created_at.ge(from))
        .filter(refunds::created_at.lt(until))
        .select(sql::<BigInt>("CAST(coalesce(sum(amount_minor), 0) AS BIGINT)"))
        .first(conn)?;
    let new_accounts = accounts::table
        .filter(accounts::created_at.ge(from))
        .filter(accounts::created_at.lt(until))
        .filter(accounts::level.ne(Level::Operator))
        .select(count_star())
        .first(conn)?;
    let carried: Vec<(i64, i64)> = usage_days::table
        .filter(usage_days::starts_at.eq(from))
        // Written as in the condition of the partial index.
        .filter(sql::<Bool>("dimension = 'all'"))
        .select((usage_days::upload_bytes, usage_days::download_bytes))
        .load(conn)?;
    let bytes = carried.iter().fold(0_i64, |sum, (up, down)| sum.saturating_add(*up).saturating_add(*down));
    let sold = |(product, orders, revenue_minor): (Option<String>, i64, i64)| Sales {
        product: product.unwrap_or_default(),
        orders,
        revenue_minor,
    };
    Ok(DayFigures {
        sales: sales.into_iter().map(sold).collect(),
        refunded_minor,
        new_accounts,
        traffic_bytes: bytes.min(MAX_SUM_BYTES),
    })
}

/// Counts the days that are missing, and those about which more may have arrived.
pub async fn count_due(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    while app.db.write(move |conn| count_missing(conn, now)).await? == AT_ONCE {}
    app.db.write(move |conn| count_again(conn, now)).await?;
    app.db.write(move |conn| count_customers(conn, now)).await
}

/// Counts some days that have no row, oldest first, and returns their number.
fn count_missing(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    one_at_a_time(conn, DAYS_LOCK)?;
    let last: Option<NaiveDate> =
        shop_days::table.order(shop_days::day.desc()).select(shop_days::day).first(conn).optional()?;
    let next = match last {
        Some(day) => day.checked_add_days(Days::new(1)),
        None => {
            let first: Option<NaiveDateTime> = accounts::table.select(min(accounts::created_at)).first(conn)?;
            first.map(|at| at.date())
        }
    };
    let Some(next) = next else { return Ok(0) };
    let days: Vec<NaiveDate> = next.iter_days().take_while(|day| *day < now.date()).take(AT_ONCE).collect();
    for day in &days {
        store(conn, *day, now)?;
    }
    Ok(days.len())
}

fn count_again(conn: &mut Conn, now: NaiveDateTime) -> Result<(), AppError> {
    one_at_a_time(conn, DAYS_LOCK)?;
    let late: Vec<NaiveDate> = shop_days::table
        .filter(shop_days::day.ge((now - TimeDelta::days(LATE_DAYS + 1)).date()))
        .filter(shop_days::day.lt(now.date()))
        .filter(shop_days::counted_at.le(now - AGAIN))
        .order(shop_days::day)
        .select(shop_days::day)
        .load(conn)?;
    for day in late {
        store(conn, day, now)?;
    }
    Ok(())
}

/// Counts a day and stores it, in place of an earlier count.
fn store(conn: &mut Conn, day: NaiveDate, now: NaiveDateTime) -> Result<(), AppError> {
    let figures = count_day(conn, day)?;
    let counted = (
        shop_days::orders.eq(figures.orders()),
        shop_days::revenue_minor.eq(figures.revenue_minor()),
        shop_days::refunded_minor.eq(figures.refunded_minor),
        shop_days::new_accounts.eq(figures.new_accounts),
        shop_days::traffic_bytes.eq(figures.traffic_bytes),
        shop_days::counted_at.eq(now),
    );
    if diesel::update(shop_days::table.find(day)).set(counted).execute(conn)? == 0 {
        diesel::insert_into(shop_days::table).values((shop_days::day.eq(day), counted)).execute(conn)?;
    }
    diesel::delete(shop_sales::table.filter(shop_sales::day.eq(day))).execute(conn)?;
    for sales in figures.sales {
        let row = (
            shop_sales::day.eq(day),
            shop_sales::product.eq(sales.product),
            shop_sales::orders.eq(sales.orders),
            shop_sales::revenue_minor.eq(sales.revenue_minor),
        );
        diesel::insert_into(shop_sales::table).values(row).execute(conn)?;
    }
    Ok(())
}

/// Counts who has something in use, soon after each day has ended, and who no longer has: that cannot be counted later.
fn count_customers(conn: &mut Conn, now: NaiveDateTime) -> Result<(), AppError> {
    one_at_a_time(conn, DAYS_LOCK)?;
    let Some(yesterday) = now.date().checked_sub_days(Days::new(1)) else { return Ok(()) };
    let is_missing = shop_days::table.find(yesterday).select(shop_days::customers.is_null());
    if is_missing.first::<bool>(conn).optional()? != Some(true) {
        return Ok(());
    }
    let counted = shop_days::table.filter(shop_days::customers.is_not_null()).order(shop_days::day.desc());
    let was_counted: Option<NaiveDate> = counted.select(shop_days::day).first(conn).optional()?;
    let present = customers_now(conn, now)?;
    let before: BTreeSet<i64> =
        shop_customers::table.select(shop_customers::account_id).load(conn)?.into_iter().collect();
    let gone: Vec<i64> = before.difference(&present).copied().collect();
    let come: Vec<i64> = present.difference(&before).copied().collect();
    for ids in gone.chunks(CHUNK) {
        diesel::delete(shop_customers::table.filter(shop_customers::account_id.eq_any(ids))).execute(conn)?;
    }
    for ids in come.chunks(CHUNK) {
        let rows: Vec<_> = ids.iter().map(|id| shop_customers::account_id.eq(*id)).collect();
        match conn {
            Conn::Postgres(conn) => diesel::insert_into(shop_customers::table).values(rows).execute(conn)?,
            Conn::Sqlite(conn) => diesel::insert_into(shop_customers::table).values(rows).execute_each(conn)?,
        };
    }
    let count = |ids: usize| i64::try_from(ids).map_err(|_| AppError::internal("too many accounts"));
    let left = was_counted.map(|_| count(gone.len())).transpose()?;
    let counts = (shop_days::customers.eq(count(present.len())?), shop_days::customers_left.eq(left));
    diesel::update(shop_days::table.find(yesterday)).set(counts).execute(conn)?;
    Ok(())
}

/// The accounts that own a static proxy, or have traffic left.
pub fn customers_now(conn: &mut Conn, now: NaiveDateTime) -> Result<BTreeSet<i64>, AppError> {
    let owners: Vec<Option<i64>> = nodes::table
        .filter(nodes::account_id.is_not_null())
        .filter(nodes::state.eq_any(OWNED))
        .select(nodes::account_id)
        .distinct()
        .load(conn)?;
    let left = traffic_batches::bought_bytes - traffic_batches::used_bytes - traffic_batches::returned_bytes;
    let with_traffic: Vec<i64> = traffic_batches::table
        .filter(left.gt(0))
        .filter(traffic_batches::ends_at.is_null().or(traffic_batches::ends_at.gt(now)))
        .select(traffic_batches::account_id)
        .distinct()
        .load(conn)?;
    Ok(owners.into_iter().flatten().chain(with_traffic).collect())
}
