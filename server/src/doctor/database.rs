//! The database: whether it can be opened, fits this program, keeps what it is told, and has the same clock and key.
use crate::config::{Config, Environment};
use crate::db::{
    Conn, PostgresFacts, Schema, SqliteFacts, open_unchanged, postgres_facts, schema_of, shown_url, sqlite_facts,
};
use crate::doctor::finding::{Finding, first_of};
use crate::error::AppError;
use crate::settings::secret_key::{given, given_fits};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::diagnosis::{Diagnosis, Severity, ShopCheck};

const CHECK: ShopCheck = ShopCheck::Database;
const OLDEST_POSTGRES: i64 = 14;
const CLOCK_WARNING: TimeDelta = TimeDelta::seconds(2);
const CLOCK_FAULT: TimeDelta = TimeDelta::seconds(30);

/// A connection that can only read, or the fault.
pub fn open(config: &Config) -> Result<Conn, Finding> {
    open_unchanged(&config.database_url).map_err(|cause| {
        let url = shown_url(&config.database_url);
        let is_file = url.starts_with("sqlite:");
        let diagnosis = if is_file { Diagnosis::DatabaseFileClosed } else { Diagnosis::DatabaseClosed };
        Finding::fault(CHECK, diagnosis).with("Url", url).with("Cause", cause)
    })
}

/// Whether the tables are those of this program. Without them, nothing else can be read.
pub fn schema(conn: &mut Conn) -> Result<(bool, Vec<Finding>), AppError> {
    const CHECK: ShopCheck = ShopCheck::Migrations;
    let (is_current, finding) = match schema_of(conn)? {
        Schema::Current(count) => (true, Finding::ok(CHECK, Diagnosis::MigrationsDone).with("Count", count)),
        Schema::Empty => (false, Finding::fault(CHECK, Diagnosis::TablesMissing)),
        Schema::Pending(count) => (false, Finding::fault(CHECK, Diagnosis::MigrationsMissing).with("Count", count)),
        Schema::Newer(schema) => {
            let newer = Finding::fault(CHECK, Diagnosis::SchemaNewer).with("Schema", schema);
            (false, newer.with("Version", env!("CARGO_PKG_VERSION")))
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
    let found = if major < OLDEST_POSTGRES {
        Finding::fault(CHECK, Diagnosis::PostgresOld).with("Oldest", OLDEST_POSTGRES)
    } else {
        Finding::ok(CHECK, Diagnosis::PostgresVersion)
    };
    found.with("Url", url).with("Version", format!("{major}.{minor}"))
}

/// Whether a power cut may take what customers were told is paid.
fn durability(facts: &PostgresFacts) -> Vec<Finding> {
    const CHECK: ShopCheck = ShopCheck::Durability;
    let settings = [("fsync", &facts.fsync), ("synchronous_commit", &facts.synchronous_commit)];
    let off = settings.iter().filter(|(_, value)| *value == "off");
    let mut found: Vec<Finding> =
        off.map(|(name, _)| Finding::fault(CHECK, Diagnosis::DurabilityOff).with("Name", name)).collect();
    if found.is_empty() {
        found.push(Finding::ok(CHECK, Diagnosis::Durable));
    }
    found
}

fn connections(facts: &PostgresFacts, pool: u32) -> Vec<Finding> {
    const CHECK: ShopCheck = ShopCheck::Connections;
    let left = facts.most_connections - facts.other_connections;
    let found = if left < i64::from(pool) {
        Finding::warning(CHECK, Diagnosis::ConnectionsFew)
    } else {
        Finding::ok(CHECK, Diagnosis::ConnectionsEnough)
    };
    vec![found.with("Left", left).with("Pool", pool)]
}

fn clock(difference: TimeDelta) -> Vec<Finding> {
    let is_behind = difference < TimeDelta::zero();
    let diagnosis = if is_behind { Diagnosis::ClockBehind } else { Diagnosis::ClockAhead };
    let found = Finding::of(severity_of_clock(difference), ShopCheck::Clock, diagnosis);
    vec![found.with("Seconds", format!("{:.1}", difference.abs().num_milliseconds() as f64 / 1_000.0))]
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
    let file = |version| Finding::ok(CHECK, Diagnosis::SqliteVersion).with("Url", &url).with("Version", version);
    let mut found: Vec<Finding> = version.iter().map(file).collect();
    if config.environment == Environment::Production {
        found.push(Finding::warning(CHECK, Diagnosis::SqliteInProduction));
    }
    found.push(if damages.is_empty() {
        Finding::ok(ShopCheck::DatabaseFile, Diagnosis::DatabaseFileIntact)
    } else {
        let damaged = Finding::fault(ShopCheck::DatabaseFile, Diagnosis::DatabaseFileDamaged);
        damaged.with("Damages", first_of(&damages, 3))
    });
    match has_wal {
        None => {}
        Some(true) => found.push(Finding::ok(ShopCheck::JournalMode, Diagnosis::JournalWal)),
        Some(false) => found.push(Finding::warning(ShopCheck::JournalMode, Diagnosis::JournalNotWal)),
    }
    found.push(Finding::ok(ShopCheck::Clock, Diagnosis::ClockShared));
    Ok(found)
}

/// Whether the secret key opens what is encrypted in the database.
pub fn key(conn: &mut Conn, config: &Config) -> Result<Vec<Finding>, AppError> {
    const CHECK: ShopCheck = ShopCheck::SecretKey;
    let key = match given(config) {
        Ok(key) => key,
        Err(error) => {
            return Ok(vec![Finding::fault(CHECK, Diagnosis::KeyUnreadable).with("Cause", format!("{error:#}"))]);
        }
    };
    Ok(vec![match (given_fits(conn, key.as_ref())?, key.is_some()) {
        (Some(true), _) => Finding::ok(CHECK, Diagnosis::KeyFits),
        (Some(false), true) => Finding::fault(CHECK, Diagnosis::KeyForeign),
        (Some(false), false) => Finding::fault(CHECK, Diagnosis::KeyMissing),
        (None, _) => Finding::ok(CHECK, Diagnosis::NothingEncrypted),
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
        assert!(old.found().contains("PostgreSQL 13.22") && old.remedy().contains("version 14"), "{old:?}");
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
