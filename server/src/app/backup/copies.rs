//! Copies of a whole database as it is at one moment, while it is used, and the way back into an empty one. PostgreSQL's own programs make its copies.
use crate::db::prelude::*;
use crate::db::{
    Conn, Schema, applied_versions, cause, file_problems, open_unchanged, password_apart, schema_of, sqlite_path,
    with_timeouts,
};
use crate::error::AppError;
use crate::schema::{
    accounts, invoices, ledger_entries, ledger_transactions, nodes, orders, payments, proxy_users, refunds,
    traffic_batches, users, wallets,
};
use anyhow::{Context, bail, ensure};
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::sql_query;
use diesel::sql_types::Text;
use diesel::sqlite::SqliteConnection;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a copy has: by the name of a table its number of rows, and the migrations.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Contents {
    pub rows: BTreeMap<String, i64>,
    pub migrations: Vec<String>,
}

/// Counts the rows of what a shop must not lose.
pub fn contents(conn: &mut Conn) -> Result<Contents, AppError> {
    macro_rules! counted {
        ($($table:ident),+) => {
            BTreeMap::from([$((stringify!($table).to_owned(), $table::table.count().get_result::<i64>(conn)?)),+])
        };
    }
    let rows = counted!(
        accounts,
        invoices,
        ledger_entries,
        ledger_transactions,
        nodes,
        orders,
        payments,
        proxy_users,
        refunds,
        traffic_batches,
        users,
        wallets
    );
    Ok(Contents { rows, migrations: applied_versions(conn)? })
}

/// Copies a database into a new file.
pub fn copy_database(url: &str, to: &Path, programs: Option<&Path>) -> anyhow::Result<Contents> {
    match sqlite_path(url) {
        Some(path) => copy_sqlite(path, to),
        None => copy_postgres(url, to, programs),
    }
}

fn copy_sqlite(path: &str, to: &Path) -> anyhow::Result<Contents> {
    ensure!(Path::new(path).is_file(), "there is no file {path}");
    let mut conn = SqliteConnection::establish(path)?;
    conn.batch_execute("PRAGMA busy_timeout = 60000")?;
    let name = to.to_str().context("the folder's name is not UTF-8")?;
    sql_query("VACUUM INTO ?").bind::<Text, _>(name).execute(&mut conn).context("copying the database")?;
    drop(conn);
    examine_copy(to)
}

/// What a copy of SQLite has, if it is whole.
fn examine_copy(path: &Path) -> anyhow::Result<Contents> {
    let url = format!("sqlite:{}", path.display());
    let damages = file_problems(&url);
    ensure!(damages.is_empty(), "the copy is damaged: {}", damages.join("; "));
    let mut conn = open_unchanged(&url).map_err(|cause| anyhow::anyhow!(cause))?;
    contents(&mut conn).map_err(|error| anyhow::anyhow!("{error}"))
}

#[derive(QueryableByName)]
struct Snapshot {
    #[diesel(sql_type = Text)]
    snapshot: String,
}

/// `pg_dump` reads the snapshot in which the rows were counted.
fn copy_postgres(url: &str, to: &Path, programs: Option<&Path>) -> anyhow::Result<Contents> {
    let mut conn = PgConnection::establish(&with_timeouts(url)).map_err(|error| {
        let cause = cause(url, &error);
        anyhow::anyhow!("connecting to the database: {cause}")
    })?;
    conn.batch_execute(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; \
         SET LOCAL idle_in_transaction_session_timeout = 0",
    )?;
    let Snapshot { snapshot } = sql_query("SELECT pg_export_snapshot() AS snapshot").get_result(&mut conn)?;
    let mut conn = Conn::Postgres(conn);
    let contents = contents(&mut conn).map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut arguments = vec!["--format=custom".into(), "--no-owner".into(), "--no-privileges".into()];
    arguments.push(format!("--snapshot={snapshot}").into());
    arguments.push(option("--file=", to));
    run_program("pg_dump", programs, Some(url), arguments)?;
    drop(conn);
    run_program("pg_restore", programs, None, vec!["--list".into(), to.into()]).context("reading the copy back")?;
    Ok(contents)
}

fn option(name: &str, path: &Path) -> OsString {
    let mut option = OsString::from(name);
    option.push(path);
    option
}

/// Runs a program of PostgreSQL. The password is in its environment: everyone can read the arguments of a process.
fn run_program(name: &str, programs: Option<&Path>, url: Option<&str>, arguments: Vec<OsString>) -> anyhow::Result<()> {
    let program = programs.map_or_else(|| PathBuf::from(name), |folder| folder.join(name));
    let mut command = Command::new(&program);
    if let Some(url) = url {
        let (url, password) = password_apart(url).context("the URL of the database cannot be read")?;
        // Nobody is there to answer a question.
        command.arg(format!("--dbname={url}")).arg("--no-password");
        if let Some(password) = password {
            command.env("PGPASSWORD", password);
        }
    }
    let done = command.args(arguments).output().with_context(|| {
        format!(
            "running {}: install PostgreSQL's client programs, or name their folder with --programs",
            program.display()
        )
    })?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).take(5).collect();
    bail!("{name} failed: {}", lines.join("; "))
}

/// Why nothing can be put back into a database; `None` for one that is empty, or that is not there yet.
pub fn occupied(url: &str) -> anyhow::Result<Option<String>> {
    if let Some(path) = sqlite_path(url) {
        let has_rows = |end: &str| std::fs::metadata(format!("{path}{end}")).is_ok_and(|file| file.len() > 0);
        if !has_rows("") && !has_rows("-wal") {
            return Ok(None);
        }
        return Ok(Some(format!("the file {path} is not empty: move it away, with {path}-wal and {path}-shm")));
    }
    let mut conn = open_unchanged(url).map_err(|cause| anyhow::anyhow!("connecting to the database: {cause}"))?;
    let schema = schema_of(&mut conn).map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok((schema != Schema::Empty).then(|| "the database has the tables of a shop: create an empty one".to_owned()))
}

/// Puts a copy into an empty database, all of it or nothing, and returns what it has.
pub fn put_back(url: &str, from: &Path, programs: Option<&Path>) -> anyhow::Result<Contents> {
    if let Some(reason) = occupied(url)? {
        bail!(reason);
    }
    match sqlite_path(url) {
        Some(path) => {
            let contents = examine_copy(from)?;
            if let Some(folder) = Path::new(path).parent() {
                std::fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
            }
            let draft = format!("{path}.restoring");
            std::fs::copy(from, &draft).with_context(|| format!("writing {draft}"))?;
            File::open(&draft)?.sync_all()?;
            std::fs::rename(&draft, path).with_context(|| format!("writing {path}"))?;
            Ok(contents)
        }
        None => {
            let mut arguments: Vec<OsString> = vec!["--no-owner".into(), "--no-privileges".into()];
            arguments.extend(["--single-transaction".into(), "--exit-on-error".into(), from.into()]);
            run_program("pg_restore", programs, Some(url), arguments)?;
            let mut conn = open_unchanged(url).map_err(|cause| anyhow::anyhow!(cause))?;
            if let Conn::Postgres(conn) = &mut conn {
                conn.batch_execute("SET statement_timeout = 0")?;
            }
            contents(&mut conn).map_err(|error| anyhow::anyhow!("{error}"))
        }
    }
}
