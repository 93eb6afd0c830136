//! The database: one connection type over SQLite and PostgreSQL, pools, transactions, migrations.
mod alone;
mod cached;
pub mod conn;
mod database;
mod examined;
mod flushes;
mod group_commit;
mod integrity;
mod limits;
mod locks;
mod migrations;
mod pool;
pub mod prelude;
mod pulse;
mod run;
mod threads;
mod url;
mod work;

/// Runs an expression on the connection of either database: for statements that diesel offers on each, but not on both, such as upserts.
macro_rules! on_either {
    ($conn:ident, $work:expr) => {
        match $conn {
            $crate::db::Conn::Postgres($conn) => $work,
            $crate::db::Conn::Sqlite($conn) => $work,
        }
    };
}

pub(crate) use on_either;

pub use alone::one_at_a_time;
pub use cached::{CachedStatement, update_cached};
pub use conn::{Conn, RowLock};
pub use database::Database;
pub use examined::{
    PostgresFacts, Schema, SqliteFacts, applied_versions, open_unchanged, postgres_facts, schema_of, sqlite_facts,
};
pub use integrity::file_problems;
pub use migrations::known_migrations;
pub use url::{cause, password_apart, shown_url, sqlite_path, with_timeouts};
