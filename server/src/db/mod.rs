//! The database: one connection type over SQLite and PostgreSQL, pools, transactions, migrations.
mod cached;
pub mod conn;
mod database;
mod flushes;
mod group_commit;
mod limits;
mod pool;
pub mod prelude;
mod run;
mod threads;
mod work;

pub use cached::{CachedStatement, update_cached};
pub use conn::{Conn, RowLock};
pub use database::Database;
pub use pool::sqlite_path;
