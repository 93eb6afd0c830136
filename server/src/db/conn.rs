//! A connection to either database.
use diesel::connection::{SimpleConnection, TransactionManager};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;

/// A connection to either database. Queries are written once on it; the few that differ match on it.
#[derive(diesel::MultiConnection)]
pub enum Conn {
    Postgres(PgConnection),
    Sqlite(SqliteConnection),
}

/// Whether to lock rows until the transaction ends, because it will change them, or only read, as for a preview. On SQLite a
/// write transaction locks the whole database, so there are no row locks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RowLock {
    ForUpdate,
    None,
}
