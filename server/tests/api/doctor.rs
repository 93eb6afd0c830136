//! `postern doctor`: every fault is made here, and found by its name with its remedy; a healthy shop has none.
use crate::carriers::Carrier;
use crate::mail_server::{MailServer, refuses_passwords};
use crate::shop::Shop;
use crate::shop::ports::reserved;
use crate::two_factor::turn_on;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::connection::SimpleConnection;
use postern_core::diagnosis::Severity;
use postern_core::ledger::AlarmKind;
use postern_server::alarms;
use postern_server::clock::Clock;
use postern_server::db::prelude::*;
use postern_server::doctor::examine;
use postern_server::doctor::finding::Finding;
use postern_server::proxy_servers::health::watch_servers;
use postern_server::schema::{accounts, shop_settings};
use postern_server::system::backups::{self, Written};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

const BEAT: &str =
    r#"{"Version":"postern-gate 1","OpenConnections":3,"Attempts":40,"Failures":1,"ConnectMilliseconds":20}"#;
const WEBHOOK_SECRET: &str = "whsec_hunter-2";
const STRIPE_KEY: &str = "sk_live_hunter-3";

/// A shop in production that lacks nothing, with the settings of its server.
struct Patient {
    shop: Shop,
    settings: HashMap<String, String>,
    mail_server: MailServer,
}

fn backup_of(began_at: NaiveDateTime) -> Written {
    Written { began_at, took_ms: 1, bytes: 1, is_encrypted: false, file_name: "postern.tar".to_owned() }
}

impl Patient {
    async fn healthy() -> Patient {
        let shop = Shop::open();
        shop.stock("US", "new-york", 1);
        let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
        assert_eq!(carrier.post("heartbeat", BEAT.to_owned()).await.0, 200);
        shop.run_jobs().await;
        shop.app.db.write_blocking(|conn| backups::record(conn, &backup_of(shop.app.clock.now()))).expect("a backup");
        demote_all(&shop);
        turn_on(&shop, &shop.operator()).await;
        let mail_server = MailServer::open();
        let config = &shop.app.config;
        let web = config.var_dir.join("web");
        std::fs::create_dir_all(&web).expect("a folder");
        std::fs::write(web.join("index.html"), "<!doctype html>").expect("a page");
        let settings = [
            ("POSTERN_ENV", "production"),
            ("DATABASE_URL", &config.database_url),
            ("POSTERN_VAR_DIR", &config.var_dir.display().to_string()),
            ("POSTERN_LOCALES_DIR", &config.locales_dir.display().to_string()),
            ("POSTERN_FONTS_DIR", &config.fonts_dir.display().to_string()),
            ("POSTERN_WEB_DIR", &web.display().to_string()),
            ("POSTERN_PUBLIC_URL", &shop.url),
            ("POSTERN_SHOP_NAME", "Northlight"),
            ("POSTERN_HELP_CENTER_URL", "https://northlight.io/help"),
            ("POSTERN_SUPPORT_EMAIL", "help@northlight.io"),
            ("POSTERN_SELLER_ADDRESS", "1 Harbour Road|Cork"),
            ("POSTERN_SMTP_URL", &mail_server.url),
            ("POSTERN_MAIL_FROM", "Northlight <noreply@northlight.io>"),
            ("POSTERN_STRIPE_SECRET_KEY", STRIPE_KEY),
            ("POSTERN_STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET),
        ];
        let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        Patient { shop, settings, mail_server }
    }

    fn with(&self, changes: &[(&str, &str)]) -> HashMap<String, String> {
        let mut settings = self.settings.clone();
        settings.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        settings
    }

    fn examined(&self, changes: &[(&str, &str)]) -> Vec<Finding> {
        examine(&self.with(changes), &Clock::default(), None)
    }

    /// Asserts that the shop with these settings has this finding, and that it is a fault with this remedy.
    fn has_fault(&self, changes: &[(&str, &str)], check: &str, found: &str, remedy: &str) {
        has(Severity::Fault, &self.examined(changes), check, found, remedy);
    }

    fn has_warning(&self, changes: &[(&str, &str)], check: &str, found: &str, remedy: &str) {
        has(Severity::Warning, &self.examined(changes), check, found, remedy);
    }

    fn runs(&self, sql: &str) {
        self.shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(sql)?)).expect("SQL");
    }

    fn is_on_sqlite(&self) -> bool {
        self.shop.app.config.database_url.starts_with("sqlite")
    }
}

fn has(severity: Severity, findings: &[Finding], check: &str, found: &str, remedy: &str) {
    let is_it = |finding: &&Finding| {
        finding.severity == severity && finding.examined() == check && finding.found().contains(found)
    };
    let finding = findings.iter().find(is_it);
    let finding = finding.unwrap_or_else(|| panic!("no {severity:?} about {check} with `{found}`: {findings:#?}"));
    assert!(finding.remedy().contains(remedy), "{check}: {finding:?}");
    assert_eq!(finding.remedy().ends_with('.'), severity != Severity::Ok, "a remedy is a sentence: {finding:?}");
}

/// The faults, but those of the PostgreSQL server of the tests: it may run without fsync, to be faster, and doctor says so.
fn faults(findings: &[Finding]) -> Vec<&Finding> {
    let is_of_tests =
        |finding: &&Finding| finding.examined() == "durability" && finding.found().contains("fsync is off");
    findings.iter().filter(|finding| finding.severity == Severity::Fault).filter(|one| !is_of_tests(one)).collect()
}

fn demote_all(shop: &Shop) {
    let customer = postern_core::permission::Level::Customer;
    let all = diesel::update(accounts::table).set(accounts::level.eq(customer));
    shop.app.db.write_blocking(|conn| Ok(all.clone().execute(conn)?)).expect("demoted");
}

#[actix_web::test]
async fn a_healthy_shop_has_no_fault() {
    let patient = Patient::healthy().await;
    let found = patient.examined(&[]);
    assert!(faults(&found).is_empty(), "{:#?}", faults(&found));
    let warned: Vec<_> = found.iter().filter(|one| one.severity == Severity::Warning).map(Finding::examined).collect();
    // The public URL of a test is loopback; SQLite in production is seldom meant.
    let expected: &[&str] = if patient.is_on_sqlite() { &["public URL", "database"] } else { &["public URL"] };
    assert_eq!(warned, expected, "{found:#?}");
    for check in
        ["settings", "shared settings", "example values", "data folder", "disk space", "front end", "texts", "fonts"]
    {
        has(Severity::Ok, &found, check, "", "");
    }
    for check in ["database", "migrations", "clock", "secret key", "operators", "second factors", "prices", "stock"] {
        assert!(found.iter().any(|one| one.examined() == check), "{check}");
    }
    for check in ["payments", "public address", "mail server", "mail queue", "proxy servers", "jobs", "alarms"] {
        has(Severity::Ok, &found, check, "", "");
    }
}

#[actix_web::test]
async fn wrong_settings_are_faults_and_the_other_checks_continue() {
    let patient = Patient::healthy().await;
    patient.has_fault(&[("POSTERN_ENV", "prod")], "settings", "POSTERN_ENV is `prod`", "Correct POSTERN_ENV");
    let mut unset = patient.settings.clone();
    unset.remove("POSTERN_PUBLIC_URL");
    let found = examine(&unset, &Clock::default(), None);
    has(
        Severity::Fault,
        &found,
        "settings",
        "POSTERN_PUBLIC_URL is required in production",
        "Correct POSTERN_PUBLIC_URL",
    );
    has(Severity::Ok, &found, "secret key", "fits", "");
    patient.has_fault(
        &[("POSTERN_STRIPE_WEBHOOK_SECRET", "")],
        "settings",
        "must be set together",
        "Set POSTERN_STRIPE_WEBHOOK_SECRET to the signing secret",
    );
    patient.has_fault(&[("DATABASE_URL", " ")], "settings", "DATABASE_URL is empty", "Correct DATABASE_URL");
    let both = patient.examined(&[("PORT", "no"), ("POSTERN_TRUSTED_PROXIES", "nonsense")]);
    assert_eq!(faults(&both).len(), 2, "{both:#?}");
    patient.has_fault(
        &[("POSTERN_PUBLIC_URL", "http://shop.northlight.invalid")],
        "public URL",
        "has no TLS",
        "Set POSTERN_PUBLIC_URL to the https:// address",
    );
    let shops = (shop_settings::name.eq("POSTERN_SELLER_NAME"), shop_settings::value.eq("Northlight Ltd"));
    let stored = |conn: &mut postern_server::db::Conn| {
        Ok(diesel::insert_into(shop_settings::table).values(shops).execute(conn)?)
    };
    patient.shop.app.db.write_blocking(stored).expect("a setting of the shop");
    patient.has_fault(
        &[("POSTERN_SELLER_NAME", "Southlight")],
        "shared settings",
        "POSTERN_SELLER_NAME is `Southlight`, but the shop's is `Northlight Ltd`",
        "Unset POSTERN_SELLER_NAME to use the shop's value, or change the shop's with `postern settings adopt`",
    );
    has(Severity::Ok, &patient.examined(&[]), "seller", "Northlight Ltd", "");
}

#[actix_web::test]
async fn example_values_are_faults_where_mails_are_lost() {
    let patient = Patient::healthy().await;
    for (name, example) in
        [("POSTERN_SUPPORT_EMAIL", "support@example.com"), ("POSTERN_MAIL_FROM", "noreply@localhost")]
    {
        patient.has_fault(&[(name, "")], "example values", example, &format!("Set {name} to"));
    }
    let public = [("POSTERN_PUBLIC_URL", "https://shop.example")];
    patient.has_fault(&public, "example values", "https://shop.example", "Set POSTERN_PUBLIC_URL");
    patient.has_warning(&public, "trusted proxies", "none is trusted", "Set POSTERN_TRUSTED_PROXIES");
    let help = [("POSTERN_HELP_CENTER_URL", "")];
    patient.has_warning(&help, "example values", "https://example.com/faq", "Set POSTERN_HELP_CENTER_URL");
    patient.has_warning(&[("POSTERN_SHOP_NAME", "")], "example values", "`Postern`", "Set POSTERN_SHOP_NAME");
    patient.has_warning(&[("POSTERN_SELLER_ADDRESS", "")], "seller", "no address", "POSTERN_SELLER_ADDRESS");
}

#[actix_web::test]
async fn a_shop_without_a_backup_of_the_last_days_is_warned() {
    let patient = Patient::healthy().await;
    has(Severity::Ok, &patient.examined(&[]), "backups", "the last one is of", "");
    patient.runs("UPDATE backups SET began_at = '2026-01-02 03:04:05'");
    patient.has_warning(&[], "backups", "2026-01-02 03:04:05", "postern backup FOLDER");
    patient.runs("DELETE FROM backups");
    patient.has_warning(&[], "backups", "there is none", "postern backup FOLDER");
}

#[actix_web::test]
async fn missing_and_open_files_are_faults() {
    let patient = Patient::healthy().await;
    for (setting, check, found) in [
        ("POSTERN_WEB_DIR", "front end", "has no index.html"),
        ("POSTERN_LOCALES_DIR", "texts", "/nowhere"),
        ("POSTERN_FONTS_DIR", "fonts", "/nowhere"),
        ("POSTERN_LOGO_FILE", "logo", "/nowhere"),
        ("POSTERN_GEOIP_FILE", "locations", "/nowhere"),
        ("POSTERN_VAR_DIR", "data folder", "/nowhere is not a folder"),
    ] {
        patient.has_fault(&[(setting, "/nowhere")], check, found, setting);
    }
    assert!(!PathBuf::from("/nowhere").exists(), "nothing is made");
    patient.has_fault(&[("POSTERN_VAR_DIR", "/nowhere")], "secret key", "is missing", "secret.key");
    let folder = &patient.shop.app.config.var_dir;
    let permit =
        |path: &PathBuf, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("a mode");
    let key = folder.join("secret.key");
    permit(&key, 0o640);
    patient.has_fault(&[], "private files", "secret.key can be read by other users", "chmod 600");
    permit(&key, 0o600);
    permit(folder, 0o755);
    patient.has_warning(&[], "data folder", "is open to other users", "chmod 700");
    assert_eq!(
        std::fs::metadata(folder).expect("the folder").permissions().mode() & 0o777,
        0o755,
        "nothing is changed"
    );
}

#[actix_web::test]
async fn a_database_that_is_away_foreign_old_or_new_is_a_fault() {
    let patient = Patient::healthy().await;
    let folder = &patient.shop.app.config.var_dir;
    let missing = format!("sqlite:{}", folder.join("missing.db").display());
    patient.has_fault(&[("DATABASE_URL", &missing)], "database", "there is no file", "Set DATABASE_URL");
    assert!(!folder.join("missing.db").exists(), "nothing is made");
    let away = format!("postgres://ann:s3cret-word@{}/shop", reserved());
    let found = patient.examined(&[("DATABASE_URL", &away)]);
    has(Severity::Fault, &found, "database", "refused", "Start PostgreSQL");
    has(Severity::Ok, &found, "mail server", "connects", "");
    assert!(!format!("{found:?}").contains("s3cret-word"), "{found:#?}");
    let empty = folder.join("empty.db");
    std::fs::write(&empty, "").expect("a file");
    let empty = format!("sqlite:{}", empty.display());
    patient.has_fault(&[("DATABASE_URL", &empty)], "migrations", "has no tables", "postern migrate");
    let last = "SELECT max(version) FROM __diesel_schema_migrations";
    patient.runs("INSERT INTO __diesel_schema_migrations (version) VALUES ('9901')");
    patient.has_fault(&[], "migrations", "9901", "Install the newer version");
    patient.runs("DELETE FROM __diesel_schema_migrations WHERE version = '9901'");
    patient.runs(&format!("DELETE FROM __diesel_schema_migrations WHERE version = ({last})"));
    patient.has_fault(&[], "migrations", "1 are missing", "postern migrate");
    patient.has_fault(&[], "migrations", "1 are missing", "Back up the database");
}

#[actix_web::test]
async fn a_database_that_risks_payments_or_has_another_clock_is_a_fault() {
    let patient = Patient::healthy().await;
    if patient.is_on_sqlite() {
        let damaged = patient.shop.app.config.var_dir.join("damaged.db");
        let copy = format!("VACUUM INTO '{}'", damaged.display());
        patient.shop.app.db.read_blocking(|conn| Ok(conn.batch_execute(&copy)?)).expect("a copy");
        let url = format!("sqlite:{}", damaged.display());
        patient.has_warning(&[("DATABASE_URL", &url)], "journal mode", "is not wal", "postern serve");
        let mut bytes = std::fs::read(&damaged).expect("the copy");
        let middle = bytes.len() / 2;
        bytes[middle..].fill(7);
        std::fs::write(&damaged, bytes).expect("a damaged file");
        let found = patient.examined(&[("DATABASE_URL", &url)]);
        has(Severity::Fault, &found, "database file", "is damaged", "restore the database from a backup");
        return;
    }
    let ahead = Clock::default();
    ahead.advance(TimeDelta::seconds(-60));
    let found = examine(&patient.settings, &ahead, None);
    has(Severity::Fault, &found, "clock", " s ahead of this machine's", "Synchronise the clocks");
    let url = &patient.shop.app.config.database_url;
    let name = url.rsplit('/').next().and_then(|end| end.split('?').next()).expect("a name");
    patient.runs(&format!("ALTER DATABASE {name} SET synchronous_commit = off"));
    patient.has_fault(&[], "durability", "synchronous_commit is off", "ALTER SYSTEM SET synchronous_commit = on");
    patient.has_warning(&[("POSTERN_DATABASE_POOL", "1000")], "connections", "fewer", "Lower POSTERN_DATABASE_POOL");
}

#[actix_web::test]
async fn a_wrong_or_unreadable_key_is_a_fault() {
    let patient = Patient::healthy().await;
    let other = "5a".repeat(32);
    let found = patient.examined(&[("POSTERN_SECRET_KEY", &other)]);
    has(Severity::Fault, &found, "secret key", "is not that of the database", "postern secret-key replace");
    assert!(!format!("{found:?}").contains(&other), "{found:#?}");
    patient.has_fault(&[("POSTERN_SECRET_KEY", "5a")], "settings", "64 hexadecimal digits", "POSTERN_SECRET_KEY");
    std::fs::write(patient.shop.app.config.var_dir.join("secret.key"), "hunter2").expect("a file");
    patient.has_fault(&[], "secret key", "is not a key of 64 hexadecimal digits", "Restore secret.key");
}

#[actix_web::test]
async fn a_shop_without_operator_prices_or_payments_is_at_fault() {
    let patient = Patient::healthy().await;
    let none = [("POSTERN_STRIPE_SECRET_KEY", ""), ("POSTERN_STRIPE_WEBHOOK_SECRET", "")];
    patient.has_fault(&none, "payments", "there is no way to pay", "POSTERN_TRANSFER_DETAILS");
    let test = [("POSTERN_STRIPE_SECRET_KEY", "sk_test_hunter-4")];
    patient.has_fault(&test, "payments", "test mode", "Set POSTERN_STRIPE_SECRET_KEY to the live key");
    let elsewhere = [("POSTERN_STRIPE_API_URL", "https://stripe.northlight.io")];
    patient.has_warning(&elsewhere, "payments", "stripe.northlight.io", "Unset POSTERN_STRIPE_API_URL");
    patient.shop.operator();
    patient.has_warning(&[], "second factors", "off for ", "two-factor authentication");
    demote_all(&patient.shop);
    patient.has_fault(&[], "operators", "no account is an operator", "postern account level ADDRESS operator");
    patient.runs("UPDATE proxy_servers SET removed_at = created_at");
    patient.has_warning(&[], "stock", "it cannot be ordered", "--kind residential");
    patient.runs("DELETE FROM nodes; DELETE FROM tiers; DELETE FROM traffic_steps");
    patient.has_fault(&[], "prices", "nothing is on sale", "postern prices sell-tier");
    patient.has_warning(&[], "stock", "no node is for sale", "postern inventory import");
    patient.runs("INSERT INTO demo_data (id, seeded_at) VALUES (1, '2026-01-01')");
    patient.has_fault(&[], "demo data", "has demo accounts", "Set DATABASE_URL or POSTERN_VAR_DIR");
}

#[actix_web::test]
async fn mails_that_cannot_be_sent_are_faults() {
    let patient = Patient::healthy().await;
    patient.has_fault(&[("POSTERN_SMTP_URL", "")], "mail server", "none is set", "Set POSTERN_SMTP_URL");
    let closed = format!("smtp://{}", reserved());
    patient.has_fault(&[("POSTERN_SMTP_URL", &closed)], "mail server", "refused", "Check scheme, host, port");
    let strict = format!("smtp://ann:s3cret-smtp@{}", refuses_passwords());
    let found = patient.examined(&[("POSTERN_SMTP_URL", &strict)]);
    has(Severity::Fault, &found, "mail server", "wrong password …", "user and password in POSTERN_SMTP_URL");
    assert!(!format!("{found:?}").contains("s3cret-smtp"), "{found:#?}");

    let before = patient.mail_server.count();
    let asked = |changes: &[(&str, &str)], address| examine(&patient.with(changes), &Clock::default(), Some(address));
    has(
        Severity::Fault,
        &asked(&[("POSTERN_SMTP_URL", "")], "a@northlight.io"),
        "test mail",
        "was not sent",
        "POSTERN_SMTP_URL",
    );
    has(Severity::Fault, &asked(&[], "nobody"), "test mail", "was not sent to nobody", "Check the address");
    assert_eq!(patient.mail_server.count(), before, "nothing was sent so far");
    has(Severity::Ok, &asked(&[], "ann@northlight.io"), "test mail", "one was sent to ann@northlight.io", "");
    assert_eq!(patient.mail_server.count(), before + 1);
    assert!(patient.mail_server.last().contains("postern doctor"), "{}", patient.mail_server.last());
}

#[actix_web::test]
async fn mails_that_wait_or_were_given_up_are_warnings() {
    let patient = Patient::healthy().await;
    let customer = patient.shop.customer(0);
    patient.shop.send("User/RequestPasswordReset", serde_json::json!({ "Email": customer.email }), &[]).await;
    patient.shop.run_jobs().await;
    patient.runs("UPDATE mails SET state = 'queued', attempts = 3");
    has(Severity::Ok, &patient.examined(&[]), "mail queue", "no mail is late", "");
    let later = Clock::default();
    later.advance(TimeDelta::hours(2));
    let found = examine(&patient.settings, &later, None);
    has(Severity::Warning, &found, "mail queue", " waiting, the oldest since ", "a mail could not be sent");
    assert!(found.iter().any(|one| one.found().ends_with("after up to 3 attempts")), "{found:#?}");
    patient.runs("UPDATE mails SET state = 'failed'");
    let found = examine(&patient.settings, &later, None);
    has(Severity::Warning, &found, "mail queue", "of the last 7 days given up", "the server's log");
}

#[actix_web::test]
async fn a_public_url_without_the_shop_behind_it_is_a_fault_and_in_development_a_warning() {
    let patient = Patient::healthy().await;
    let url = |scheme: &str, address: SocketAddr| format!("{scheme}://{address}");
    let closed = url("http", reserved());
    let at = |url: &str| [("POSTERN_PUBLIC_URL", url)].map(|(name, url)| (name, url.to_owned()));
    let fault = |address: &str, found: &str, remedy: &str| {
        let [(name, value)] = at(address);
        patient.has_fault(&[(name, &value)], "public address", found, remedy);
    };
    fault(&closed, "does not answer from this machine: Connection refused", "Start `postern serve`");
    fault(&patient.shop.url.replace("http://", "https://"), "has no valid TLS", "a certificate for the host");
    fault(&format!("{}/shop", patient.shop.url), "answers 404", "reverse proxy");
    let development = [("POSTERN_ENV", ""), ("POSTERN_PUBLIC_URL", &closed)];
    patient.has_warning(&development, "public address", "does not answer", "Start `postern serve`");
}

#[actix_web::test]
async fn silent_proxy_servers_resting_jobs_and_alarms_are_faults() {
    let patient = Patient::healthy().await;
    let shop = &patient.shop;
    Carrier::registers(shop, "gate-2", "static").await;
    patient.has_warning(&[], "proxy servers", "gate-2 has never sent a heartbeat", "Start `postern-gate`");
    for _ in 0..4 {
        shop.app.clock.advance(TimeDelta::seconds(20));
        let now = shop.app.clock.now();
        shop.app.db.write_blocking(|conn| watch_servers(conn, now)).expect("watched");
    }
    patient.has_fault(
        &[],
        "proxy servers",
        "gate-1 has not been heard of since",
        "Start `postern-gate` on gate.example",
    );
    patient.has_fault(&[], "alarms", "proxy servers are down: gate-1: not heard of", "See the findings");
    let now = shop.app.clock.now();
    let problems = ["one", "two", "three", "four"].map(str::to_owned);
    let raised = shop.app.db.write_blocking(|conn| {
        alarms::set(conn, AlarmKind::Books, &problems, now)?;
        alarms::set(conn, AlarmKind::ClosedAccounts, &problems[..1], now)
    });
    raised.expect("alarms");
    patient.has_fault(&[], "alarms", "the books do not add up: one, two, three, … (4)", "postern ledger verify");
    patient.has_fault(&[], "alarms", "closed accounts have money: one", "postern account paid-back NAME");
    let later = Clock::default();
    later.advance(TimeDelta::hours(1));
    has(
        Severity::Fault,
        &examine(&patient.settings, &later, None),
        "jobs",
        "have not run since",
        "Start `postern serve`",
    );
    patient.runs("DELETE FROM proxy_server_outages; DELETE FROM proxy_servers; DELETE FROM proxy_server_watch");
    patient.has_warning(&[], "proxy servers", "none is registered", "postern proxy-server add");
    patient.has_fault(&[], "jobs", "have never run", "Start `postern serve`");
}

#[actix_web::test]
async fn the_command_ends_with_one_for_a_fault_and_prints_no_secret() {
    let patient = Patient::healthy().await;
    let run = |settings: &HashMap<String, String>, arguments: &[&str]| {
        let mut postern = std::process::Command::new(env!("CARGO_BIN_EXE_postern"));
        postern.arg("doctor").args(arguments).envs(settings).output().expect("the binary")
    };
    let well = run(&patient.settings, &[]);
    let said = String::from_utf8_lossy(&well.stdout).into_owned();
    // The PostgreSQL server of the tests may run without fsync.
    let is_well = !said.contains("fsync is off");
    assert_eq!(well.status.success(), is_well, "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.ends_with(if is_well { "0 faults" } else { "1 fault" }), "{said}");

    let strict = format!("smtp://ann:s3cret-smtp@{}", refuses_passwords());
    let away = format!("postgres://ann:s3cret-word@{}/shop", reserved());
    let key = "5a".repeat(32);
    let bad = patient.with(&[("POSTERN_SMTP_URL", &strict), ("DATABASE_URL", &away), ("POSTERN_SECRET_KEY", &key)]);
    for arguments in [&[][..], &["--json"], &["--mail-to", "ann@northlight.io"]] {
        let done = run(&bad, arguments);
        assert_eq!(done.status.code(), Some(1));
        let said = [&done.stdout, &done.stderr].map(|text| String::from_utf8_lossy(text)).concat();
        assert!(said.contains("refused") && said.contains("mail server"), "{said}");
        for secret in ["s3cret-smtp", "s3cret-word", &key, STRIPE_KEY, WEBHOOK_SECRET] {
            assert!(!said.contains(secret), "{secret}: {said}");
        }
        if arguments.contains(&"--json") {
            let findings: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
            let fault = findings.as_array().and_then(|all| all.iter().find(|one| one["Check"] == "database"));
            let fault = fault.expect("a finding about the database");
            assert_eq!(fault["Severity"], "fault");
            assert!(fault["Remedy"].as_str().is_some_and(|remedy| remedy.contains("Start PostgreSQL")), "{fault}");
        }
    }
}
