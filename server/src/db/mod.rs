//! The database: one connection type over SQLite and PostgreSQL, pools, transactions, migrations.
pub mod conn;
mod database;
mod flushes;
mod group_commit;
mod kept;
mod limits;
mod pool;

pub use conn::{Conn, RowLock};
pub use database::Database;
pub use kept::{Kept, change_kept};
pub use pool::sqlite_path;
