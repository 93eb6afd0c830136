//! Connection pools of one database, with fair queues for requests.
use crate::db::conn::Conn;
use crate::db::limits::REQUEST_LIMIT;
use crate::db::pool::{
    Manager, Pooled, Purpose, READER_CACHE_KILOBYTES, UNUSED, WRITER_CACHE_KILOBYTES, close_unused, transaction,
};
use crate::db::pulse::Pulse;
use crate::db::threads::Threads;
use crate::db::url::{answers_within, cause, sqlite_path, with_timeouts};
use crate::db::work::{Anything, ReadWork, SendReadWork, WriteWork, anything, unpack};
use crate::db::{flushes, group_commit};
use crate::error::AppError;
use crate::request_id::Origin;
use crate::traces;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const POSTGRES_ATTEMPTS: u32 = 5;

/// A request that has waited this long for its turn at a database that answers is refused.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// One that takes long does not delay all others.
const JOBS_AT_ONCE: usize = 2;

/// The connections to one database. Cheap to clone.
#[derive(Clone)]
pub struct Database {
    pub url: Arc<str>,
    /// The statement timeout.
    pub limit: Option<Duration>,
    pub readers: r2d2::Pool<Manager>,
    pub writers: r2d2::Pool<Manager>,
    /// On SQLite the write pool is a single connection: writers queue for it instead of failing on a locked file.
    pub queue: Option<group_commit::Queue>,
    pub flushes: flushes::Flushes,
    /// Whether PostgreSQL answers. SQLite has no silence: it fails, or waits for another process.
    pulse: Option<Pulse>,
    threads: Arc<Threads>,
    /// One permit per connection. Requests wait for one here, first come first served, without blocking a thread.
    pub read_permits: Arc<Semaphore>,
    pub write_permits: Arc<Semaphore>,
    /// A turn that work takes before its permit.
    turns: Option<Arc<Semaphore>>,
}

impl Database {
    pub fn open(url: &str, pool_size: u32) -> anyhow::Result<Database> {
        let is_sqlite = sqlite_path(url).is_some();
        if let Some(folder) = sqlite_path(url).and_then(|path| std::path::Path::new(path).parent()) {
            std::fs::create_dir_all(folder)?;
        }
        let url: Arc<str> = with_timeouts(url).into();
        let pulse = (!is_sqlite).then(|| Pulse::of(&url));
        let manager = |cache_kilobytes| Manager { url: url.clone(), cache_kilobytes, pulse: pulse.clone() };
        let pool = |size: u32, cache_kilobytes: u32| {
            r2d2::Pool::builder()
                .max_size(size)
                // By default it would open all at once.
                .min_idle(Some(0))
                .connection_timeout(if is_sqlite {
                    LONGEST_WAIT
                } else {
                    answers_within(&url) + Duration::from_secs(1)
                })
                .test_on_check_out(!is_sqlite)
                .build(manager(cache_kilobytes))
        };
        // A pool would try again and again, and not tell the cause.
        let opened = manager(READER_CACHE_KILOBYTES).open();
        opened.map_err(|error| anyhow::anyhow!("connecting to the database: {}", cause(&url, &error)))?;
        let readers = pool(pool_size, READER_CACHE_KILOBYTES)?;
        let read_permits = Arc::new(Semaphore::new(pool_size as usize));
        let flushes = flushes::Flushes::default();
        // On SQLite the writer has a thread besides.
        let threads = Arc::new(Threads::start(pool_size + u32::from(is_sqlite))?);
        let (writers, write_permits, queue) = if is_sqlite {
            (pool(1, WRITER_CACHE_KILOBYTES)?, Arc::new(Semaphore::new(1)), Some(group_commit::Queue::default()))
        } else {
            (readers.clone(), read_permits.clone(), None)
        };
        Ok(Database {
            url,
            limit: None,
            readers,
            writers,
            queue,
            flushes,
            pulse,
            threads,
            read_permits,
            write_permits,
            turns: None,
        })
    }

    /// The same database for requests: statements are cancelled on timeout.
    pub fn for_requests(&self) -> Database {
        self.limited(REQUEST_LIMIT)
    }

    /// The same database for jobs, which take turns: thirty that begin together would open all connections and keep them open.
    pub fn for_jobs(&self) -> Database {
        Database { turns: Some(Arc::new(Semaphore::new(JOBS_AT_ONCE))), ..self.clone() }
    }

    /// The same database without the turns of jobs, for one that others wait for.
    pub fn out_of_turn(&self) -> Database {
        Database { turns: None, ..self.clone() }
    }

    /// The same database with another statement timeout.
    pub fn limited(&self, limit: Duration) -> Database {
        Database { limit: Some(limit), ..self.clone() }
    }

    /// Reads, on a blocking thread.
    pub async fn read<T, F>(&self, work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Conn) -> Result<T, AppError> + Send + 'static,
    {
        self.read_any(Box::new(|conn| anything(work(conn)))).await.map(unpack)
    }

    async fn read_any(&self, work: SendReadWork) -> Result<Anything, AppError> {
        let _span = traces::database("read");
        let database = self.clone();
        self.with_permit(&self.read_permits, Box::new(move || database.read_for(work))).await
    }

    /// Writes in one transaction, atomically. `work` may run again, when the database asks for a retry.
    pub async fn write<T, F>(&self, mut work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut Conn) -> Result<T, AppError> + Send + 'static,
    {
        self.write_any(Box::new(move |conn| anything(work(conn)))).await.map(unpack)
    }

    async fn write_any(&self, mut work: WriteWork) -> Result<Anything, AppError> {
        let _span = traces::database("write");
        let database = self.clone();
        let Some(queue) = &self.queue else {
            return self.with_permit(&self.write_permits, Box::new(move || database.write_for(&mut *work))).await;
        };
        // Another request's thread may do it.
        let origin = Origin::here();
        let mut result = queue.push(Box::new(move |conn| origin.run(|| work(conn))), self.limit);
        // The holder of the permit writes for all waiting writers, so they no longer need one.
        let result = tokio::select! {
            biased;
            result = &mut result => result,
            turn = acquire_permit(&self.write_permits) => {
                let (turn, queue) = (turn?, queue.clone());
                self.threads.run(move || {
                    queue.drain(&database.writers);
                    drop(turn);
                });
                result.await
            }
        };
        result.unwrap_or_else(|_| Err(AppError::internal("a write was aborted")))
    }

    /// Waits for a permit, then works on a blocking thread. If the caller is dropped meanwhile, or the database is lost, the permit is kept until the
    /// work is done.
    async fn with_permit(
        &self,
        permits: &Arc<Semaphore>,
        work: Box<dyn FnOnce() -> Result<Anything, AppError> + Send>,
    ) -> Result<Anything, AppError> {
        let waiting = async {
            let turn = match &self.turns {
                Some(turns) => Some(acquire_permit(turns).await?),
                None => None,
            };
            let permit = acquire_permit(permits).await?;
            let origin = Origin::here();
            let with_permit = move || {
                let result = origin.run(work);
                drop((permit, turn));
                result
            };
            self.threads.run(with_permit).await.map_err(|error| AppError::Internal(error.into()))?
        };
        let Some(pulse) = &self.pulse else { return waiting.await };
        let result = pulse.while_felt(waiting).await.unwrap_or_else(|| Err(AppError::lost()));
        if !result.as_ref().is_err_and(AppError::is_unavailable) {
            pulse.is_felt();
        }
        result
    }

    /// The same for code on a thread of its own.
    pub fn write_blocking<T, F>(&self, mut work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut Conn) -> Result<T, AppError>,
    {
        self.write_for(&mut |conn| anything(work(conn))).map(unpack)
    }

    fn write_for(&self, work: &mut dyn FnMut(&mut Conn) -> Result<Anything, AppError>) -> Result<Anything, AppError> {
        let mut pooled = self.writers.get().map_err(AppError::pool)?;
        pooled.begin(self.limit)?;
        let Pooled { conn, watch, .. } = &mut *pooled;
        for attempt in 1.. {
            match watch.as_refusal(transaction(conn, Purpose::Write, work)) {
                Err(AppError::Database(error)) if attempt < POSTGRES_ATTEMPTS && is_retryable(&error) => {
                    std::thread::sleep(Duration::from_millis(5) * attempt);
                }
                result => {
                    let result = match (result, conn) {
                        (Ok(written), Conn::Postgres(conn)) => self.flushes.wait(conn).map(|()| written),
                        (result, _) => result,
                    };
                    pooled.is_tainted = result.as_ref().is_err_and(AppError::is_unavailable);
                    return result;
                }
            }
        }
        unreachable!("the last attempt returns")
    }

    pub fn read_blocking<T>(&self, work: impl FnOnce(&mut Conn) -> Result<T, AppError>) -> Result<T, AppError>
    where
        T: Send + 'static,
    {
        self.read_for(Box::new(|conn| anything(work(conn)))).map(unpack)
    }

    fn read_for(&self, work: ReadWork<'_>) -> Result<Anything, AppError> {
        let mut pooled = self.readers.get().map_err(AppError::pool)?;
        pooled.begin(self.limit)?;
        let result = work(&mut pooled.conn);
        pooled.is_tainted = result.as_ref().is_err_and(AppError::is_unavailable);
        pooled.watch.as_refusal(result)
    }

    /// The connections of each pool: its name, how many are open, how many of these are idle, and how many it may open.
    pub fn connections(&self) -> Vec<(&'static str, u32, u32, u32)> {
        let of = |name, pool: &r2d2::Pool<Manager>| {
            let state = pool.state();
            (name, state.connections, state.idle_connections, pool.max_size())
        };
        match self.queue {
            Some(_) => vec![of("read", &self.readers), of("write", &self.writers)],
            None => vec![of("all", &self.readers)],
        }
    }

    /// Closes connections that were opened for a burst of work, and frees the page caches of idle ones.
    pub async fn close_unused(&self) {
        let (readers, writers) = (self.readers.clone(), self.writers.clone());
        // A failure would have been a panic, which is logged.
        let close = move || [readers, writers].iter().for_each(|pool| close_unused(pool, UNUSED));
        let _ = self.threads.run(close).await;
    }

    /// Reads from one consistent snapshot.
    pub fn snapshot_blocking<T>(&self, mut work: impl FnMut(&mut Conn) -> Result<T, AppError>) -> Result<T, AppError>
    where
        T: Send + 'static,
    {
        let mut pooled = self.readers.get().map_err(AppError::pool)?;
        pooled.begin(self.limit)?;
        let result = transaction(&mut pooled.conn, Purpose::Snapshot, &mut |conn| anything(work(conn)));
        pooled.watch.as_refusal(result).map(unpack)
    }
}

async fn acquire_permit(turns: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, AppError> {
    let turn = tokio::time::timeout(LONGEST_WAIT, turns.clone().acquire_owned()).await;
    let turn = turn.map_err(|_| AppError::Busy("no turn at the database".to_owned()))?;
    turn.map_err(|error| AppError::Internal(error.into()))
}

fn is_retryable(error: &DieselError) -> bool {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _) => true,
        DieselError::DatabaseError(_, information) => information.message().contains("deadlock detected"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::prelude::*;
    use crate::request_id::RequestId;
    use diesel::connection::SimpleConnection;
    use diesel::sql_types::BigInt;
    use postern_core::code::Code;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(QueryableByName)]
    struct Written {
        #[diesel(sql_type = BigInt)]
        number: i64,
    }

    fn written(database: &Database) -> Vec<i64> {
        let query = diesel::sql_query("SELECT number FROM written ORDER BY number");
        let rows = database.read_blocking(|conn| Ok(query.load::<Written>(conn)?)).expect("rows");
        rows.iter().map(|row| row.number).collect()
    }

    #[test]
    fn connections_of_a_burst_are_closed_all_but_one() {
        let folder = std::env::temp_dir().join(format!("postern-unused-{}", std::process::id()));
        let database = Database::open(&format!("sqlite:{}/shop.db", folder.display()), 4).expect("a database");
        let burst: Vec<_> = (0..4).map(|_| database.readers.get().expect("a connection")).collect();
        drop(burst);
        close_unused(&database.readers, Duration::from_secs(60));
        assert_eq!(database.readers.state().connections, 4, "they have just been used");
        close_unused(&database.readers, Duration::ZERO);
        assert_eq!(database.readers.state().connections, 0);
        drop(database);
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[actix_web::test]
    async fn writes_of_one_group_keep_their_requests() {
        let folder = std::env::temp_dir().join(format!("postern-origins-{}", std::process::id()));
        let database = Database::open(&format!("sqlite:{}/shop.db", folder.display()), 4).expect("a database");
        let writes = std::iter::repeat_with(RequestId::new).take(8).map(|id| {
            let database = database.clone();
            id.scope(async move { (Some(id), database.write(|_| Ok(RequestId::current())).await.expect("a write")) })
        });
        for (asked, known) in futures_util::future::join_all(writes).await {
            assert_eq!(asked, known);
        }
        drop(database);
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[actix_web::test]
    async fn jobs_take_turns() {
        static RUNNING: AtomicUsize = AtomicUsize::new(0);
        let folder = std::env::temp_dir().join(format!("postern-turns-{}", std::process::id()));
        let database = Database::open(&format!("sqlite:{}/shop.db", folder.display()), 4).expect("a database");
        let most = async |database: &Database| {
            let read = || {
                let database = database.clone();
                actix_web::rt::spawn(async move {
                    let work = |_: &mut Conn| {
                        let running = RUNNING.fetch_add(1, Ordering::SeqCst) + 1;
                        std::thread::sleep(Duration::from_millis(20));
                        RUNNING.fetch_sub(1, Ordering::SeqCst);
                        Ok(running)
                    };
                    database.read(work).await.expect("a number")
                })
            };
            let reads: Vec<_> = (0..12).map(|_| read()).collect();
            let mut most = 0;
            for read in reads {
                most = most.max(read.await.expect("it does not panic"));
            }
            most
        };
        assert!(most(&database.for_jobs()).await <= JOBS_AT_ONCE);
        assert!(most(&database).await > JOBS_AT_ONCE, "requests use all connections");
        drop(database);
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[actix_web::test]
    async fn a_failing_write_affects_no_other_and_a_dropped_one_is_skipped() {
        let folder = std::env::temp_dir().join(format!("postern-group-commit-{}", std::process::id()));
        let database = Database::open(&format!("sqlite:{}/shop.db", folder.display()), 4).expect("a database");
        let create = |conn: &mut Conn| Ok(conn.batch_execute("CREATE TABLE written (number INTEGER PRIMARY KEY)")?);
        database.write_blocking(create).expect("a table");
        // The others queue while the first one holds the permit.
        let write = |number: i64| {
            let database = database.clone();
            let work = move |conn: &mut Conn| {
                if number == 0 {
                    std::thread::sleep(Duration::from_millis(100));
                }
                conn.batch_execute(&format!("INSERT INTO written VALUES ({number})"))?;
                match number % 4 {
                    1 => Err(AppError::code(Code::NotFound)),
                    2 => panic!("as a fault in a handler would"),
                    _ => Ok(number),
                }
            };
            async move { database.write(work).await }
        };
        let writes: Vec<_> = (0..40).map(|number| actix_web::rt::spawn(write(number))).collect();
        tokio::time::sleep(Duration::from_millis(30)).await;
        writes[39].abort();
        for (number, write) in (0..).zip(writes) {
            match (number, write.await) {
                (39, Err(error)) => assert!(error.is_cancelled()),
                (_, Ok(Ok(answer))) => assert_eq!((answer, number % 4 == 0 || number % 4 == 3), (number, true)),
                (_, Ok(Err(AppError::Answer(refusal)))) => assert_eq!((number % 4, refusal.code), (1, Code::NotFound)),
                (_, Ok(Err(AppError::Internal(_)))) => assert_eq!(number % 4, 2),
                (number, other) => {
                    panic!("{number}: {:?}", other.map(|answer| answer.map_err(|error| error.to_string())))
                }
            }
        }
        let expected: Vec<i64> = (0..39).filter(|number| matches!(number % 4, 0 | 3)).collect();
        assert_eq!(written(&database), expected);
        drop(database);
        // A connection that is closed on another thread may still delete its files.
        let _ = std::fs::remove_dir_all(&folder);
    }

    #[actix_web::test]
    async fn a_group_that_fails_as_a_whole_is_written_one_by_one() {
        let folder = std::env::temp_dir().join(format!("postern-group-commit-whole-{}", std::process::id()));
        let database = Database::open(&format!("sqlite:{}/shop.db", folder.display()), 4).expect("a database");
        // A deferred constraint, checked at commit: the database refuses the whole transaction.
        let create = |conn: &mut Conn| {
            Ok(conn.batch_execute(
                "CREATE TABLE written (number INTEGER PRIMARY KEY, of INTEGER REFERENCES written DEFERRABLE INITIALLY DEFERRED)",
            )?)
        };
        database.write_blocking(create).expect("a table");
        let write = |number: i64| {
            let database = database.clone();
            let work = move |conn: &mut Conn| {
                if number == 0 {
                    std::thread::sleep(Duration::from_millis(100));
                }
                let of = if number == 3 { 1_000 } else { number };
                Ok(conn.batch_execute(&format!("INSERT INTO written VALUES ({number}, {of})"))?)
            };
            async move { database.write(work).await }
        };
        let writes: Vec<_> = (0..6).map(|number| actix_web::rt::spawn(write(number))).collect();
        for (number, write) in (0..).zip(writes) {
            assert_eq!(write.await.expect("an answer").is_ok(), number != 3, "{number}");
        }
        assert_eq!(written(&database), [0, 1, 2, 4, 5]);
        drop(database);
        // A connection that is closed on another thread may still delete its files.
        let _ = std::fs::remove_dir_all(&folder);
    }
}
