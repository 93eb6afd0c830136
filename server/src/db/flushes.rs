//! Asynchronous commits on PostgreSQL: a transaction releases its locks before its log is on disk, and the client gets its response afterwards.
//!
//! All transactions that issue an invoice queue for one row lock. If each held it until its log is flushed, their rate would be limited to the disk's
//! flushes per second. So a transaction commits asynchronously, and then waits here. The log is written in order, so a transaction that builds on
//! this one cannot be on disk before it. If the machine fails in between, both are lost, and no client was told that either succeeded.
use crate::error::AppError;
use crate::request_id::RequestId;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Begins a transaction with asynchronous commit. Also makes PostgreSQL use generic plans, planned once per
/// connection: all statements find rows by their keys, whatever the values. Its log names the request as the application (`%a`).
pub fn begin() -> String {
    let settings = "BEGIN; SET LOCAL synchronous_commit TO OFF; SET LOCAL plan_cache_mode TO force_generic_plan";
    match RequestId::current() {
        // A number: nothing that a client wrote gets into the statement.
        Some(id) => format!("{settings}; SET LOCAL application_name TO 'postern {id}'"),
        None => settings.to_owned(),
    }
}

/// Appends an empty message to the log, and waits for its flush as configured in the database.
const FLUSH: &str = "SELECT pg_logical_emit_message(true, 'postern', '')";

/// Counts the commits, and how many of them are flushed. Cheap to clone.
#[derive(Clone, Default)]
pub struct Flushes {
    committed: Arc<AtomicU64>,
    flushed: Arc<Mutex<u64>>,
}

impl Flushes {
    /// Call it after a commit; returns once the commit is on disk. Of several waiting threads, one flushes for all.
    pub fn wait(&self, conn: &mut PgConnection) -> Result<(), AppError> {
        let mine = self.committed.fetch_add(1, Ordering::SeqCst) + 1;
        let mut flushed = self.flushed.lock().unwrap_or_else(PoisonError::into_inner);
        if *flushed < mine {
            let committed = self.committed.load(Ordering::SeqCst);
            conn.batch_execute(FLUSH)?;
            *flushed = committed;
        }
        Ok(())
    }
}
