//! The database: one kind of connection over SQLite and PostgreSQL, pools, transactions, migrations.
mod flushes;
mod group_commit;
mod kept;

pub use kept::{Kept, change_kept};

use crate::error::AppError;
use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel::sqlite::SqliteConnection;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const SQLITE_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../migrations/sqlite");
const POSTGRES_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../migrations/postgres");
/// The key of the lock that lets one process migrate while others wait.
const MIGRATION_LOCK: i64 = 0x0070_6f73_7465_726e;
const POSTGRES_ATTEMPTS: u32 = 5;
/// Who has waited this long for a turn at the database is told so.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// A connection that has answered this recently is not asked again whether it is still there.
const TRUSTED_FOR: Duration = Duration::from_secs(1);
/// What a rush has opened is closed again after this long, with its memory.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// A connection to either database. Queries are written once on it; the few that differ match on it.
#[derive(diesel::MultiConnection)]
pub enum Conn {
    Postgres(PgConnection),
    Sqlite(SqliteConnection),
}

/// A connection of a pool, and when it was last heard to be there.
struct Pooled {
    conn: Conn,
    heard_at: Instant,
}

/// Opens connections for a pool.
struct Manager {
    url: String,
    /// Pages that SQLite keeps for one connection. The system keeps the file as well, for all of them together.
    cache_kilobytes: u32,
}

/// Many read and one writes: together they stay small however large the shop is.
const READER_CACHE_KILOBYTES: u32 = 1_000;
const WRITER_CACHE_KILOBYTES: u32 = 4_000;

impl r2d2::ManageConnection for Manager {
    type Connection = Pooled;
    type Error = diesel::r2d2::Error;

    fn connect(&self) -> Result<Pooled, Self::Error> {
        let conn = self.open().map_err(diesel::r2d2::Error::ConnectionError)?;
        Ok(Pooled { conn, heard_at: Instant::now() })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), Self::Error> {
        if pooled.heard_at.elapsed() > TRUSTED_FOR {
            pooled.conn.batch_execute("SELECT 1").map_err(diesel::r2d2::Error::QueryError)?;
            pooled.heard_at = Instant::now();
        }
        Ok(())
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        type Transactions = <Conn as Connection>::TransactionManager;
        std::thread::panicking() || Transactions::is_broken_transaction_manager(&mut pooled.conn)
    }
}

impl Manager {
    fn open(&self) -> Result<Conn, ConnectionError> {
        let Some(path) = sqlite_path(&self.url) else {
            return Ok(Conn::Postgres(PgConnection::establish(&self.url)?));
        };
        let mut conn = SqliteConnection::establish(path)?;
        // FULL: money outlives a power cut. The timeout covers the moments when another process writes.
        conn.batch_execute(&format!(
            "PRAGMA busy_timeout = 15000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -{};",
            self.cache_kilobytes
        ))
        .map_err(ConnectionError::CouldntSetupConfiguration)?;
        Ok(Conn::Sqlite(conn))
    }
}

/// The file that a URL such as `sqlite:var/shop.db` or `sqlite:///srv/shop.db` names.
pub fn sqlite_path(url: &str) -> Option<&str> {
    url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"))
}

/// Connections to one database. Cheap to clone.
#[derive(Clone)]
pub struct Database {
    readers: r2d2::Pool<Manager>,
    writers: r2d2::Pool<Manager>,
    /// On SQLite writers is a single connection: those who write queue for it instead of failing on a locked file.
    queue: Option<group_commit::Queue>,
    flushes: flushes::Flushes,
    /// As many turns as connections. Requests wait for one here, first come first served and without a thread each.
    read_turns: Arc<Semaphore>,
    write_turns: Arc<Semaphore>,
}

/// What a transaction is for.
#[derive(Clone, Copy)]
enum Purpose {
    Write,
    /// Reads that must fit together, while others write.
    Snapshot,
}

impl Database {
    pub fn open(url: &str, pool_size: u32) -> anyhow::Result<Database> {
        let is_sqlite = sqlite_path(url).is_some();
        if let Some(folder) = sqlite_path(url).and_then(|path| std::path::Path::new(path).parent()) {
            std::fs::create_dir_all(folder)?;
        }
        let pool = |size: u32, cache_kilobytes: u32| {
            r2d2::Pool::builder()
                .max_size(size)
                .min_idle(Some(1))
                .connection_timeout(LONGEST_WAIT)
                .idle_timeout(Some(IDLE_TIMEOUT))
                .test_on_check_out(!is_sqlite)
                .build(Manager { url: url.to_owned(), cache_kilobytes })
        };
        let readers = pool(pool_size, READER_CACHE_KILOBYTES)?;
        let read_turns = Arc::new(Semaphore::new(pool_size as usize));
        let flushes = flushes::Flushes::default();
        if is_sqlite {
            let write_turns = Arc::new(Semaphore::new(1));
            let (writers, queue) = (pool(1, WRITER_CACHE_KILOBYTES)?, Some(group_commit::Queue::default()));
            return Ok(Database { readers, writers, queue, flushes, read_turns, write_turns });
        }
        let (writers, write_turns) = (readers.clone(), read_turns.clone());
        Ok(Database { readers, writers, queue: None, flushes, read_turns, write_turns })
    }

    /// Brings the tables up to date. Of several processes that start at once, one does it and the others wait.
    pub fn migrate(&self) -> anyhow::Result<usize> {
        let conn = &mut self.writers.get()?.conn;
        let wrong =
            |error: Box<dyn std::error::Error + Send + Sync>| anyhow::anyhow!("migrating the database: {error}");
        match conn {
            Conn::Sqlite(conn) => {
                if !conn.has_pending_migration(SQLITE_MIGRATIONS).map_err(wrong)? {
                    return Ok(0);
                }
                AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE")?;
                let done = conn.run_pending_migrations(SQLITE_MIGRATIONS).map(|done| done.len()).map_err(wrong);
                match &done {
                    Ok(_) => AnsiTransactionManager::commit_transaction(conn)?,
                    Err(_) => AnsiTransactionManager::rollback_transaction(conn)?,
                }
                done
            }
            Conn::Postgres(conn) => {
                conn.batch_execute(&format!("SELECT pg_advisory_lock({MIGRATION_LOCK})"))?;
                let done = conn.run_pending_migrations(POSTGRES_MIGRATIONS).map(|done| done.len()).map_err(wrong);
                conn.batch_execute(&format!("SELECT pg_advisory_unlock({MIGRATION_LOCK})"))?;
                done
            }
        }
    }

    /// Reads, on a thread that may wait.
    pub async fn read<T, F>(&self, work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnOnce(&mut Conn) -> Result<T, AppError> + Send + 'static,
    {
        let database = self.clone();
        in_turn(&self.read_turns, move || database.read_blocking(work)).await
    }

    /// Writes in one transaction: all of it happens or nothing. `work` may run again, when the database asks for it.
    pub async fn write<T, F>(&self, work: F) -> Result<T, AppError>
    where
        T: Send + 'static,
        F: FnMut(&mut Conn) -> Result<T, AppError> + Send + 'static,
    {
        let database = self.clone();
        let Some(queue) = &self.queue else {
            return in_turn(&self.write_turns, move || database.write_blocking(work)).await;
        };
        let mut result = queue.push(work);
        // Whoever gets the turn writes for all who wait, and those need none any more.
        let result = tokio::select! {
            biased;
            result = &mut result => result,
            turn = turn_of(&self.write_turns) => {
                let (turn, queue) = (turn?, queue.clone());
                tokio::task::spawn_blocking(move || {
                    queue.work_off(&database);
                    drop(turn);
                });
                result.await
            }
        };
        result.unwrap_or_else(|_| Err(AppError::internal("a write broke off")))
    }

    /// The same for code that has a thread of its own.
    pub fn write_blocking<T, F>(&self, mut work: F) -> Result<T, AppError>
    where
        F: FnMut(&mut Conn) -> Result<T, AppError>,
    {
        let conn = &mut self.writers.get().map_err(AppError::pool)?.conn;
        for attempt in 1.. {
            match transaction(conn, Purpose::Write, &mut work) {
                Err(AppError::Database(error)) if attempt < POSTGRES_ATTEMPTS && is_worth_a_retry(&error) => {
                    std::thread::sleep(Duration::from_millis(5) * attempt);
                }
                result => {
                    if let (Ok(_), Conn::Postgres(conn)) = (&result, conn) {
                        self.flushes.wait(conn)?;
                    }
                    return result;
                }
            }
        }
        unreachable!("the last attempt returns")
    }

    pub fn read_blocking<T>(&self, work: impl FnOnce(&mut Conn) -> Result<T, AppError>) -> Result<T, AppError> {
        work(&mut self.readers.get().map_err(AppError::pool)?.conn)
    }

    /// Reads everything as it was at one moment.
    pub fn snapshot_blocking<T>(&self, mut work: impl FnMut(&mut Conn) -> Result<T, AppError>) -> Result<T, AppError> {
        transaction(&mut self.readers.get().map_err(AppError::pool)?.conn, Purpose::Snapshot, &mut work)
    }
}

async fn turn_of(turns: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, AppError> {
    let turn = tokio::time::timeout(LONGEST_WAIT, turns.clone().acquire_owned()).await;
    let turn = turn.map_err(|_| AppError::Busy("no turn at the database".to_owned()))?;
    turn.map_err(|error| AppError::Internal(error.into()))
}

/// Waits for a turn, and then works on a thread that may block. Should the caller give up meanwhile, the turn is kept
/// until the work is done.
async fn in_turn<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce() -> Result<T, AppError> + Send + 'static,
) -> Result<T, AppError> {
    let turn = turn_of(turns).await?;
    let in_turn = move || {
        let result = work();
        drop(turn);
        result
    };
    actix_web::web::block(in_turn).await.map_err(|error| AppError::Internal(error.into()))?
}

fn transaction<T>(
    conn: &mut Conn,
    purpose: Purpose,
    work: &mut impl FnMut(&mut Conn) -> Result<T, AppError>,
) -> Result<T, AppError> {
    let begin = match (&conn, purpose) {
        // The right to write is taken first, so that nothing read in between can be overtaken.
        (Conn::Sqlite(_), Purpose::Write) => "BEGIN IMMEDIATE",
        (Conn::Sqlite(_), Purpose::Snapshot) => "BEGIN",
        (Conn::Postgres(_), Purpose::Write) => flushes::BEGIN,
        (Conn::Postgres(_), Purpose::Snapshot) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    };
    match conn {
        Conn::Sqlite(conn) => AnsiTransactionManager::begin_transaction_sql(conn, begin)?,
        Conn::Postgres(conn) => AnsiTransactionManager::begin_transaction_sql(conn, begin)?,
    }
    let result = work(conn);
    match &result {
        Ok(_) => <Conn as Connection>::TransactionManager::commit_transaction(conn)?,
        Err(_) => <Conn as Connection>::TransactionManager::rollback_transaction(conn)?,
    }
    result
}

fn is_worth_a_retry(error: &DieselError) -> bool {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _) => true,
        DieselError::DatabaseError(_, information) => information.message().contains("deadlock detected"),
        _ => false,
    }
}
