//! Checks that every invoice and credit note adds up, and that no series has a gap.
use super::found::{Verification, money};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{invoice_counters, invoices};
use postern_core::invoice::{InvoiceSnapshot, NumberCheck, invoice_number};

/// Documents per query: each may be long.
const CHUNK: i64 = 200;

#[derive(Queryable, Selectable)]
#[diesel(table_name = invoices)]
struct Document {
    number_in_series: i64,
    invoice_number: String,
    total_minor: i64,
    snapshot: String,
}

pub fn verify(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let all: Vec<(String, i64)> = invoice_counters::table.order(invoice_counters::series).load(conn)?;
    for (series, counter) in all {
        let counter = u64::try_from(counter).map_err(|_| AppError::internal("a counter below zero"))?;
        verify_series(conn, found, &series, counter)?;
    }
    Ok(())
}

fn verify_series(conn: &mut Conn, found: &mut Verification, series: &str, counter: u64) -> Result<(), AppError> {
    let mut check = NumberCheck::up_to(counter);
    let mut last = 0;
    loop {
        let rows: Vec<Document> = invoices::table
            .filter(invoices::series.eq(series))
            .filter(invoices::number_in_series.gt(last))
            .order(invoices::number_in_series)
            .limit(CHUNK)
            .select(Document::as_select())
            .load(conn)?;
        let Some(end) = rows.last() else { break };
        last = end.number_in_series;
        found.invoices += rows.len();
        for row in rows {
            let place = u64::try_from(row.number_in_series).map_err(|_| AppError::internal("a number below zero"))?;
            check.next(place);
            if row.invoice_number != invoice_number(series, place) {
                found.problem(format!("{} is number {place} of the series {series}", row.invoice_number));
            }
            let adds_up = serde_json::from_str::<InvoiceSnapshot>(&row.snapshot)
                .is_ok_and(|snapshot| snapshot.check().is_ok() && snapshot.total == money(row.total_minor));
            if !adds_up {
                found.problem(format!("{} does not add up", row.invoice_number));
            }
        }
    }
    let wrong = check.finish();
    if let Some(first) = wrong.first {
        let number = invoice_number(series, first);
        found.problem(format!("the series {series} has {} wrong numbers, the first is {number}", wrong.count));
    }
    Ok(())
}
