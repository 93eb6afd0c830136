//! Exchange rates as rows.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::exchange_rates::{self, dsl};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::exchange::{FEED_HOURS, FeedProblem, Rate, RateSource};
use postern_core::money::Currency;

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = exchange_rates)]
pub struct RateRow {
    pub currency: Currency,
    rate_micro: i64,
    pub feed_url: Option<String>,
    pub feed_path: Option<String>,
    margin_basis_points: i32,
    /// When the rate was set, or fetched last.
    pub set_at: NaiveDateTime,
    /// Why it could not be fetched later.
    pub problem: Option<FeedProblem>,
}

impl RateRow {
    pub fn rate(&self) -> Result<Rate, AppError> {
        Rate::from_micro(self.rate_micro).ok_or_else(|| AppError::internal("an exchange rate out of range"))
    }

    pub fn margin(&self) -> u32 {
        u32::try_from(self.margin_basis_points).unwrap_or_default()
    }

    /// Whether payments can be charged at it: a rate of a feed ends if the feed is silent for long.
    pub fn is_usable(&self, now: NaiveDateTime) -> bool {
        self.feed_url.is_none() || now - self.set_at < TimeDelta::hours(FEED_HOURS)
    }
}

pub fn all(conn: &mut Conn) -> Result<Vec<RateRow>, AppError> {
    Ok(dsl::exchange_rates.order(dsl::currency).select(RateRow::as_select()).load(conn)?)
}

pub fn find(conn: &mut Conn, currency: Currency) -> Result<Option<RateRow>, AppError> {
    Ok(dsl::exchange_rates.find(currency).select(RateRow::as_select()).first(conn).optional()?)
}

/// The rate at which this currency is charged now; `None` if there is none.
pub fn usable(conn: &mut Conn, currency: Currency, now: NaiveDateTime) -> Result<Option<Rate>, AppError> {
    let row = find(conn, currency)?.filter(|row| row.is_usable(now));
    row.map(|row| row.rate()).transpose()
}

/// Sets a rate and where it comes from.
pub fn set(
    conn: &mut Conn,
    currency: Currency,
    rate: Rate,
    source: &RateSource,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let (url, path, margin) = match source {
        RateSource::Fixed(_) => (None, None, 0),
        RateSource::Feed { url, path, margin_basis_points } => (Some(url), Some(path), *margin_basis_points),
    };
    let values = (
        dsl::rate_micro.eq(rate.micro()),
        dsl::feed_url.eq(url),
        dsl::feed_path.eq(path),
        dsl::margin_basis_points.eq(i32::try_from(margin).unwrap_or_default()),
        dsl::set_at.eq(now),
        dsl::problem.eq(None::<FeedProblem>),
    );
    let row = (dsl::currency.eq(currency), values);
    let upsert =
        diesel::insert_into(dsl::exchange_rates).values(row).on_conflict(dsl::currency).do_update().set(values);
    on_either!(conn, upsert.execute(conn)?);
    Ok(())
}

/// Notes what a feed answered, unless an operator has changed it meanwhile.
pub fn note(
    conn: &mut Conn,
    asked: &RateRow,
    answer: Result<Rate, FeedProblem>,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let same = dsl::exchange_rates
        .find(asked.currency)
        .filter(dsl::feed_url.eq(&asked.feed_url))
        .filter(dsl::feed_path.eq(&asked.feed_path))
        .filter(dsl::margin_basis_points.eq(asked.margin_basis_points));
    match answer {
        Ok(rate) => {
            let fetched = (dsl::rate_micro.eq(rate.micro()), dsl::set_at.eq(now), dsl::problem.eq(None::<FeedProblem>));
            diesel::update(same).set(fetched).execute(conn)?;
        }
        Err(problem) => {
            diesel::update(same).set(dsl::problem.eq(problem)).execute(conn)?;
        }
    }
    Ok(())
}
