//! On PostgreSQL a transaction lets go of its locks before the disk has its log, and nobody is answered until the disk has it.
//!
//! All who are issued an invoice follow each other through a row. If each held it until the disk has answered, there were no more of
//! them in a second than the disk has answers. So a transaction commits without waiting, and then waits here.
//! The log is written in its order: whatever another transaction has built on this one in between is on the disk no earlier than it.
//! Should the machine fail in between, both are gone, and nobody was told of either.
use crate::error::AppError;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How a transaction begins that does not wait for the disk at its end. What it asks for again and again is planned once for each
/// connection: it finds rows by their keys, whatever the values.
pub const BEGIN: &str = "BEGIN; SET LOCAL synchronous_commit TO OFF; SET LOCAL plan_cache_mode TO force_generic_plan";
/// Writes a message that nobody reads to the end of the log, and waits as long as the database is set up to.
const FLUSH: &str = "SELECT pg_logical_emit_message(true, 'postern', '')";

/// Commits, counted in their order, and up to which of them the disk has the log. Cheap to clone.
#[derive(Clone, Default)]
pub struct Flushes {
    committed: Arc<AtomicU64>,
    flushed: Arc<Mutex<u64>>,
}

impl Flushes {
    /// Comes after a commit; returns when the disk has it. Of several who wait, one asks for all.
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
