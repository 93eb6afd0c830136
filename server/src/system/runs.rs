//! The runs of background jobs: a process notes its own in memory, and stores them once a minute.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::job_runs::dsl;
use crate::system::types::JobView;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::audit::audit_text;
use postern_core::job::{JobName, job_state};
use postern_core::time::to_wire;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A run that ended.
#[derive(Clone, Debug)]
pub struct Run {
    pub job: JobName,
    pub pause: Duration,
    pub began_at: NaiveDateTime,
    pub took: Duration,
    /// Why it failed.
    pub error: Option<String>,
}

/// The last run of each job in this process that is not stored yet.
#[derive(Clone, Default)]
pub struct Runs(Arc<Mutex<BTreeMap<&'static str, Run>>>);

impl Runs {
    pub fn note(&self, run: Run) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(run.job.as_str(), run);
    }

    /// Takes what was noted.
    pub fn take(&self) -> Vec<Run> {
        let noted = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        noted.into_values().collect()
    }
}

/// Stores runs, unless another server has stored later ones.
pub fn store(conn: &mut Conn, runs: &[Run]) -> Result<(), AppError> {
    for run in runs {
        let failing_since: Option<NaiveDateTime> =
            dsl::job_runs.find(run.job).select(dsl::failing_since).first(conn).optional()?.flatten();
        let error = run.error.as_deref().map(audit_text);
        let columns = (
            dsl::pause_seconds.eq(i32::try_from(run.pause.as_secs()).unwrap_or(i32::MAX)),
            dsl::began_at.eq(run.began_at),
            dsl::took_ms.eq(i64::try_from(run.took.as_millis()).unwrap_or(i64::MAX)),
            dsl::failing_since.eq(error.as_ref().map(|_| failing_since.unwrap_or(run.began_at))),
            dsl::error.eq(error.unwrap_or_default()),
        );
        let earlier = dsl::job_runs.find(run.job).filter(dsl::began_at.lt(run.began_at));
        if diesel::update(earlier).set(columns.clone()).execute(conn)? == 0 {
            let insert = diesel::insert_into(dsl::job_runs).values((dsl::job.eq(run.job), columns));
            on_either!(conn, insert.on_conflict_do_nothing().execute(conn)?);
        }
    }
    Ok(())
}

type Row = (JobName, i32, NaiveDateTime, i64, String, Option<NaiveDateTime>);

/// Every job that has run, in the order of core.
pub fn list(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<JobView>, AppError> {
    let rows: Vec<Row> = dsl::job_runs.load(conn)?;
    let view = |(job, pause_seconds, began_at, took_ms, error, failing_since): Row| JobView {
        job,
        state: job_state(began_at, pause_seconds, !error.is_empty(), now),
        pause_seconds,
        began_at: to_wire(began_at),
        took_ms,
        next_at: to_wire(began_at + TimeDelta::milliseconds(took_ms) + TimeDelta::seconds(pause_seconds.into())),
        error: (!error.is_empty()).then_some(error),
        failing_since: failing_since.map(to_wire),
    };
    let mut jobs: Vec<JobView> = rows.into_iter().map(view).collect();
    jobs.sort_by_key(|view| JobName::ALL.iter().position(|job| *job == view.job));
    Ok(jobs)
}
