//! Checks the file of a SQLite database.
use crate::db::conn::Conn;
use crate::db::pool::{Manager, READER_CACHE_KILOBYTES};
use crate::db::prelude::*;
use crate::db::url::sqlite_path;
use diesel::result::Error as DieselError;
use diesel::sql_query;
use diesel::sql_types::Text;
use std::path::Path;

#[derive(QueryableByName)]
struct Finding {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

/// The damages of the database's file, such as those of a file that was restored beside another's `-wal`. Reads the whole file. PostgreSQL checks its
/// files itself.
pub fn file_problems(url: &str) -> Vec<String> {
    if !sqlite_path(url).is_some_and(|path| Path::new(path).exists()) {
        return Vec::new();
    }
    // A connection of its own: the pool would try for long to open a damaged file.
    let opened = Manager { url: url.into(), cache_kilobytes: READER_CACHE_KILOBYTES, pulse: None }.open();
    let checked = opened.map_err(|error| error.to_string()).and_then(|mut conn| findings(&mut conn));
    match checked {
        Ok(found) => found.into_iter().filter(|finding| finding != "ok").collect(),
        Err(error) => vec![error],
    }
}

fn findings(conn: &mut Conn) -> Result<Vec<String>, String> {
    let rows: Vec<Finding> =
        sql_query("PRAGMA integrity_check").load(conn).map_err(|error: DieselError| error.to_string())?;
    // Several findings come in one row, below a heading.
    let lines = rows.iter().flat_map(|row| row.integrity_check.lines());
    Ok(lines.filter(|line| !line.starts_with("***")).map(str::to_owned).collect())
}
