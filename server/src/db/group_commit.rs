//! Group commit: writes that queue for SQLite's one writer share a transaction, because most of a write's cost is the disk
//! flush at commit, and one flush serves all. Each has a savepoint of its own, so a failing one does not affect the others.
use crate::db::conn::Conn;
use crate::db::limits::Watch;
use crate::db::pool::{Manager, Pooled, Purpose, transaction};
use crate::db::prelude::*;
use crate::db::work::{Anything, WriteWork};
use crate::error::AppError;
use diesel::connection::TransactionManager;
use r2d2::Pool;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot::{Receiver, Sender, channel};

/// No further write joins a transaction that has lasted this long, so that finished writes are answered soon.
const LONGEST_TO_JOIN: Duration = Duration::from_millis(5);

/// The queued writes, in order of arrival. Cheap to clone.
#[derive(Clone, Default)]
pub struct Queue(Arc<Mutex<VecDeque<Write>>>);

/// A queued write whose caller waits.
struct Write {
    work: WriteWork,
    /// The statement timeout.
    limit: Option<Duration>,
    result: Option<Result<Anything, AppError>>,
    reply: Sender<Result<Anything, AppError>>,
}

impl Write {
    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    /// Writes, and returns whether to keep what was written.
    fn write(&mut self, conn: &mut Conn, watch: &Watch) -> bool {
        watch.begin(self.limit);
        let result = watch.as_refusal(catch_panic(|| (self.work)(conn)));
        self.result.insert(result).is_ok()
    }

    /// Writes in a transaction of its own.
    fn write_alone(&mut self, pooled: &mut Pooled) {
        pooled.watch.begin(self.limit);
        let work = &mut self.work;
        let written = transaction(&mut pooled.conn, Purpose::Write, &mut |conn| catch_panic(|| work(conn)));
        self.result = Some(pooled.watch.as_refusal(written));
    }

    fn answer(self) {
        // The caller may have been dropped.
        let _ = self.reply.send(self.result.unwrap_or_else(|| Err(AppError::internal("a write was not executed"))));
    }

    fn refuse(&mut self, error: AppError) {
        self.result = Some(Err(error));
    }
}

/// A panicking handler must not affect the other writes of the group.
fn catch_panic<T>(work: impl FnOnce() -> Result<T, AppError>) -> Result<T, AppError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(AppError::internal("a write panicked")))
}

impl Queue {
    pub fn push(&self, work: WriteWork, limit: Option<Duration>) -> Receiver<Result<Anything, AppError>> {
        let (reply, result) = channel();
        let write = Write { work, limit, result: None, reply };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(write);
        result
    }

    /// The next write. Skips writes whose caller was dropped before they began.
    fn next(&self) -> Option<Write> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| waiting.pop_front()).find(Write::is_wanted)
    }

    /// Executes the queue until it is empty. The caller must hold the write permit.
    pub fn drain(&self, writers: &Pool<Manager>) {
        while let Some(first) = self.next() {
            let mut writes = vec![first];
            let together = writers.get().map_err(AppError::pool);
            if together.and_then(|mut pooled| self.commit_group(&mut pooled, &mut writes)).is_err() {
                // Each on a checked connection: the failure may have ended the shared transaction.
                for write in &mut writes {
                    match writers.get() {
                        Ok(mut pooled) => write.write_alone(&mut pooled),
                        Err(error) => write.refuse(AppError::pool(error)),
                    }
                }
            }
            writes.into_iter().for_each(Write::answer);
        }
    }

    /// Executes the first write, and those that arrive meanwhile, in one transaction. If it fails as a whole, nothing was written.
    fn commit_group(&self, pooled: &mut Pooled, writes: &mut Vec<Write>) -> Result<(), AppError> {
        let begin = Instant::now();
        let Pooled { conn, watch, .. } = pooled;
        // The transaction's own BEGIN and COMMIT have no timeout.
        watch.begin(None);
        transaction(conn, Purpose::Write, &mut |conn| {
            for index in 0.. {
                type Savepoints = <Conn as Connection>::TransactionManager;
                Savepoints::begin_transaction(conn)?;
                if writes[index].write(conn, watch) {
                    Savepoints::commit_transaction(conn)?;
                } else {
                    Savepoints::rollback_transaction(conn)?;
                }
                if begin.elapsed() > LONGEST_TO_JOIN {
                    break;
                }
                match self.next() {
                    Some(next) => writes.push(next),
                    None => break,
                }
            }
            Ok(())
        })
    }
}
