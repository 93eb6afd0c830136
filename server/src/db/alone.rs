//! Work that one transaction does at a time.
use crate::db::conn::Conn;
use crate::db::prelude::*;
use crate::error::AppError;

/// Waits for other transactions that do the same work, named by a number, until this one ends: for what no row to lock stands for, such as adding the
/// first row of a kind. On SQLite only one transaction writes at a time.
pub fn one_at_a_time(conn: &mut Conn, work: i64) -> Result<(), AppError> {
    if let Conn::Postgres(conn) = conn {
        let lock = diesel::sql_query("SELECT pg_advisory_xact_lock($1)");
        lock.bind::<diesel::sql_types::BigInt, _>(work).execute(conn)?;
    }
    Ok(())
}
