//! Checks that every paid order of traffic has one batch of the ordered size, and that no other order has one.
use super::found::{CHUNK, Verification};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{order_lines, orders, traffic_batches};
use postern_core::traffic::{TRAFFIC_PRODUCT, bytes_of};
use std::collections::HashMap;

pub fn verify(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let (mut last, mut delivered) = (0, 0);
    loop {
        let rows: Vec<(i64, String, bool, i32)> = orders::table
            .inner_join(order_lines::table.on(order_lines::order_id.eq(orders::id)))
            .filter(orders::id.gt(last))
            .filter(orders::ver_str.eq(TRAFFIC_PRODUCT))
            .order(orders::id)
            .limit(CHUNK)
            .select((orders::id, orders::order_number, orders::paid_at.is_not_null(), order_lines::quantity))
            .load(conn)?;
        let Some(end) = rows.last() else { break };
        last = end.0;
        let ids: Vec<i64> = rows.iter().map(|row| row.0).collect();
        let batches: Vec<(i64, i64)> = traffic_batches::table
            .filter(traffic_batches::order_id.eq_any(ids))
            .select((traffic_batches::order_id, traffic_batches::bought_bytes))
            .load(conn)?;
        let batches: HashMap<i64, i64> = batches.into_iter().collect();
        for (id, number, is_paid, gigabytes) in rows {
            let batch = batches.get(&id).copied();
            delivered += i64::from(batch.is_some());
            let due = u32::try_from(gigabytes).ok().and_then(|gigabytes| i64::try_from(bytes_of(gigabytes)).ok());
            if batch != due.filter(|_| is_paid) {
                let has = batch.map_or("no traffic".to_owned(), |bytes| format!("{bytes} bytes"));
                let paid = if is_paid { "paid" } else { "not paid" };
                found.problem(format!("order {number} of {gigabytes} GB is {paid} and has {has}"));
            }
        }
    }
    let all: i64 = traffic_batches::table.count().get_result(conn)?;
    if all != delivered {
        found.problem(format!("{} batches of traffic belong to no order of traffic", all - delivered));
    }
    Ok(())
}
