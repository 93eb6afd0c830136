//! The nightly check of the books, and its alarms.
use crate::alarms::{mail_operators, set};
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::daily_jobs;
use crate::wallet::verify::Verification;
use chrono::NaiveDateTime;
use postern_core::ledger::{AlarmKind, next_check};
use postern_core::mail::MailTemplate;

/// The name of the nightly check among the daily jobs.
const CHECK: &str = "books";

/// Claims the nightly check: one of several servers gets it, once per night.
pub fn claim_check(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    let due = daily_jobs::table.find(CHECK).filter(daily_jobs::next_run_at.le(now));
    let next = next_check(now);
    if diesel::update(due).set(daily_jobs::next_run_at.eq(next)).execute(conn)? == 1 {
        return Ok(true);
    }
    let row = (daily_jobs::job.eq(CHECK), daily_jobs::next_run_at.eq(next));
    let begin = diesel::insert_into(daily_jobs::table).values(row).on_conflict_do_nothing();
    on_either!(conn, begin.execute(conn)?);
    Ok(false)
}

pub fn is_check_due(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    let next: Option<NaiveDateTime> =
        daily_jobs::table.find(CHECK).select(daily_jobs::next_run_at).first(conn).optional()?;
    Ok(next.is_none_or(|next| next <= now))
}

/// Raises or clears the alarms about the books and about closed accounts.
pub fn note(conn: &mut Conn, found: &Verification, now: NaiveDateTime) -> Result<(), AppError> {
    set(conn, AlarmKind::Books, &found.problems, now)?;
    if found.problem_count > 0 {
        mail_operators(conn, MailTemplate::BooksWrong, found.problem_count, &found.problems, now)?;
    }
    set(conn, AlarmKind::ClosedAccounts, &found.closed_accounts, now)?;
    if !found.closed_accounts.is_empty() {
        let count = found.closed_accounts.len();
        mail_operators(conn, MailTemplate::ClosedAccountMoney, count, &found.closed_accounts, now)?;
    }
    Ok(())
}
