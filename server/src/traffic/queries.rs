//! SQL about an account's view of its traffic.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{orders, traffic_accounts, traffic_batches};
use crate::traffic::reorders;
use crate::traffic::types::{BatchView, TrafficView};
use crate::traffic_batches::unsigned;
use chrono::NaiveDateTime;
use postern_core::time::to_wire;
use postern_core::traffic::Batch;

/// Maximum batches shown.
const SHOWN: i64 = postern_core::constants::SHOWN_BATCHES as i64;

#[derive(Queryable)]
struct BatchRow {
    id: i64,
    order_id: i64,
    order_number: String,
    bought_bytes: i64,
    used_bytes: i64,
    returned_bytes: i64,
    begins_at: NaiveDateTime,
    ends_at: Option<NaiveDateTime>,
}

impl BatchRow {
    fn view(self, now: NaiveDateTime) -> Result<BatchView, AppError> {
        let bought_bytes = unsigned(self.bought_bytes - self.returned_bytes)?;
        let used_bytes = unsigned(self.used_bytes)?;
        let left_bytes = unsigned(self.bought_bytes - self.returned_bytes - self.used_bytes)?;
        let batch = Batch { id: self.id, left_bytes, begins_at: self.begins_at, ends_at: self.ends_at };
        Ok(BatchView {
            batch_id: self.id,
            order_id: self.order_id,
            order_number: self.order_number,
            bought_bytes,
            used_bytes,
            left_bytes,
            begins_at: to_wire(self.begins_at),
            ends_at: self.ends_at.map(to_wire),
            is_over: batch.is_over(now),
            ends_soon: batch.ends_soon(now),
        })
    }
}

/// The account's batches that can be used now.
macro_rules! running {
    ($query:expr, $account_id:expr, $now:expr) => {
        $query
            .filter(traffic_batches::account_id.eq($account_id))
            .filter(traffic_batches::ends_at.is_null().or(traffic_batches::ends_at.gt($now)))
            .filter(traffic_batches::bought_bytes.gt(traffic_batches::used_bytes + traffic_batches::returned_bytes))
    };
}

macro_rules! batches {
    () => {
        traffic_batches::table.inner_join(orders::table.on(orders::id.eq(traffic_batches::order_id))).select((
            traffic_batches::id,
            traffic_batches::order_id,
            orders::order_number,
            traffic_batches::bought_bytes,
            traffic_batches::used_bytes,
            traffic_batches::returned_bytes,
            traffic_batches::begins_at,
            traffic_batches::ends_at,
        ))
    };
}

pub fn view(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<TrafficView, AppError> {
    let (bought_bytes, used_bytes) = running_sums(conn, account_id, now)?;
    let overdraft: Option<i64> =
        traffic_accounts::table.find(account_id).select(traffic_accounts::overdraft_bytes).first(conn).optional()?;
    Ok(TrafficView {
        left_bytes: bought_bytes.saturating_sub(used_bytes),
        bought_bytes,
        used_bytes,
        overdraft_bytes: unsigned(overdraft.unwrap_or_default())?,
        batches: shown(conn, account_id, now)?.into_iter().map(|row| row.view(now)).collect::<Result<_, _>>()?,
        reorder: reorders::view(conn, account_id, now)?,
    })
}

/// Bytes bought, less refunds, and bytes used, of the batches that have not ended.
fn running_sums(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(u64, u64), AppError> {
    let rows: Vec<(i64, i64, i64)> = running!(traffic_batches::table, account_id, now)
        .select((traffic_batches::bought_bytes, traffic_batches::used_bytes, traffic_batches::returned_bytes))
        .load(conn)?;
    let bought = rows.iter().map(|(bought, _, returned)| bought - returned).sum();
    Ok((unsigned(bought)?, unsigned(rows.iter().map(|row| row.1).sum())?))
}

/// First the batches that have not ended, in order of use, then the others, newest first.
fn shown(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<BatchRow>, AppError> {
    let mut rows: Vec<BatchRow> = running!(batches!(), account_id, now)
        .order((traffic_batches::ends_at.is_null(), traffic_batches::ends_at, traffic_batches::id))
        .limit(SHOWN)
        .load(conn)?;
    let running: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let others = batches!()
        .filter(traffic_batches::account_id.eq(account_id))
        .filter(traffic_batches::id.ne_all(running))
        .order(traffic_batches::id.desc())
        .limit(SHOWN - i64::try_from(rows.len()).unwrap_or(SHOWN));
    rows.extend(others.load::<BatchRow>(conn)?);
    Ok(rows)
}
