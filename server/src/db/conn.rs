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

/// Whether rows are locked until the transaction ends, because it will change them, or only read, as for a preview. On SQLite a
/// write has the whole database to itself, so that there is nothing to lock.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RowLock {
    ForUpdate,
    None,
}
