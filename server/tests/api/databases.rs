//! Databases for tests.
use super::Shop;
use chrono::NaiveDateTime;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::sqlite::SqliteConnection;
use postern_core::proxy_server::ProxyServerKind;
use postern_server::db::prelude::*;
use postern_server::db::{Conn, Database, sqlite_path};
use postern_server::demo::prices::sell_everything;
use postern_server::error::AppError;
use postern_server::schema::{proxy_servers, referral_rules};
use std::path::Path;
use std::sync::OnceLock;

/// A migrated database on the PostgreSQL server, to copy.
fn migrated(server: &str) -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let name = format!("postern_template_{}", std::process::id());
        administer(server, &format!("CREATE DATABASE {name}")).expect("a database to copy");
        Database::open(&url_of(server, &name), 1).expect("the database").migrate().expect("the migrations");
        name
    })
}

/// Begins a shop's database, with or without its tables: on the PostgreSQL server, whose URL for it is returned, or in the folder.
pub fn create(server: Option<&str>, name: &str, folder: &Path, is_migrated: bool) -> Option<String> {
    let Some(server) = server else {
        std::fs::create_dir_all(folder).expect("a folder");
        if is_migrated {
            std::fs::write(folder.join("postern.db"), migrated_file()).expect("a database");
        }
        return None;
    };
    let template = if is_migrated { migrated(server) } else { "template1" };
    administer(server, &format!("CREATE DATABASE {name} TEMPLATE {template}")).expect("a database for the test");
    Some(url_of(server, name))
}

/// The file of a migrated SQLite database, to copy.
fn migrated_file() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("postern_template_{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let database = Database::open(&format!("sqlite://{}", folder.join("postern.db").display()), 1);
        let database = database.expect("a database to copy");
        database.migrate().expect("the migrations");
        let copy = folder.join("copy.db");
        let vacuum = format!("VACUUM INTO '{}'", copy.display());
        database.read_blocking(|conn| Ok(conn.batch_execute(&vacuum)?)).expect("a copy");
        let file = std::fs::read(&copy).expect("the copy");
        std::fs::remove_dir_all(folder).expect("the folder is removed");
        file
    })
}

/// The URL of a database of the PostgreSQL server, which may be slow while many tests run.
fn url_of(server: &str, name: &str) -> String {
    format!("{}/{name}?connect_timeout=30", server.rsplit_once('/').expect("a URL with a database").0)
}

/// Puts everything on sale, and gives a commission of 10 %: a new shop does neither.
fn open_for_business(conn: &mut Conn, now: NaiveDateTime) -> Result<(), AppError> {
    sell_everything(conn)?;
    if referral_rules::table.count().get_result::<i64>(conn)? == 0 {
        let row = (
            referral_rules::rate_basis_points.eq(1_000),
            referral_rules::valid_from.eq(now),
            referral_rules::created_at.eq(now),
        );
        diesel::insert_into(referral_rules::table).values(row).execute(conn)?;
    }
    Ok(())
}

impl Shop {
    /// The shop, selling everything at the prices of the demo.
    pub fn in_business(self) -> Shop {
        let now = self.app.clock.now();
        self.app.db.write_blocking(|conn| open_for_business(conn, now)).expect("prices");
        self
    }

    /// A shop as it is after its first start: it sells nothing.
    pub fn open_new() -> Shop {
        Shop::open_on(&[], true, |_| Ok(()))
    }

    /// A shop that can sell traffic.
    pub fn open_with_traffic() -> Shop {
        Shop::open().with_residential_server()
    }

    /// The shop with a residential proxy server, without which it sells no traffic.
    pub fn with_residential_server(self) -> Shop {
        let now = self.app.clock.now();
        let row = (
            proxy_servers::name.eq("Residential"),
            proxy_servers::kind.eq(ProxyServerKind::Residential),
            proxy_servers::host.eq("residential.example"),
            proxy_servers::http_port.eq(8000),
            proxy_servers::secret_sha256.eq("none knows it"),
            proxy_servers::created_at.eq(now),
        );
        let registered = |conn: &mut Conn| Ok(diesel::insert_into(proxy_servers::table).values(row).execute(conn)?);
        self.app.db.write_blocking(registered).expect("a proxy server");
        self
    }
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
