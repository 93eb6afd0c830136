//! Migrations of the schema, run at start-up.
use crate::db::conn::Conn;
use crate::db::database::Database;
use anyhow::ensure;
use diesel::backend::Backend;
use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use diesel::migration::MigrationSource;
use diesel::pg::Pg;
use diesel::sqlite::Sqlite;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use std::error::Error;

const SQLITE_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../migrations/sqlite");
const POSTGRES_MIGRATIONS: EmbeddedMigrations = embed_migrations!("../migrations/postgres");

/// The key of the advisory lock under which one process migrates at a time.
const MIGRATION_LOCK: i64 = 0x0070_6f73_7465_726e;

impl Database {
    /// Runs the migrations. If several processes start at once, one migrates and the others wait. A schema of a newer version is refused.
    pub fn migrate(&self) -> anyhow::Result<usize> {
        match &mut self.writers.get()?.conn {
            Conn::Sqlite(conn) => {
                refuse_newer(conn, SQLITE_MIGRATIONS)?;
                if !conn.has_pending_migration(SQLITE_MIGRATIONS).map_err(failed)? {
                    return Ok(0);
                }
                AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE")?;
                let done = conn.run_pending_migrations(SQLITE_MIGRATIONS).map(|done| done.len()).map_err(failed);
                match &done {
                    Ok(_) => AnsiTransactionManager::commit_transaction(conn)?,
                    Err(_) => AnsiTransactionManager::rollback_transaction(conn)?,
                }
                done
            }
            Conn::Postgres(conn) => {
                conn.batch_execute(&format!("SELECT pg_advisory_lock({MIGRATION_LOCK})"))?;
                let done = refuse_newer(conn, POSTGRES_MIGRATIONS).and_then(|()| {
                    conn.run_pending_migrations(POSTGRES_MIGRATIONS).map(|done| done.len()).map_err(failed)
                });
                conn.batch_execute(&format!("SELECT pg_advisory_unlock({MIGRATION_LOCK})"))?;
                done
            }
        }
    }
}

/// The versions of all migrations for this database that the program has, in order.
pub fn known_versions(conn: &Conn) -> anyhow::Result<Vec<String>> {
    known_migrations(matches!(conn, Conn::Sqlite(_)))
}

/// The same by the kind of the database.
pub fn known_migrations(is_sqlite: bool) -> anyhow::Result<Vec<String>> {
    if is_sqlite { versions::<Sqlite>(SQLITE_MIGRATIONS) } else { versions::<Pg>(POSTGRES_MIGRATIONS) }
}

fn versions<DB: Backend>(source: EmbeddedMigrations) -> anyhow::Result<Vec<String>>
where
    EmbeddedMigrations: MigrationSource<DB>,
{
    let migrations = MigrationSource::<DB>::migrations(&source).map_err(failed)?;
    Ok(migrations.iter().map(|migration| migration.name().version().to_string()).collect())
}

fn failed(error: Box<dyn Error + Send + Sync>) -> anyhow::Error {
    anyhow::anyhow!("migrating the database: {error}")
}

/// Refuses a schema with migrations that this version does not have: its code could misread the rows, and write ones that the newer version misreads.
fn refuse_newer<DB, C>(conn: &mut C, source: EmbeddedMigrations) -> anyhow::Result<()>
where
    DB: Backend,
    C: MigrationHarness<DB>,
    EmbeddedMigrations: MigrationSource<DB>,
{
    let known = versions::<DB>(source)?;
    let applied = conn.applied_migrations().map_err(failed)?;
    let newest = applied.iter().map(ToString::to_string).filter(|version| !known.contains(version)).max();
    ensure!(
        newest.is_none(),
        "the database has the schema {} of a newer version of Postern; this is version {}, which knows the schemas up to {}: \
         start the newer version, or restore a backup from before it was started",
        newest.unwrap_or_default(),
        env!("CARGO_PKG_VERSION"),
        known.iter().max().cloned().unwrap_or_default()
    );
    Ok(())
}
