//! `postern init`: opens a new shop, and does no harm where one is open.
use crate::shop::{PASSWORD, Shop, clients};
use postern_core::audit::AuditAction;
use postern_core::permission::Level;
use postern_server::app::init::setting::Plan;
use postern_server::app::init::{InitArguments, open_shop, plan, settings_file};
use postern_server::app::startup;
use postern_server::config::Config;
use postern_server::db::prelude::*;
use postern_server::schema::{accounts, audit_entries, users};
use postern_server::state::App;
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const OPERATOR: &str = "ann@northlight.io";

/// A folder beside the database of a shop that was never opened.
struct Place {
    shop: Shop,
    folder: PathBuf,
}

impl Place {
    fn new() -> Place {
        let shop = Shop::open();
        let folder = shop.app.config.var_dir.join("init");
        std::fs::create_dir_all(&folder).expect("a folder");
        Place { shop, folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.join("postern.env")
    }

    /// The environment of the command: the database of the test and the files of this version.
    fn environment(&self) -> HashMap<String, String> {
        let config = &self.shop.app.config;
        let is_sqlite = config.database_url.starts_with("sqlite");
        let var_dir = if is_sqlite { self.folder.join("var") } else { config.var_dir.clone() };
        let mut environment = HashMap::from([
            ("POSTERN_VAR_DIR".to_owned(), var_dir.display().to_string()),
            ("POSTERN_LOCALES_DIR".to_owned(), config.locales_dir.display().to_string()),
            ("POSTERN_FONTS_DIR".to_owned(), config.fonts_dir.display().to_string()),
            ("HOME".to_owned(), "/root".to_owned()),
        ]);
        if !is_sqlite {
            environment.insert("DATABASE_URL".to_owned(), config.database_url.clone());
        }
        environment
    }

    fn plan(&self, change: impl FnOnce(&mut InitArguments)) -> Plan {
        let text = |text: &str| Some(text.to_owned());
        let mut arguments = InitArguments {
            shop_name: text("Ann's \"Northlight\" $hop \\ `co`"),
            public_url: text("http://127.0.0.1:9"),
            operator: text(OPERATOR),
            seller_name: text("Northlight Ltd"),
            seller_address: text("1 Harbour Road|Cork"),
            support_email: text("help@northlight.io"),
            smtp_url: text("smtps://ann:s3cret%21@127.0.0.1:9"),
            mail_from: text("Northlight <noreply@northlight.io>"),
            file: self.file(),
            ..InitArguments::default()
        };
        change(&mut arguments);
        plan(&arguments, &self.environment()).expect("a plan")
    }

    /// Runs the binary in the folder, which nobody answers.
    fn runs(&self, arguments: &[&str]) -> Output {
        let mut postern = Command::new(env!("CARGO_BIN_EXE_postern"));
        postern.arg("init").args(arguments).envs(self.environment()).current_dir(&self.folder);
        postern.stdin(std::process::Stdio::null()).output().expect("the binary")
    }
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text)).concat()
}

/// The settings as systemd reads them: its parser of `EnvironmentFile`, for files without continued lines.
fn read_by_systemd(text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        let (name, rest) = line.split_once('=').expect("an assignment");
        let mut value = String::new();
        let mut quote = None;
        let mut rest = rest.chars();
        while let Some(character) = rest.next() {
            match (quote, character) {
                (None, '"' | '\'') => quote = Some(character),
                (Some(open), character) if character == open => quote = None,
                (Some('"'), '\\') => match rest.next().expect("an escaped character") {
                    escaped @ ('"' | '\\' | '`' | '$') => value.push(escaped),
                    other => value.extend(['\\', other]),
                },
                (None, '\\') => value.extend(rest.next()),
                (_, character) => value.push(character),
            }
        }
        assert_eq!(quote, None, "{line}");
        found.insert(name.to_owned(), value);
    }
    found
}

/// The settings as a shell reads them.
fn read_by_sh(file: &Path, names: &[String]) -> BTreeMap<String, String> {
    let script = "set -a; . \"$0\"; set +a; exec env -0";
    let done = Command::new("sh").args(["-c", script]).arg(file).env_clear().env("PATH", "/usr/bin:/bin").output();
    let done = done.expect("a shell");
    assert!(done.status.success(), "{}", said(&done));
    let text = String::from_utf8(done.stdout).expect("text");
    let pairs = text.split('\0').filter_map(|pair| pair.split_once('='));
    let pairs = pairs.filter(|(name, _)| names.iter().any(|known| known == name));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn reset_token(lines: &[String]) -> Option<String> {
    lines.iter().find_map(|line| Some(line.split_once("/password-reset?reset=")?.1.to_owned()))
}

fn served(app: App) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let server = startup::server(app, listener, 1).expect("a server");
        actix_web::rt::System::new().block_on(server)
    });
    url
}

async fn posted(url: &str, call: &str, body: serde_json::Value) -> serde_json::Value {
    let sent = clients::new().post(format!("{url}/api/{call}")).json(&body).send().await;
    sent.expect("an answer").json().await.expect("JSON")
}

#[actix_web::test]
async fn wrong_values_are_refused_all_at_once_and_nothing_is_written() {
    let place = Place::new();
    let mut plan = place.plan(|arguments| {
        arguments.shop_name = Some("North\nlight".to_owned());
        arguments.public_url = Some("northlight.io".to_owned());
        arguments.operator = Some("ann".to_owned());
        arguments.smtp_url = Some("s3cret@nowhere".to_owned());
        arguments.support_email = Some("help".to_owned());
    });
    plan.set("POSTERN_LOCALES_DIR", "/nowhere");
    let refusal = open_shop(&plan).expect_err("a refusal").to_string();
    for part in [
        "nothing was written",
        "POSTERN_LOCALES_DIR: reading the texts in /nowhere",
        "POSTERN_SHOP_NAME has a line break",
        "POSTERN_PUBLIC_URL is `northlight.io`",
        "POSTERN_SMTP_URL is not of the form",
        "POSTERN_SUPPORT_EMAIL is `help`",
        "--operator is `ann`, which is not an e-mail address",
    ] {
        assert!(refusal.contains(part), "{part}: {refusal}");
    }
    assert!(!refusal.contains("s3cret") && !place.file().exists() && !place.folder.join("var").exists());

    // Without a terminal nothing is asked.
    let done = place.runs(&["--shop-name", "Northlight"]);
    assert!(!done.status.success());
    for part in ["POSTERN_PUBLIC_URL is required", "--operator is required"] {
        assert!(said(&done).contains(part), "{}", said(&done));
    }
}

#[actix_web::test]
async fn a_new_shop_is_opened_and_its_operator_chooses_a_password() {
    let place = Place::new();
    let plan = place.plan(|_| ());
    let lines = open_shop(&plan).expect("a shop");
    let text = lines.join("\n");
    assert!(text.contains("was written") && text.contains("Operator: ann@northlight.io was created."), "{text}");
    assert!(text.contains("FAULT  payments") && text.contains("FAULT  public address"), "{text}");
    assert!(!text.contains("FAULT  operators") && !text.contains("FAULT  settings"), "{text}");
    assert!(text.contains("postern serve") && text.contains("postern doctor") && !text.contains("s3cret"), "{text}");

    let file = place.file();
    assert_eq!(std::fs::metadata(&file).expect("the file").permissions().mode() & 0o777, 0o600);
    let written = std::fs::read_to_string(&file).expect("the file");
    let by_systemd = read_by_systemd(&written);
    let names: Vec<String> = by_systemd.keys().cloned().collect();
    assert_eq!(read_by_sh(&file, &names), by_systemd);
    assert_eq!(settings_file::parse(&written).expect("settings"), by_systemd);
    assert_eq!(by_systemd["POSTERN_SHOP_NAME"], "Ann's \"Northlight\" $hop \\ `co`");
    assert_eq!(by_systemd["POSTERN_ENV"], "production");

    // The settings are those of a server, on which the link works once.
    let config = Config::read(&by_systemd.into_iter().collect()).expect("a config");
    let app = postern_server::app::open(config).expect("the shop");
    let url = served(app.clone());
    let token = reset_token(&lines).expect("a link");
    let login = json!({"Email": OPERATOR, "Password": PASSWORD});
    assert_eq!(
        posted(&url, "User/Login", json!({"Email": OPERATOR, "Password": ""})).await["Data"]["Token"],
        json!(null)
    );
    let reset = json!({"ResetToken": token, "Password": PASSWORD});
    assert_eq!(posted(&url, "User/ResetPassword", reset.clone()).await["Code"], 1000);
    assert_eq!(posted(&url, "User/ResetPassword", reset).await["Data"]["Key"], "linkExpired");
    let signed_in = posted(&url, "User/Login", login).await;
    let token = signed_in["Data"]["Token"].as_str().unwrap_or_default().to_owned();
    let client = clients::new().post(format!("{url}/api/User/GetUserInfo")).header("Token", token);
    let info: serde_json::Value = client.json(&json!({})).send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(info["Data"]["Level"], 2, "{signed_in} {info}");
    let entries = audit_entries::table.select((audit_entries::action, audit_entries::changes));
    let entries: Vec<(AuditAction, String)> = app.db.read_blocking(|conn| Ok(entries.load(conn)?)).expect("the log");
    let change = r#"[{"Field":"level","Before":"0","After":"2"},{"Field":"role","Before":null,"After":"operator"}]"#;
    assert_eq!(entries, [(AuditAction::AccountTerms, change.to_owned())], "it is recorded");
}

#[actix_web::test]
async fn a_second_run_changes_nothing_and_says_so() {
    let place = Place::new();
    let plan = place.plan(|_| ());
    let first = open_shop(&plan).expect("a shop");
    let written = std::fs::read_to_string(place.file()).expect("the file");
    let second = open_shop(&plan).expect("the same shop");
    let text = second.join("\n");
    assert!(text.contains("was there already") && text.contains("was an operator already"), "{text}");
    assert!(text.contains("is ready") && !text.contains("was created"), "{text}");
    // Nobody has chosen a password yet, and the first link may have expired.
    let (first, second) = (reset_token(&first).expect("a link"), reset_token(&second).expect("a link"));
    assert_ne!(first, second);
    assert_eq!(std::fs::read_to_string(place.file()).expect("the file"), written);
    let config = Config::read(&plan.variables).expect("a config");
    let app = postern_server::app::open(config).expect("the shop");
    let count = users::table.filter(users::email.eq(OPERATOR)).count();
    assert_eq!(app.db.read_blocking(|conn| Ok(count.get_result::<i64>(conn)?)).expect("a number"), 1);
    let password = diesel::update(users::table.filter(users::email.eq(OPERATOR))).set(users::password_hash.eq("x"));
    app.db.write_blocking(|conn| Ok(password.clone().execute(conn)?)).expect("a password");
    assert_eq!(reset_token(&open_shop(&plan).expect("the same shop")), None, "a password is not asked for twice");
}

#[actix_web::test]
async fn another_settings_file_is_kept_unless_it_is_forced() {
    let place = Place::new();
    let own = "POSTERN_SHOP_NAME=\"Mine\"\nPOSTERN_SMTP_URL=\"smtps://ann:s3cret@mail.northlight.io\"\n";
    std::fs::write(place.file(), own).expect("a file");
    let refusal = open_shop(&place.plan(|_| ())).expect_err("a refusal").to_string();
    for part in ["POSTERN_SHOP_NAME", "POSTERN_PUBLIC_URL", "--force"] {
        assert!(refusal.contains(part), "{refusal}");
    }
    assert!(!refusal.contains("s3cret"), "{refusal}");
    assert_eq!(std::fs::read_to_string(place.file()).expect("the file"), own);
    std::fs::write(place.file(), "export A=$(id)\n").expect("a file");
    assert!(open_shop(&place.plan(|_| ())).expect_err("a refusal").to_string().contains("--force"));
    open_shop(&place.plan(|arguments| arguments.force = true)).expect("a shop");
    let mode = std::fs::metadata(place.file()).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "also of a file that was open to others");
}

#[actix_web::test]
async fn a_customer_becomes_the_operator_and_the_command_runs_without_a_terminal() {
    let place = Place::new();
    let plan = place.plan(|_| ());
    let app = postern_server::app::open(Config::read(&plan.variables).expect("a config")).expect("a shop");
    let customer = {
        let shop = &place.shop;
        if shop.app.config.database_url.starts_with("sqlite") {
            // Its database is another one: the customer signs up there.
            drop(app);
            "ann@northlight.io".to_owned()
        } else {
            shop.customer(0).email
        }
    };
    let flags = ["--public-url", "http://127.0.0.1:9", "--operator", &customer, "--shop-name", "Northlight"];
    let done = place.runs(&flags);
    assert!(done.status.success(), "{}", said(&done));
    let is_new = !place.shop.app.config.database_url.starts_with("postgres");
    let expected = if is_new { "was created" } else { "had an account, which is an operator now" };
    assert!(said(&done).contains(expected), "{}", said(&done));
    assert!(place.file().exists() && said(&done).contains(". ./postern.env; set +a; postern serve"), "{}", said(&done));
    let again = said(&place.runs(&flags));
    assert!(again.contains("was there already") && again.contains("was an operator already"), "{again}");
}

#[actix_web::test]
async fn an_account_that_exists_becomes_an_operator_without_a_link() {
    let place = Place::new();
    let shop = &place.shop;
    let customer = shop.customer(0);
    let mut plan = place.plan(|arguments| arguments.operator = Some(customer.email.to_uppercase()));
    plan.set("DATABASE_URL", &shop.app.config.database_url);
    plan.set("POSTERN_VAR_DIR", &shop.app.config.var_dir.display().to_string());
    let lines = open_shop(&plan).expect("the shop");
    assert!(lines.join("\n").contains("had an account, which is an operator now"), "{lines:#?}");
    assert_eq!(reset_token(&lines), None);
    let level = accounts::table.find(customer.account_id).select(accounts::level);
    let level: Level = shop.app.db.read_blocking(|conn| Ok(level.first(conn)?)).expect("a level");
    assert_eq!(level, Level::Operator);
}

#[actix_web::test]
async fn a_level_for_an_address_without_a_user_says_what_to_do() {
    let shop = Shop::open();
    let done = shop.runs("account", &["level", "ann@northlight.io", "operator"]);
    assert!(!done.status.success());
    for part in
        ["no user has the address ann@northlight.io", "/sign-up first", "postern init --operator ann@northlight.io"]
    {
        assert!(said(&done).contains(part), "{}", said(&done));
    }
    let done = shop.runs("account", &["level", "ann@northlight.io", "reseller"]);
    assert!(!done.status.success() && said(&done).contains("/sign-up first") && !said(&done).contains("postern init"));
}
