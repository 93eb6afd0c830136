//! Jobs that run once a day, on one of several servers.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::daily_jobs;
use chrono::NaiveDateTime;

/// Whether a job is due. One that has never run is: its time is set when it is claimed.
pub fn is_due(conn: &mut Conn, job: &str, now: NaiveDateTime) -> Result<bool, AppError> {
    let next: Option<NaiveDateTime> =
        daily_jobs::table.find(job).select(daily_jobs::next_run_at).first(conn).optional()?;
    Ok(next.is_none_or(|next| next <= now))
}

/// Claims a due job until its next time: one server gets it. One that has never run only gets its first time.
pub fn claim(conn: &mut Conn, job: &str, next: NaiveDateTime, now: NaiveDateTime) -> Result<bool, AppError> {
    let due = daily_jobs::table.find(job).filter(daily_jobs::next_run_at.le(now));
    if diesel::update(due).set(daily_jobs::next_run_at.eq(next)).execute(conn)? == 1 {
        return Ok(true);
    }
    let row = (daily_jobs::job.eq(job), daily_jobs::next_run_at.eq(next));
    let begin = diesel::insert_into(daily_jobs::table).values(row).on_conflict_do_nothing();
    on_either!(conn, begin.execute(conn)?);
    Ok(false)
}

/// Has a job run again at this time: sooner, if it failed.
pub fn run_at(conn: &mut Conn, job: &str, next: NaiveDateTime) -> Result<(), AppError> {
    diesel::update(daily_jobs::table.find(job)).set(daily_jobs::next_run_at.eq(next)).execute(conn)?;
    Ok(())
}
