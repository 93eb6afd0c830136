//! Databases for tests.
use super::Shop;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::sqlite::SqliteConnection;
use postern_server::db::prelude::*;
use postern_server::db::{Conn, Database, sqlite_path};
use std::sync::OnceLock;

/// A migrated database on the PostgreSQL server, to copy.
pub fn migrated(server: &str) -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let name = format!("postern_template_{}", std::process::id());
        administer(server, &format!("CREATE DATABASE {name}")).expect("a database to copy");
        Database::open(&url_of(server, &name), 1).expect("the database").migrate().expect("the migrations");
        name
    })
}

/// The URL of a database of the PostgreSQL server.
pub fn url_of(server: &str, name: &str) -> String {
    format!("{}/{name}", server.rsplit_once('/').expect("a URL with a database").0)
}

/// Runs a statement about databases on the PostgreSQL server.
pub fn administer(server: &str, statement: &str) -> QueryResult<()> {
    let mut admin = PgConnection::establish(server).expect("the PostgreSQL server of TEST_DATABASE_URL");
    admin.batch_execute(statement)
}

/// Blocks all other writes to these tables until `ROLLBACK`; on SQLite to any table.
pub fn lock_tables(shop: &Shop, tables: &str) -> Conn {
    let url = &shop.app.config.database_url;
    let Some(path) = sqlite_path(url) else {
        let mut conn = Conn::Postgres(PgConnection::establish(url).expect("a connection"));
        conn.batch_execute(&format!("BEGIN; LOCK TABLE {tables} IN EXCLUSIVE MODE")).expect("a lock");
        return conn;
    };
    let mut conn = Conn::Sqlite(SqliteConnection::establish(path).expect("a connection"));
    conn.batch_execute("PRAGMA busy_timeout = 15000; BEGIN IMMEDIATE").expect("a lock");
    conn
}
