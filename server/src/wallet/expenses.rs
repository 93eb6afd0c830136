//! An account's expenses by month.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::SignedIn;
use crate::schema::{ledger_entries, ledger_transactions, wallets};
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::ledger::{Book, bar_heights};
use postern_core::money::{Currency, Money};
use postern_core::time::{latest_months, time_zone};
use serde::Serialize;
use utoipa::ToSchema;

/// The number of bars of the chart.
const MONTHS: u32 = 12;

/// The latest twelve months, oldest first; the last one is the current month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MonthlyExpenses {
    pub currency: Currency,
    pub months: Vec<MonthExpenses>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MonthExpenses {
    /// Such as `2026-11`, in the customer's time zone.
    pub month: String,
    /// Net of refunds, which count in the month in which they were made: below zero if more was given back than spent.
    pub expenses: Money,
    /// The height of the bar, in thousandths of the highest month.
    pub height: u16,
}

/// Returns the expenses of the latest twelve calendar months, in the customer's time zone. They add up to `TotalExpenses`, if all are within these
/// months.
#[utoipa::path(responses((status = 200, body = Answer<MonthlyExpenses>)))]
#[post("/Wallet/GetMonthlyExpenses")]
pub async fn get_monthly_expenses(app: web::Data<App>, who: SignedIn) -> Answered<MonthlyExpenses> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| monthly(conn, who.account_id, &who.time_zone, now)).await?)
}

fn monthly(conn: &mut Conn, account_id: i64, zone: &str, now: NaiveDateTime) -> Result<MonthlyExpenses, AppError> {
    let zone = time_zone(zone).ok_or_else(|| AppError::internal(&format!("an account in the time zone {zone}")))?;
    let months = latest_months(now, zone, MONTHS);
    let since = months.first().map_or(now, |month| month.starts_at);
    let spent: Vec<(NaiveDateTime, i64)> = ledger_transactions::table
        .inner_join(ledger_entries::table.on(ledger_entries::transaction_id.eq(ledger_transactions::id)))
        .filter(ledger_transactions::account_id.eq(account_id))
        .filter(ledger_transactions::created_at.ge(since))
        .filter(ledger_entries::book.eq_any(Book::OF_EXPENSES))
        .select((ledger_transactions::created_at, ledger_entries::amount_minor))
        .load(conn)?;
    let mut sums = vec![Money::ZERO; months.len()];
    for (at, amount) in spent {
        let index = months.partition_point(|month| month.starts_at <= at).saturating_sub(1);
        if let Some(sum) = sums.get_mut(index) {
            *sum = sum.checked_add(Money::from_minor(amount))?;
        }
    }
    let heights = bar_heights(&sums);
    let bars = months.into_iter().zip(sums).zip(heights);
    let months = bars.map(|((month, expenses), height)| MonthExpenses { month: month.name, expenses, height });
    let currency = wallets::table.find(account_id).select(wallets::currency).first(conn)?;
    Ok(MonthlyExpenses { currency, months: months.collect() })
}
