//! Marks databases that were filled with demo data.
use crate::db::prelude::*;
use crate::db::{Conn, Database};
use crate::error::AppError;
use crate::schema::demo_data;

/// The id of the table's only row.
pub const DEMO: i16 = 1;

/// Whether this database was filled with demo data.
pub fn has_demo_data(conn: &mut Conn) -> Result<bool, AppError> {
    Ok(demo_data::table.find(DEMO).select(demo_data::id).first::<i16>(conn).optional()?.is_some())
}

/// Production refuses databases with demo data: the passwords of its accounts, an operator's among them, are in a file.
pub fn refuse_demo_data(db: &Database) -> anyhow::Result<()> {
    let is_demo = db.read_blocking(has_demo_data).map_err(|error| anyhow::anyhow!("looking for demo data: {error}"))?;
    anyhow::ensure!(
        !is_demo,
        "this database has demo accounts, which production refuses: set DATABASE_URL or POSTERN_VAR_DIR to a database without demo data"
    );
    Ok(())
}
