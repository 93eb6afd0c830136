//! The database: whether it can be opened, fits this program, keeps what it is told, and has the same clock and key.
use crate::app::doctor::finding::{Finding, Severity, first_of};
use crate::config::{Config, Environment};
use crate::db::{
    Conn, PostgresFacts, Schema, SqliteFacts, open_unchanged, postgres_facts, schema_of, shown_url, sqlite_facts,
};
use crate::error::AppError;
use crate::settings::secret_key::{given, given_fits};
use chrono::{NaiveDateTime, TimeDelta};

const CHECK: &str = "database";
const OLDEST_POSTGRES: i64 = 14;
const CLOCK_WARNING: TimeDelta = TimeDelta::seconds(2);
const CLOCK_FAULT: TimeDelta = TimeDelta::seconds(30);

/// A connection that can only read, or the fault.
pub fn open(config: &Config) -> Result<Conn, Finding> {
    open_unchanged(&config.database_url).map_err(|cause| {
        let remedy = if shown_url(&config.database_url).starts_with("sqlite:") {
            "Set DATABASE_URL or POSTERN_VAR_DIR to those of the shop. A new shop gets its database by `postern init` or `postern migrate`."
        } else {
            "Start PostgreSQL, and check host, user, password and database name in DATABASE_URL."
        };
        Finding::fault(CHECK, format!("{} cannot be opened: {cause}", shown_url(&config.database_url)), remedy)
    })
}

/// Whether the tables are those of this program. Without them, nothing else can be read.
pub fn schema(conn: &mut Conn) -> Result<(bool, Vec<Finding>), AppError> {
    const CHECK: &str = "migrations";
    let (is_current, finding) = match schema_of(conn)? {
        Schema::Current(count) => (true, Finding::ok(CHECK, format!("all {count} are done"))),
        Schema::Empty => {
            let remedy = "Run `postern init` for a new shop, or `postern migrate`. For a shop that was open before, set DATABASE_URL to its database.";
            (false, Finding::fault(CHECK, "the database has no tables", remedy))
        }
        Schema::Pending(count) => {
            let remedy =
                "Back up the database, then run `postern migrate`, or start `postern serve`, which does so too.";
            (
                false,
                Finding::fault(CHECK, format!("{count} are missing: the program is newer than the database"), remedy),
            )
        }
        Schema::Newer(version) => {
            let remedy = "Install the newer version of Postern, or restore a backup from before it was started.";
            let found =
                format!("the database has the schema {version} of a newer version than {}", env!("CARGO_PKG_VERSION"));
            (false, Finding::fault(CHECK, found, remedy))
        }
    };
    Ok((is_current, vec![finding]))
}

/// The server or file, its version, and how safely it stores. `now` is this machine's clock.
pub fn server(conn: &mut Conn, config: &Config, now: impl Fn() -> NaiveDateTime) -> Result<Vec<Finding>, AppError> {
    let before = now();
    let Some(facts) = postgres_facts(conn)? else { return sqlite(conn, config) };
    let halfway = before + (now() - before) / 2;
    let url = shown_url(&config.database_url);
    let mut found = vec![version(&facts, &url)];
    found.extend(durability(&facts));
    found.extend(connections(&facts, config.database_pool));
    found.extend(clock(facts.now - halfway));
    Ok(found)
}

fn version(facts: &PostgresFacts, url: &str) -> Finding {
    let (major, minor) = (facts.version / 10_000, facts.version % 10_000);
    let found = format!("{url} runs PostgreSQL {major}.{minor}");
    if major < OLDEST_POSTGRES {
        let remedy = format!("Upgrade PostgreSQL to version {OLDEST_POSTGRES} or later.");
        return Finding::fault(CHECK, found, remedy);
    }
    Finding::ok(CHECK, found)
}

/// Whether a power cut may take what customers were told is paid.
fn durability(facts: &PostgresFacts) -> Vec<Finding> {
    const CHECK: &str = "durability";
    let settings = [("fsync", &facts.fsync), ("synchronous_commit", &facts.synchronous_commit)];
    let off = settings.iter().filter(|(_, value)| *value == "off");
    let mut found: Vec<Finding> = off
        .map(|(name, _)| {
            let found = format!("PostgreSQL's {name} is off: a power cut loses payments that customers have made");
            let remedy = format!(
                "Set {name} to on in postgresql.conf, or run `ALTER SYSTEM SET {name} = on` and `SELECT pg_reload_conf()`; look for it at the database and its user, too."
            );
            Finding::fault(CHECK, found, remedy)
        })
        .collect();
    if found.is_empty() {
        found.push(Finding::ok(CHECK, "PostgreSQL keeps what it has confirmed"));
    }
    found
}

fn connections(facts: &PostgresFacts, pool: u32) -> Vec<Finding> {
    const CHECK: &str = "connections";
    let left = facts.most_connections - facts.other_connections;
    if left < i64::from(pool) {
        let found = format!("PostgreSQL has {left} left for this database, fewer than the pool of {pool}");
        let remedy = "Lower POSTERN_DATABASE_POOL, or raise max_connections in postgresql.conf.";
        return vec![Finding::warning(CHECK, found, remedy)];
    }
    vec![Finding::ok(CHECK, format!("{left} for this database, of which a server may open {pool}"))]
}

fn clock(difference: TimeDelta) -> Vec<Finding> {
    const CHECK: &str = "clock";
    let seconds = difference.abs().num_milliseconds() as f64 / 1_000.0;
    let side = if difference < TimeDelta::zero() { "behind" } else { "ahead of" };
    let found = format!("the database's clock is {seconds:.1} s {side} this machine's");
    let remedy = "Synchronise the clocks of both machines, such as with `timedatectl set-ntp true`.";
    vec![Finding::of(severity_of_clock(difference), CHECK, found, remedy)]
}

fn severity_of_clock(difference: TimeDelta) -> Severity {
    match difference.abs() {
        apart if apart > CLOCK_FAULT => Severity::Fault,
        apart if apart > CLOCK_WARNING => Severity::Warning,
        _ => Severity::Ok,
    }
}

fn sqlite(conn: &mut Conn, config: &Config) -> Result<Vec<Finding>, AppError> {
    let SqliteFacts { version, has_wal, damages } = sqlite_facts(conn, &config.database_url)?;
    let url = shown_url(&config.database_url);
    let mut found: Vec<Finding> =
        version.iter().map(|version| Finding::ok(CHECK, format!("{url} is a file of SQLite {version}"))).collect();
    if config.environment == Environment::Production {
        let said = "production runs on SQLite, a file on this machine: other servers cannot share it";
        found.push(Finding::warning(CHECK, said, "Set DATABASE_URL if you meant PostgreSQL."));
    }
    found.push(if damages.is_empty() {
        Finding::ok("database file", "is intact")
    } else {
        let remedy = "Stop the server, keep a copy of the file with its -wal, and restore the database from a backup; see `postern ledger verify`.";
        Finding::fault("database file", format!("is damaged: {}", first_of(&damages, 3)), remedy)
    });
    match has_wal {
        None => {}
        Some(true) => found.push(Finding::ok("journal mode", "is wal")),
        Some(false) => {
            let said = "is not wal: readers wait for writers";
            let remedy =
                "Start `postern serve`, which sets it; if it stays, move the file to a local disk (POSTERN_VAR_DIR).";
            found.push(Finding::warning("journal mode", said, remedy));
        }
    }
    found.push(Finding::ok("clock", "the database has this machine's"));
    Ok(found)
}

/// Whether the secret key opens what is encrypted in the database.
pub fn key(conn: &mut Conn, config: &Config) -> Result<Vec<Finding>, AppError> {
    const CHECK: &str = "secret key";
    let key = match given(config) {
        Ok(key) => key,
        Err(error) => {
            let remedy = "Restore secret.key in POSTERN_VAR_DIR from a backup, or set POSTERN_SECRET_KEY. If the key is lost, see `postern secret-key replace`.";
            return Ok(vec![Finding::fault(CHECK, format!("{error:#}"), remedy)]);
        }
    };
    let remedy = "Restore the shop's secret.key in POSTERN_VAR_DIR, or set POSTERN_SECRET_KEY. If the key is lost, run `postern secret-key replace`.";
    Ok(vec![match (given_fits(conn, key.as_ref())?, key.is_some()) {
        (Some(true), _) => Finding::ok(CHECK, "fits the database"),
        (Some(false), true) => Finding::fault(CHECK, "is not that of the database", remedy),
        (Some(false), false) => Finding::fault(CHECK, "is missing, and the database has one", remedy),
        (None, _) => Finding::ok(CHECK, "the database has nothing encrypted yet"),
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> PostgresFacts {
        PostgresFacts {
            version: 160_004,
            fsync: "on".to_owned(),
            synchronous_commit: "on".to_owned(),
            most_connections: 97,
            other_connections: 10,
            now: NaiveDateTime::default(),
        }
    }

    #[test]
    fn an_old_postgresql_is_a_fault() {
        assert_eq!(version(&facts(), "postgres://db/shop").severity, Severity::Ok);
        let old = version(&PostgresFacts { version: 130_022, ..facts() }, "postgres://db/shop");
        assert_eq!(old.severity, Severity::Fault);
        assert!(old.found.contains("PostgreSQL 13.22") && old.remedy.contains("version 14"), "{old:?}");
    }

    #[test]
    fn each_setting_that_risks_payments_is_a_fault() {
        let off = || "off".to_owned();
        assert_eq!(durability(&facts())[0].severity, Severity::Ok);
        let found = durability(&PostgresFacts { fsync: off(), synchronous_commit: off(), ..facts() });
        assert!(found.len() == 2 && found.iter().all(|finding| finding.severity == Severity::Fault), "{found:?}");
        let local = PostgresFacts { synchronous_commit: "local".to_owned(), ..facts() };
        assert_eq!(durability(&local)[0].severity, Severity::Ok);
    }

    #[test]
    fn a_pool_that_others_leave_no_room_for_is_a_warning() {
        for (pool, severity) in [(87, Severity::Ok), (88, Severity::Warning)] {
            assert_eq!(connections(&facts(), pool)[0].severity, severity, "{pool}");
        }
    }

    #[test]
    fn clocks_may_differ_by_two_seconds() {
        for (milliseconds, severity) in [
            (0, Severity::Ok),
            (-2_000, Severity::Ok),
            (2_001, Severity::Warning),
            (-30_000, Severity::Warning),
            (30_001, Severity::Fault),
        ] {
            assert_eq!(severity_of_clock(TimeDelta::milliseconds(milliseconds)), severity, "{milliseconds}");
        }
    }
}
