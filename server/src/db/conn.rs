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
