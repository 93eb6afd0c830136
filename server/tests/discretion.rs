//! Information leaks: statements must not reveal whether an address has an account, and the database and the log must not contain mailed links.
#[allow(dead_code)]
#[path = "api/shop.rs"]
mod shop;

use chrono::TimeDelta;
use diesel::connection::{InstrumentationEvent, set_default_instrumentation};
use diesel::sql_query;
use diesel::sql_types::Text;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::security::sha256;
use serde_json::{Value, json};
use shop::{PASSWORD, Shop};
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};

/// Statements are recorded for the whole process: one test at a time.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
static STATEMENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Records a statement without its values, except connection checks.
fn record(event: InstrumentationEvent<'_>) {
    let InstrumentationEvent::StartQuery { query, .. } = event else { return };
    let text = query.to_string();
    let text = text.split(" -- binds:").next().unwrap_or_default().trim().to_owned();
    let is_work = ["SELECT", "INSERT", "UPDATE", "DELETE"].iter().any(|verb| text.starts_with(verb));
    if is_work && text != "SELECT 1" {
        STATEMENTS.lock().expect("the record").push(text);
    }
}

#[actix_web::test]
async fn a_known_and_an_unknown_address_take_the_same_statements() {
    let _alone = TURN.lock().await;
    set_default_instrumentation(|| Some(Box::new(record))).expect("an instrumentation");
    let shop = Shop::open();
    let code = shop.invite_code_of(&shop.customer(0));
    let calls: [(&str, Value); 3] = [
        ("User/RequestPasswordReset", json!({})),
        ("User/SignUp", json!({"Password": PASSWORD, "InviteCode": code})),
        ("User/Login", json!({"Password": "not the password", "DeviceId": "x".repeat(43)})),
    ];
    for (call, body) in calls {
        let statements_for = async |email: &str| {
            let mut body = body.clone();
            body["Email"] = json!(email);
            STATEMENTS.lock().expect("the record").clear();
            let answer = shop.send(call, body, &[]).await;
            assert!([1000, 3333].contains(&answer.code), "{answer:?}");
            std::mem::take(&mut *STATEMENTS.lock().expect("the record"))
        };
        // The first call creates the sender's rate limit. Each address is new to its own.
        statements_for(&format!("somebody@{}.example", &sha256(call)[..8])).await;
        let unknown = statements_for(&format!("nobody@{}.example", &sha256(call)[..8])).await;
        let known = statements_for(&shop.customer(0).email).await;
        assert_eq!(known, unknown, "{call}");
        assert!(known.len() > 2, "{call}: {known:?}");
    }
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    text: String,
}

/// All bytes of the database: SQLite's files, or every row of every table of PostgreSQL.
fn all_that_is_kept(shop: &Shop) -> Vec<u8> {
    let rows = |conn: &mut Conn| {
        let Conn::Postgres(conn) = conn else { return Ok(String::new()) };
        let tables = "SELECT table_name::text AS text FROM information_schema.tables WHERE table_schema = 'public'";
        let tables: Vec<Row> = sql_query(tables).load(conn)?;
        let mut all = String::new();
        for table in tables {
            let rows: Vec<Row> = sql_query(format!("SELECT t::text AS text FROM {} AS t", table.text)).load(conn)?;
            rows.iter().for_each(|row| all.push_str(&row.text));
        }
        Ok(all)
    };
    let mut all = shop.app.db.read_blocking(rows).expect("all rows").into_bytes();
    for entry in std::fs::read_dir(&shop.app.config.var_dir).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            all.extend(std::fs::read(path).expect("a file"));
        }
    }
    all
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("the log").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The log of this process, which all tests share.
fn log() -> Log {
    static LOG: OnceLock<Log> = OnceLock::new();
    let start = || {
        let log = Log::default();
        let writer = log.clone();
        tracing_subscriber::fmt()
            .with_env_filter("info,postern_server=trace")
            .with_writer(move || writer.clone())
            .with_ansi(false)
            .init();
        log
    };
    LOG.get_or_init(start).clone()
}

#[actix_web::test]
async fn a_mailed_link_stands_neither_in_the_database_nor_in_the_log() {
    let _alone = TURN.lock().await;
    let log = log();
    let shop = Shop::open();
    let customer = shop.customer(0);
    let newcomer = "newcomer@example.org";
    // No mail can be sent for now, because the mail folder is a file.
    let blocked = shop.app.config.var_dir.join("mail");
    std::fs::write(&blocked, "").expect("a file");
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.send("User/SignUp", json!({"Email": newcomer, "Password": PASSWORD}), &[]).await;
    let asked = all_that_is_kept(&shop);
    shop.run_jobs().await;
    let queued = all_that_is_kept(&shop);
    std::fs::remove_file(&blocked).expect("the way is free");
    shop.app.clock.advance(TimeDelta::minutes(3));
    shop.run_jobs().await;
    let (reset, verify) = (shop.mailed_token(&customer.email, "reset"), shop.mailed_token(newcomer, "verify"));
    assert!(reset.len() == 43 && verify.len() == 43, "{reset:?} {verify:?}");
    for page in [format!("/password-reset?reset={reset}"), format!("/sign-up?verify={verify}")] {
        shop.open_page(&page).await;
    }
    let wrong = json!({"ResetToken": reset, "Password": customer.email});
    assert_eq!(shop.send("User/ResetPassword", wrong, &[]).await.code, 2001);
    let right = json!({"ResetToken": reset, "Password": "another fine password"});
    assert_eq!(shop.send("User/ResetPassword", right, &[]).await.code, 1000);
    assert_eq!(
        shop.send("User/VerifyEmail", json!({"VerifyToken": verify, "Password": PASSWORD}), &[]).await.code,
        1000
    );
    let used = all_that_is_kept(&shop);
    let log = log.0.lock().expect("the log").clone();
    assert!(has(&log, "a mail could not be sent") && has(&log, "a mail was written to a file"), "the log is looked at");
    for (place, bytes) in [("asked", &asked), ("queued", &queued), ("used", &used), ("log", &log)] {
        assert!(place == "log" || has(bytes, newcomer), "{place} is looked at");
        for (link, token) in [("reset", &reset), ("sign-up", &verify)] {
            assert!(!has(bytes, token), "the link of the {link} stands in: {place}");
        }
    }
}

/// All secrets that a shop issues or receives, each with a repeated call, so that stored responses are checked as well.
#[actix_web::test]
async fn no_secret_stands_in_the_database_or_in_the_log() {
    let _alone = TURN.lock().await;
    let log = log();
    let shop = Shop::open();
    let ann = shop.owner_of(1, 0).await;
    let operator = shop.operator();
    let mut secrets: Vec<(&str, String)> = vec![
        ("a password", PASSWORD.to_owned()),
        ("a session's token", ann.token.clone()),
        ("a device", "d".repeat(43)),
    ];
    let login = json!({"Email": ann.email, "Password": PASSWORD, "DeviceId": "d".repeat(43)});
    let signed_in = shop.send("User/Login", login, &[]).await;
    let mut told = |what: &'static str, value: &Value| {
        let text = value.as_str().unwrap_or_else(|| panic!("{what}: {value}")).to_owned();
        assert!(text.len() > 7, "{what}: {text}");
        secrets.push((what, text));
    };
    told("the token of a sign-in", &signed_in.data["Token"]);
    told("the device of a sign-in", &signed_in.data["DeviceId"]);
    let twice = async |who: &shop::Customer, call: &str, body: Value| {
        let first = shop.call_once(who, &format!("k-{}", call.replace('/', "-")), call, body.clone()).await;
        let again = shop.call_once(who, &format!("k-{}", call.replace('/', "-")), call, body).await;
        assert_eq!((first.code, &first.data), (1000, &again.data), "{call}: {first:?} {again:?}");
        first.data
    };
    let flags = json!({"AccountId": ann.account_id, "ShowInvitationCode": true, "ShowAccessToken": true});
    twice(&operator, "Operator/SetAccountFlags", flags).await;
    told("the first access token", &shop.call(&ann, "User/GetCenter", json!({})).await.data["AccessToken"]);
    let token = twice(&ann, "User/RotateAccessToken", json!({})).await;
    told("an access token", &token["AccessToken"]);
    let key = twice(&ann, "ApiKeys/AddApiKey", json!({"Name": "k", "Scopes": ["proxies:read"]})).await;
    told("an API key", &key["Secret"]);
    let hook = twice(&ann, "Webhooks/AddWebhook", json!({"Url": "https://hooks.example.com/in"})).await;
    told("a webhook's secret", &hook["Secret"]);
    let rotated = twice(&ann, "Webhooks/RotateWebhookSecret", json!({"WebhookId": hook["WebhookId"]})).await;
    told("a webhook's new secret", &rotated["Secret"]);
    let user = twice(&ann, "ProxyUsers/AddProxyUser", json!({"Name": "scraper_1"})).await;
    told("a proxy user's password", &user["Password"]);
    let nodes = shop.nodes_of(&ann).await;
    told("a proxy's password", &nodes[0]["Password"]);
    let node = json!({"NodeIds": [nodes[0]["NodeId"]], "UserName": "ann_1", "Password": "secret99word"});
    twice(&ann, "Ips/UserEditNodeAccount", node).await;
    told("a proxy's new password", &json!("secret99word"));
    let server = json!({"Name": "gate", "Kind": "residential", "Host": "gate.example", "HttpPort": "8000"});
    let server = shop.call(&operator, "Operator/AddProxyServer", server).await.data;
    told("a proxy server's secret", &server["Secret"]);
    let change = json!({"Email": "ann.new@example.org", "Password": PASSWORD});
    assert_eq!(shop.call(&ann, "User/RequestEmailChange", change).await.code, 1000);
    shop.run_jobs().await;
    told("the link to a new address", &json!(shop.mailed_token("ann.new@example.org", "confirm")));
    told("the link to an old address", &json!(shop.mailed_token(&ann.email, "stop")));
    let begun = twice(&ann, "User/BeginTwoFactor", json!({"Password": PASSWORD})).await;
    told("a secret of an authenticator app", &begun["Secret"]);
    let code = shop.code_of(begun["Secret"].as_str().expect("a secret"), 0);
    let on = twice(&ann, "User/TurnOnTwoFactor", json!({"Code": code})).await;
    for code in on["RecoveryCodes"].as_array().expect("codes") {
        told("a recovery code", code);
        told("a recovery code as it is typed", &json!(code.as_str().expect("a code").replace('-', "")));
    }
    let used = json!({"Email": ann.email, "Password": PASSWORD, "Code": on["RecoveryCodes"][0]});
    assert_eq!(shop.send("User/Login", used, &[]).await.code, 1000);
    // Use each once more, correctly and wrongly, as it might be logged.
    for (_, secret) in &secrets {
        shop.send("User/GetWallet", json!({}), &[("Token", secret)]).await;
        shop.send("User/Login", json!({"Email": secret, "Password": secret}), &[]).await;
    }
    shop.run_jobs().await;
    let kept = all_that_is_kept(&shop);
    let log = log.0.lock().expect("the log").clone();
    assert!(has(&kept, "scraper_1"), "the database is looked at");
    for (what, secret) in secrets {
        assert!(!has(&kept, &secret), "{what} stands in the database: {secret}");
        assert!(!has(&log, &secret), "{what} stands in the log: {secret}");
    }
}
