//! What a server says when it starts, and what it refuses.
use crate::shop::{Shop, clients, ports::reserved};
use diesel::connection::SimpleConnection;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Output, Stdio};

/// A server as its own process, with the log from its start.
pub struct Serving {
    process: Child,
    rest: BufReader<std::process::ChildStderr>,
    pub port: u16,
    pub log: String,
}

impl Serving {
    /// Starts one on the shop's database; the result is its log if it refuses.
    pub fn start(shop: &Shop, settings: &[(&str, &str)]) -> Result<Serving, String> {
        let free = reserved();
        let mut command = command(shop, &["serve"]);
        command.env("PORT", free.port().to_string()).envs(settings.iter().copied());
        let mut process = command.stderr(Stdio::piped()).spawn().expect("the binary");
        let mut rest = BufReader::new(process.stderr.take().expect("its log"));
        let mut log = String::new();
        while !log.contains("\"serving\"") {
            if rest.read_line(&mut log).expect("a line") == 0 {
                process.wait().expect("an end");
                return Err(log);
            }
        }
        Ok(Serving { process, rest, port: free.port(), log })
    }

    /// Kills it and returns the rest of its log.
    pub fn end(mut self) -> String {
        let mut rest = String::new();
        self.process.kill().expect("a process to kill");
        self.rest.read_to_string(&mut rest).expect("a log");
        rest
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A command on the shop's database, with the settings of a server in production or development.
pub fn command(shop: &Shop, arguments: &[&str]) -> Command {
    let config = &shop.app.config;
    let mut command = Command::new(env!("CARGO_BIN_EXE_postern"));
    command.env("DATABASE_URL", &config.database_url).env("POSTERN_VAR_DIR", &config.var_dir);
    command.env("POSTERN_LOCALES_DIR", &config.locales_dir).env("POSTERN_FONTS_DIR", &config.fonts_dir).args(arguments);
    command
}

pub fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat()
}

const PRODUCTION: [(&str, &str); 2] = [("POSTERN_ENV", "production"), ("POSTERN_PUBLIC_URL", "https://shop.example")];

#[actix_web::test]
async fn a_schema_of_a_newer_version_is_refused_by_the_server_and_every_command() {
    let shop = Shop::open();
    let newer = "INSERT INTO __diesel_schema_migrations (version) VALUES ('9901')";
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(newer)?)).expect("a migration of tomorrow");
    let refusal = Serving::start(&shop, &[]).err().expect("a refusal");
    let commands: [&[&str]; 6] = [
        &["migrate"],
        &["demo"],
        &["prices", "show"],
        &["ledger", "verify"],
        &["inventory", "export"],
        &["account", "show", "a@example.com"],
    ];
    let refusals = commands.map(|arguments| {
        let done = command(&shop, arguments).output().expect("the binary");
        assert!(!done.status.success(), "{arguments:?}");
        said(&done)
    });
    for said in refusals.iter().chain([&refusal]) {
        for part in ["9901", env!("CARGO_PKG_VERSION"), "newer version"] {
            assert!(said.contains(part), "{said}");
        }
    }
}

#[actix_web::test]
async fn an_empty_database_url_is_an_error() {
    let shop = Shop::open();
    let done = command(&shop, &["migrate"]).env("DATABASE_URL", "").output().expect("the binary");
    assert!(!done.status.success() && said(&done).contains("DATABASE_URL is empty"), "{}", said(&done));
}

#[actix_web::test]
async fn a_server_names_its_database_and_warns_of_what_is_seldom_meant() {
    let shop = Shop::open();
    let log = Serving::start(&shop, &[]).expect("a server").log.clone();
    let is_sqlite = shop.app.config.database_url.starts_with("sqlite:");
    let named = if is_sqlite { &shop.app.config.database_url } else { "\"database\":\"postgres://" };
    assert!(log.contains(named), "{log}");
    assert!(!log.contains("production runs on SQLite") && !log.contains("POSTERN_TRUSTED_PROXIES"), "{log}");
    let log = Serving::start(&shop, &PRODUCTION).expect("a server").log.clone();
    assert_eq!(log.contains("production runs on SQLite"), is_sqlite, "{log}");
    assert!(log.contains("POSTERN_TRUSTED_PROXIES is empty"), "{log}");
    let trusting = [PRODUCTION[0], PRODUCTION[1], ("POSTERN_TRUSTED_PROXIES", "127.0.0.1")];
    let log = Serving::start(&shop, &trusting).expect("a server").log.clone();
    assert!(!log.contains("POSTERN_TRUSTED_PROXIES"), "{log}");
}

#[actix_web::test]
async fn the_first_ignored_forwarded_address_is_said_once() {
    let shop = Shop::open();
    let server = Serving::start(&shop, &[]).expect("a server");
    let client = clients::new();
    for address in ["203.0.113.9", "203.0.113.10"] {
        let url = format!("http://127.0.0.1:{}/health/live", server.port);
        let answer = client.get(url).header("X-Forwarded-For", address).send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
    }
    let log = server.end();
    assert_eq!(log.matches("X-Forwarded-For was ignored").count(), 1, "{log}");
    assert!(log.contains("127.0.0.1"), "{log}");
}
