//! Opens a database to examine it, and changes nothing: it makes no file, no table and no setting.
use crate::db::conn::Conn;
use crate::db::migrations::known_versions;
use crate::db::prelude::*;
use crate::db::url::{cause, sqlite_path, with_timeouts};
use crate::error::AppError;
use chrono::NaiveDateTime;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text, Timestamp};
use diesel::sqlite::SqliteConnection;
use std::fs::File;
use std::io::Read;
use std::path::Path;

diesel::table! {
    __diesel_schema_migrations (version) {
        version -> Text,
    }
}

/// Opens a connection that can only read; the error is the cause, without the password.
pub fn open_unchanged(url: &str) -> Result<Conn, String> {
    let Some(path) = sqlite_path(url) else {
        let url = with_timeouts(url);
        let mut conn = PgConnection::establish(&url).map_err(|error| cause(&url, &error))?;
        let limits = "SET default_transaction_read_only = on; SET statement_timeout = '20s'";
        conn.batch_execute(limits).map_err(|error| error.to_string())?;
        return Ok(Conn::Postgres(conn));
    };
    if !Path::new(path).is_file() {
        return Err(format!("there is no file {path}"));
    }
    let mut conn = SqliteConnection::establish(&read_only_uri(path)).map_err(|error| cause(url, &error))?;
    conn.batch_execute("PRAGMA busy_timeout = 5000").map_err(|error| error.to_string())?;
    Ok(Conn::Sqlite(conn))
}

/// SQLite's URI of a file that is only read. The mode is what keeps a damaged file as it is: a connection that could write would add what a
/// foreign `-wal` has. Where there is none, no process has the file open, and SQLite would leave an empty one behind unless the file is immutable.
fn read_only_uri(path: &str) -> String {
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let immutable = if Path::new(&format!("{path}-wal")).exists() { "" } else { "&immutable=1" };
    format!("file:{escaped}?mode=ro{immutable}")
}

/// The schema of a database, compared with the one of this program.
#[derive(Debug, Eq, PartialEq)]
pub enum Schema {
    /// The database has no tables.
    Empty,
    /// It has this many migrations, which are all.
    Current(usize),
    /// This many migrations are missing.
    Pending(usize),
    /// It has a migration of a newer version.
    Newer(String),
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

pub fn schema_of(conn: &mut Conn) -> Result<Schema, AppError> {
    let has_migrations = match conn {
        Conn::Sqlite(_) => "SELECT count(*) AS number FROM sqlite_master WHERE name = '__diesel_schema_migrations'",
        Conn::Postgres(_) => {
            "SELECT count(*) AS number FROM pg_class WHERE oid = to_regclass('__diesel_schema_migrations')"
        }
    };
    if sql_query(has_migrations).get_result::<Count>(conn)?.number == 0 {
        return Ok(Schema::Empty);
    }
    let known = known_versions(conn).map_err(AppError::Internal)?;
    let applied = applied_versions(conn)?;
    let newest = applied.iter().filter(|version| !known.contains(version)).max();
    let missing = known.iter().filter(|version| !applied.contains(version)).count();
    Ok(match (newest, missing) {
        (Some(newest), _) => Schema::Newer(newest.clone()),
        (None, 0) => Schema::Current(applied.len()),
        (None, missing) => Schema::Pending(missing),
    })
}

/// The migrations that a database has, in order.
pub fn applied_versions(conn: &mut Conn) -> Result<Vec<String>, AppError> {
    use __diesel_schema_migrations::{table, version};
    Ok(table.order(version).select(version).load(conn)?)
}

/// What PostgreSQL says about itself.
#[derive(Clone, Debug, QueryableByName)]
pub struct PostgresFacts {
    /// Such as 160004 for 16.4.
    #[diesel(sql_type = BigInt)]
    pub version: i64,
    #[diesel(sql_type = Text)]
    pub fsync: String,
    #[diesel(sql_type = Text)]
    pub synchronous_commit: String,
    /// The connections that users without privileges may open, to all databases.
    #[diesel(sql_type = BigInt)]
    pub most_connections: i64,
    /// The connections to other databases.
    #[diesel(sql_type = BigInt)]
    pub other_connections: i64,
    /// Its clock, in UTC.
    #[diesel(sql_type = Timestamp)]
    pub now: NaiveDateTime,
}

/// `None` on SQLite.
pub fn postgres_facts(conn: &mut Conn) -> Result<Option<PostgresFacts>, AppError> {
    if let Conn::Sqlite(_) = conn {
        return Ok(None);
    }
    let facts = sql_query(
        "SELECT current_setting('server_version_num')::bigint AS version, current_setting('fsync') AS fsync, \
         current_setting('synchronous_commit') AS synchronous_commit, \
         current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint AS most_connections, \
         (SELECT count(*) FROM pg_stat_activity WHERE datname <> current_database()) AS other_connections, \
         clock_timestamp() AT TIME ZONE 'UTC' AS now",
    );
    Ok(Some(facts.get_result(conn)?))
}

/// What SQLite says about itself and its file.
#[derive(Clone, Debug)]
pub struct SqliteFacts {
    /// `None` if not even the tables' names can be read.
    pub version: Option<String>,
    /// Whether readers and the writer do not wait for each other (WAL); `None` for a file without a header.
    pub has_wal: Option<bool>,
    pub damages: Vec<String>,
}

#[derive(QueryableByName)]
struct Version {
    #[diesel(sql_type = Text)]
    version: String,
}

#[derive(QueryableByName)]
struct Check {
    #[diesel(sql_type = Text)]
    quick_check: String,
}

/// Reads the whole file. That it cannot be read is a damage, too.
pub fn sqlite_facts(conn: &mut Conn, url: &str) -> Result<SqliteFacts, AppError> {
    let has_wal = sqlite_path(url).and_then(has_wal);
    match read_facts(conn) {
        Err(error) if is_damage(&error.to_string()) => {
            Ok(SqliteFacts { version: None, has_wal, damages: vec![error.to_string()] })
        }
        facts => Ok(SqliteFacts { has_wal, ..facts? }),
    }
}

/// The journal mode by the header of the file: SQLite itself names another one for a file that it takes for immutable.
fn has_wal(path: &str) -> Option<bool> {
    let mut header = [0; 20];
    File::open(path).and_then(|mut file| file.read_exact(&mut header)).ok()?;
    Some(header[18] == 2)
}

fn read_facts(conn: &mut Conn) -> QueryResult<SqliteFacts> {
    let Version { version } = sql_query("SELECT sqlite_version() AS version").get_result(conn)?;
    let rows: Vec<Check> = sql_query("PRAGMA quick_check(20)").load(conn)?;
    // Several findings come in one row, below a heading.
    let lines = rows.iter().flat_map(|row| row.quick_check.lines());
    let damages = lines.filter(|line| *line != "ok" && !line.starts_with("***")).map(str::to_owned).collect();
    Ok(SqliteFacts { version: Some(version), has_wal: None, damages })
}

/// SQLite's words for a file that is broken, rather than busy.
fn is_damage(error: &str) -> bool {
    error.contains("malformed") || error.contains("not a database")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Database;

    #[test]
    fn a_database_is_examined_and_not_changed() {
        let folder = std::env::temp_dir().join(format!("postern-examined-{}", std::process::id()));
        let path = folder.join("a shop? 100%.db");
        let url = format!("sqlite:{}", path.display());
        assert!(open_unchanged(&url).is_err_and(|error| error.contains("there is no file")));
        assert!(!folder.exists(), "nothing is made");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(&path, "").expect("an empty file");
        let mut conn = open_unchanged(&url).expect("a connection");
        assert_eq!(schema_of(&mut conn).expect("a schema"), Schema::Empty);
        assert!(conn.batch_execute("CREATE TABLE a (b INTEGER)").is_err());
        drop(conn);
        assert_eq!(std::fs::metadata(&path).expect("the file").len(), 0);
        std::fs::remove_dir_all(&folder).expect("gone");
        let url = url.replace("? ", " ");
        let database = Database::open(&url, 1).expect("a database");
        database.migrate().expect("the migrations");
        let mut conn = open_unchanged(&url).expect("a connection");
        assert!(matches!(schema_of(&mut conn), Ok(Schema::Current(count)) if count > 1));
        let facts = sqlite_facts(&mut conn, &url).expect("facts");
        assert_eq!((facts.has_wal, facts.damages), (Some(true), Vec::new()));
        assert!(postgres_facts(&mut conn).expect("an answer").is_none());
        drop((conn, database));
        // The last connection has removed SQLite's other files, and the doctor makes none.
        let mut conn = open_unchanged(&url).expect("a connection");
        assert!(matches!(schema_of(&mut conn), Ok(Schema::Current(_))));
        drop(conn);
        assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1);
        std::fs::remove_dir_all(&folder).expect("gone");
    }
}
