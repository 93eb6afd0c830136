//! SQL about what waits for a person.
use crate::business::types::TaskView;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::inventory::stock::shelves;
use crate::prices::planned;
use crate::schema::{alarms, mails, payment_cases, payments, referrals, rejected_usage, support_conversations};
use crate::system::runs;
use crate::totals::counted;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::{count_star, sql};
use diesel::sql_types::Bool;
use postern_core::business::OperatorTask;
use postern_core::inventory::SHORT_STOCK_DAYS;
use postern_core::job::JobState;
use postern_core::mail::MailState;
use postern_core::order::{PaymentMethod, PaymentState};

/// Mails that were given up longer ago are no task any more.
const MAIL_DAYS: i64 = 7;

/// Everything that waits, in the order in which it hurts.
pub fn tasks(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<TaskView>, AppError> {
    let mut tasks = Vec::new();
    for task in OperatorTask::ALL {
        let count = count(conn, *task, now)?;
        if count > 0 {
            tasks.push(TaskView { task: *task, count });
        }
    }
    Ok(tasks)
}

fn count(conn: &mut Conn, task: OperatorTask, now: NaiveDateTime) -> Result<i64, AppError> {
    let length = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    Ok(match task {
        OperatorTask::Transfers => {
            let pending = payments::table
                .filter(payments::state.eq(PaymentState::Pending))
                .filter(payments::payment_method.eq(PaymentMethod::Transfer));
            counted(conn, pending.select(payments::id))?
        }
        OperatorTask::PaymentCases => {
            let open = payment_cases::table.filter(payment_cases::closed_at.is_null());
            counted(conn, open.select(payment_cases::id))?
        }
        OperatorTask::Conversations => {
            let waiting = support_conversations::table.filter(support_conversations::waiting_since.is_not_null());
            counted(conn, waiting.select(support_conversations::id))?
        }
        OperatorTask::ReferralReviews => {
            // Written as in the condition of the partial index.
            let marked = referrals::table.filter(sql::<Bool>("review = 'to_review'"));
            counted(conn, marked.select(referrals::account_id))?
        }
        OperatorTask::Alarms => alarms::table.select(count_star()).first(conn)?,
        OperatorTask::RejectedUsage => counted(conn, rejected_usage::table.select(rejected_usage::id))?,
        OperatorTask::PriceChanges => {
            length(planned::list(conn)?.iter().filter(|planned| !planned.is_possible).count())
        }
        OperatorTask::Stock => {
            let is_short = |days: Option<i64>| days.is_some_and(|days| days < SHORT_STOCK_DAYS);
            length(shelves(conn, now)?.iter().filter(|shelf| is_short(shelf.days_left)).count())
        }
        OperatorTask::FailedMails => {
            let failed = mails::table
                .filter(mails::state.eq(MailState::Failed))
                .filter(mails::next_attempt_at.gt(now - TimeDelta::days(MAIL_DAYS)));
            counted(conn, failed.select(mails::id))?
        }
        OperatorTask::FailingJobs => {
            length(runs::list(conn, now)?.iter().filter(|job| job.state != JobState::Running).count())
        }
    })
}
