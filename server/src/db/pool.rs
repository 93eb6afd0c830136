//! Pooled connections, and transactions on them.
use crate::db::conn::Conn;
use crate::db::flushes;
use crate::db::limits::{self, Watch};
use crate::db::prelude::*;
use crate::db::pulse::Pulse;
use crate::db::url::sqlite_path;
use crate::error::AppError;
use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use diesel::pg::PgConnection;
use diesel::result::Error as DieselError;
use diesel::sqlite::SqliteConnection;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A connection that was alive this recently is not checked again.
pub const VALIDATION_INTERVAL: Duration = Duration::from_secs(1);

/// A connection that nobody has used for this long is closed, to free its caches: of pages, and of prepared statements, which may be hundreds.
pub const UNUSED: Duration = Duration::from_secs(10);

/// A pooled connection. It is dropped before its watch.
pub struct Pooled {
    pub conn: Conn,
    /// When it was last known to be alive.
    pub last_alive_at: Instant,
    pub watch: Arc<Watch>,
    pub limit: Option<Duration>,
    /// When work last began on it.
    pub used_at: Instant,
    /// It must not be reused: it is broken, or not needed any more.
    pub is_tainted: bool,
}

impl Pooled {
    /// Applies this limit to the statements that follow.
    pub fn begin(&mut self, limit: Option<Duration>) -> Result<(), AppError> {
        if self.limit != limit {
            limits::set_timeout(&mut self.conn, limit)?;
            self.limit = limit;
        }
        self.watch.begin(limit);
        self.used_at = Instant::now();
        Ok(())
    }

    /// Frees the pages that SQLite has cached for this connection. They are in the operating system's cache, too.
    fn free_page_cache(&mut self) -> Result<(), DieselError> {
        match &mut self.conn {
            Conn::Sqlite(conn) => conn.batch_execute("PRAGMA shrink_memory"),
            Conn::Postgres(_) => Ok(()),
        }
    }
}

/// Closes connections of a pool that nobody has used for this long, and frees the page caches of the idle ones. The pool itself looks
/// for unused connections only every 30 seconds, and a page cache never shrinks by itself.
pub fn close_unused(pool: &r2d2::Pool<Manager>, unused: Duration) {
    let mut taken = Vec::new();
    // Latest used first.
    while pool.state().idle_connections > 0
        && let Some(pooled) = pool.try_get()
    {
        taken.push(pooled);
    }
    // Back in their order, so that the latest used is used again.
    while let Some(mut pooled) = taken.pop() {
        pooled.is_tainted |= pooled.used_at.elapsed() >= unused || pooled.free_page_cache().is_err();
    }
}

/// Opens connections for a pool.
pub struct Manager {
    pub url: Arc<str>,
    /// SQLite's page cache per connection. The operating system caches the file too, shared by all connections.
    pub cache_kilobytes: u32,
    /// Of PostgreSQL.
    pub pulse: Option<Pulse>,
}

/// Many readers and one writer: their caches stay small in total, however large the shop is.
pub const READER_CACHE_KILOBYTES: u32 = 1_000;

pub const WRITER_CACHE_KILOBYTES: u32 = 4_000;

impl r2d2::ManageConnection for Manager {
    type Connection = Pooled;
    type Error = diesel::r2d2::Error;

    fn connect(&self) -> Result<Pooled, Self::Error> {
        let watch = Arc::new(Watch::default());
        let opened = limits::open_watched(&watch, || self.open());
        let mut conn = opened.map_err(diesel::r2d2::Error::ConnectionError)?;
        limits::watch_statements(&mut conn, watch.clone());
        let now = Instant::now();
        Ok(Pooled { conn, last_alive_at: now, watch, limit: None, used_at: now, is_tainted: false })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), Self::Error> {
        let may_be_closed = self.pulse.as_ref().is_some_and(|pulse| pulse.has_closed_since(pooled.last_alive_at));
        if may_be_closed || pooled.last_alive_at.elapsed() > VALIDATION_INTERVAL {
            pooled.conn.batch_execute("SELECT 1").map_err(diesel::r2d2::Error::QueryError)?;
            pooled.last_alive_at = Instant::now();
        }
        Ok(())
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        type Transactions = <Conn as Connection>::TransactionManager;
        pooled.is_tainted || std::thread::panicking() || Transactions::is_broken_transaction_manager(&mut pooled.conn)
    }
}

impl Manager {
    pub fn open(&self) -> Result<Conn, ConnectionError> {
        let Some(path) = sqlite_path(&self.url) else {
            return Ok(Conn::Postgres(PgConnection::establish(&self.url)?));
        };
        let mut conn = SqliteConnection::establish(path)?;
        // FULL: money must survive a power cut. The timeout bridges another process's writes. Deleted data is overwritten.
        conn.batch_execute(&format!(
            "PRAGMA busy_timeout = 15000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON; \
             PRAGMA cache_size = -{};",
            self.cache_kilobytes
        ))
        .map_err(ConnectionError::CouldntSetupConfiguration)?;
        Ok(Conn::Sqlite(conn))
    }
}

/// The purpose of a transaction.
#[derive(Clone, Copy)]
pub enum Purpose {
    Write,
    /// Consistent reads while others write.
    Snapshot,
}

pub fn transaction<T>(
    conn: &mut Conn,
    purpose: Purpose,
    work: &mut dyn FnMut(&mut Conn) -> Result<T, AppError>,
) -> Result<T, AppError> {
    let begin = match (&conn, purpose) {
        // Takes the write lock first, so that no read in the transaction can be stale.
        (Conn::Sqlite(_), Purpose::Write) => "BEGIN IMMEDIATE".to_owned(),
        (Conn::Sqlite(_), Purpose::Snapshot) => "BEGIN".to_owned(),
        (Conn::Postgres(_), Purpose::Write) => flushes::begin(),
        (Conn::Postgres(_), Purpose::Snapshot) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY".to_owned(),
    };
    match conn {
        Conn::Sqlite(conn) => AnsiTransactionManager::begin_transaction_sql(conn, &begin)?,
        Conn::Postgres(conn) => AnsiTransactionManager::begin_transaction_sql(conn, &begin)?,
    }
    let result = work(conn);
    match &result {
        Ok(_) => <Conn as Connection>::TransactionManager::commit_transaction(conn)?,
        // If that fails, too, the connection is not used again; the first error is the cause.
        Err(_) => <Conn as Connection>::TransactionManager::rollback_transaction(conn).unwrap_or_default(),
    }
    result
}
