//! Connections of a pool, and transactions on them.
use crate::db::conn::Conn;
use crate::db::flushes;
use crate::db::limits::{self, Asker, Watch};
use crate::error::AppError;
use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A connection that has answered this recently is not asked again whether it is still there.
pub const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// A connection of a pool. It is dropped before its watch.
pub struct Pooled {
    pub conn: Conn,
    /// When it was last heard to be there.
    pub heard_at: Instant,
    pub watch: Arc<Watch>,
    /// Which process of PostgreSQL serves it.
    pub process: Option<i32>,
    pub limit: Option<Duration>,
    /// It may still hear of something that is over.
    pub is_spoilt: bool,
}

impl Pooled {
    /// From now on it works under this limit, for this asker.
    pub fn begin(&mut self, limit: Option<Duration>, asker: Option<Asker>) -> Result<(), AppError> {
        if self.limit != limit {
            limits::set_timeout(&mut self.conn, limit)?;
            self.limit = limit;
        }
        self.watch.begin(limit, asker);
        Ok(())
    }
}

/// Opens connections for a pool.
pub struct Manager {
    pub url: String,
    /// Pages that SQLite keeps for one connection. The system keeps the file as well, for all of them together.
    pub cache_kilobytes: u32,
}

/// Many read and one writes: together they stay small however large the shop is.
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
        let process = match &mut conn {
            Conn::Postgres(conn) => Some(limits::process_of(conn).map_err(diesel::r2d2::Error::QueryError)?),
            Conn::Sqlite(_) => None,
        };
        Ok(Pooled { conn, heard_at: Instant::now(), watch, process, limit: None, is_spoilt: false })
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
        pooled.is_spoilt || std::thread::panicking() || Transactions::is_broken_transaction_manager(&mut pooled.conn)
    }
}

impl Manager {
    pub fn open(&self) -> Result<Conn, ConnectionError> {
        let Some(path) = sqlite_path(&self.url) else {
            return Ok(Conn::Postgres(PgConnection::establish(&self.url)?));
        };
        let mut conn = SqliteConnection::establish(path)?;
        // FULL: money outlives a power cut. The timeout covers the moments when another process writes. What is deleted is written over.
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

/// The file that a URL such as `sqlite:var/shop.db` or `sqlite:///srv/shop.db` names.
pub fn sqlite_path(url: &str) -> Option<&str> {
    url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"))
}

/// What a transaction is for.
#[derive(Clone, Copy)]
pub enum Purpose {
    Write,
    /// Reads that must fit together, while others write.
    Snapshot,
}

pub fn transaction<T>(
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
