//! Refunds of traffic: takes back the unused bytes of an order's batch, for their share of the price.
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::order_rows::rows::{OrderRow, lines_of_order};
use crate::refunds::types::RefundTraffic;
use crate::schema::traffic_batches;
use crate::traffic_batches::{lock_account, record_access_change, signed, unsigned};
use chrono::NaiveDateTime;
use postern_core::invoice::InvoiceLine;
use postern_core::money::Money;
use postern_core::traffic::Batch;

/// The batch of an order, and the bytes that a refund takes back.
#[derive(Clone)]
pub struct Returning {
    batch: Batch,
    pub bought_bytes: u64,
    pub used_bytes: u64,
    /// Bytes taken back by earlier refunds.
    pub returned_bytes: u64,
    /// Bytes taken back now; none of an expired batch.
    pub unused_bytes: u64,
    /// Whether the refund pays for the unused bytes, rather than being a fixed amount.
    pub is_for_bytes: bool,
}

type Row = (i64, i64, i64, i64, NaiveDateTime, Option<NaiveDateTime>);

/// The batch of an order of traffic, with all unused bytes that are still valid.
pub fn unused(conn: &mut Conn, order: &OrderRow, lock: RowLock, now: NaiveDateTime) -> Result<Returning, AppError> {
    if let RowLock::ForUpdate = lock {
        lock_account(conn, order.account_id)?;
    }
    let row: Option<Row> = traffic_batches::table
        .filter(traffic_batches::order_id.eq(order.id))
        .select((
            traffic_batches::id,
            traffic_batches::bought_bytes,
            traffic_batches::used_bytes,
            traffic_batches::returned_bytes,
            traffic_batches::begins_at,
            traffic_batches::ends_at,
        ))
        .first(conn)
        .optional()?;
    let row = row.ok_or_else(|| AppError::internal("paid traffic without a batch"))?;
    let (id, bought, used, returned, begins_at, ends_at) = row;
    let left_bytes = unsigned(bought - used - returned)?;
    let batch = Batch { id, left_bytes, begins_at, ends_at };
    Ok(Returning {
        batch,
        bought_bytes: unsigned(bought)?,
        used_bytes: unsigned(used)?,
        returned_bytes: unsigned(returned)?,
        unused_bytes: if batch.is_over(now) { 0 } else { left_bytes },
        is_for_bytes: true,
    })
}

impl Returning {
    /// What a refund of an amount takes back: nothing, unless the order is refunded in full.
    pub fn for_amount(self, is_whole: bool) -> Returning {
        Returning { unused_bytes: if is_whole { self.unused_bytes } else { 0 }, is_for_bytes: false, ..self }
    }

    pub fn view(&self) -> RefundTraffic {
        RefundTraffic {
            bought_bytes: self.bought_bytes,
            used_bytes: self.used_bytes,
            returned_before_bytes: self.returned_bytes,
            returned_bytes: self.unused_bytes,
            ends_at: self.batch.ends_at.map(postern_core::time::to_wire),
        }
    }

    /// The credit note's line.
    pub fn line(&self, conn: &mut Conn, order: &OrderRow, amount: Money) -> Result<InvoiceLine, AppError> {
        let line = lines_of_order(conn, order.id)?.into_iter().next();
        let line = line.ok_or_else(|| AppError::internal("traffic without a line"))?;
        Ok(InvoiceLine {
            label_en: line.label_en,
            label_zh: line.label_zh,
            traffic_bytes: Some(self.unused_bytes),
            quantity: 1,
            unit_price: amount,
            amount,
            net: amount,
            ..InvoiceLine::default()
        })
    }

    /// Takes the unused bytes back. The account must have been locked when they were read.
    pub fn take_back(&self, conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
        if self.unused_bytes == 0 {
            return Ok(());
        }
        let returned = traffic_batches::returned_bytes + signed(self.unused_bytes)?;
        let nobody_reminded = traffic_batches::next_reminder_at.eq(None::<NaiveDateTime>);
        diesel::update(traffic_batches::table.find(self.batch.id))
            .set((traffic_batches::returned_bytes.eq(returned), nobody_reminded))
            .execute(conn)?;
        record_access_change(conn, account_id, now)
    }
}
