//! Marks databases that were filled with demo data.
use crate::db::Database;
use crate::db::prelude::*;
use crate::schema::demo_data;

/// The id of the table's only row.
pub const DEMO: i16 = 1;

/// Production refuses databases with demo data: the passwords of its accounts, an operator's among them, are in a file.
pub fn refuse_demo_data(db: &Database) -> anyhow::Result<()> {
    let is_there = |conn: &mut crate::db::Conn| {
        Ok(demo_data::table.find(DEMO).select(demo_data::id).first::<i16>(conn).optional()?.is_some())
    };
    let is_demo = db.read_blocking(is_there).map_err(|error| anyhow::anyhow!("looking for demo data: {error}"))?;
    anyhow::ensure!(
        !is_demo,
        "this database has demo accounts, which production refuses: set DATABASE_URL or POSTERN_VAR_DIR to a database without demo data"
    );
    Ok(())
}
