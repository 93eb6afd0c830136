//! The nightly check of the books, and its alarms.
use crate::alarms::{mail_operators, set};
use crate::daily;
use crate::db::Conn;
use crate::error::AppError;
use crate::wallet::verify::Verification;
use chrono::NaiveDateTime;
use postern_core::ledger::{AlarmKind, next_check};
use postern_core::mail::MailTemplate;

/// The name of the nightly check among the daily jobs.
const CHECK: &str = "books";

/// Claims the nightly check: one of several servers gets it, once per night.
pub fn claim_check(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    daily::claim(conn, CHECK, next_check(now), now)
}

pub fn is_check_due(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    daily::is_due(conn, CHECK, now)
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
