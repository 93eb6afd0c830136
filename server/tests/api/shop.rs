//! A shop for tests, with helpers named after the actions of its users.
#[path = "clients.rs"]
pub mod clients;
#[path = "databases.rs"]
pub mod databases;
#[path = "ports.rs"]
pub mod ports;

use actix_web::dev::ServerHandle;
use databases::administer;
use postern_core::event::EventKind;
use postern_core::language::Language;
use postern_core::node::NodeState;
use postern_core::permission::Level;
use postern_core::tier::Catalogue;
use postern_core::two_factor::{one_time_code, step_at};
use postern_server::app::startup;
use postern_server::config::Config;
use postern_server::db::Conn;
use postern_server::db::Database;
use postern_server::db::prelude::*;
use postern_server::ledger::{Movement, move_money};
use postern_server::schema::nodes;
use postern_server::security::{hash_password, hmac_sha1, new_token};
use postern_server::state::App;
use postern_server::users::queries::{PendingSignUp, insert_account, insert_session};
use postern_server::wallet::verify::verify;
use postern_server::{jobs, totals};
use reqwest::Client;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{OnceLock, mpsc};

pub const REGULAR: &str = "shared ISP proxies plan";
pub const PASSWORD: &str = "correct horse battery";

static NUMBER: AtomicU32 = AtomicU32::new(0);

pub struct Shop {
    pub app: App,
    pub url: String,
    folder: PathBuf,
    /// The PostgreSQL server on which it has a database of its own.
    postgres: Option<String>,
    pub serving: ServerHandle,
    client: Client,
}

/// A signed-in user.
#[derive(Clone)]
pub struct Customer {
    pub email: String,
    pub account_id: i64,
    pub token: String,
}

/// The response of a call.
#[derive(Debug)]
pub struct CallAnswer {
    pub status: u16,
    pub code: u64,
    pub message: String,
    pub data: Value,
}

impl Shop {
    pub fn open() -> Shop {
        Shop::open_with(&[])
    }

    /// A shop with additional settings.
    pub fn open_with(extra: &[(&str, &str)]) -> Shop {
        Shop::open_on(extra, true, |_| Ok(())).in_business()
    }

    /// A shop whose database is prepared before the server opens it.
    pub fn open_prepared(
        extra: &[(&str, &str)],
        prepare: impl FnOnce(&mut Conn) -> Result<(), postern_server::error::AppError>,
    ) -> Shop {
        Shop::open_on(extra, false, prepare).in_business()
    }

    pub fn open_on(
        extra: &[(&str, &str)],
        is_migrated: bool,
        prepare: impl FnOnce(&mut Conn) -> Result<(), postern_server::error::AppError>,
    ) -> Shop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("postern_test_{}_{number}", std::process::id());
        let folder = std::env::temp_dir().join(&name);
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let mut settings = HashMap::from([
            ("POSTERN_VAR_DIR".to_owned(), folder.display().to_string()),
            ("POSTERN_LOCALES_DIR".to_owned(), format!("{root}/locales")),
            ("POSTERN_FONTS_DIR".to_owned(), format!("{root}/server/fonts")),
            ("POSTERN_PUBLIC_URL".to_owned(), "http://shop.example".to_owned()),
            ("POSTERN_TRUSTED_PROXIES".to_owned(), "127.0.0.1".to_owned()),
        ]);
        let postgres = std::env::var("TEST_DATABASE_URL").ok();
        if let Some(url) = databases::create(postgres.as_deref(), &name, &folder, is_migrated) {
            settings.insert("DATABASE_URL".to_owned(), url);
        }
        settings.extend(extra.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let config = Config::read(&settings).expect("settings");
        let database = Database::open(&config.database_url, 1).expect("a database");
        database.read_blocking(prepare).expect("what the database begins with");
        let app = postern_server::app::open(config).expect("an application");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let served = app.clone();
        let (started, serving) = mpsc::channel();
        std::thread::spawn(move || {
            let server = startup::server(served, listener, 2).expect("a server");
            started.send(server.handle()).expect("a receiver");
            actix_web::rt::System::new().block_on(server)
        });
        let serving = serving.recv().expect("a server");
        Shop { app, url, folder, postgres, serving, client: clients::new() }
    }

    /// Adds nodes of the Regular tier to the stock of a city.
    pub fn stock(&self, country: &str, city: &str, count: u32) {
        static ADDRESS: AtomicU32 = AtomicU32::new(0xC612_0001);
        self.app
            .db
            .write_blocking(|conn| {
                for _ in 0..count {
                    let address = std::net::Ipv4Addr::from(ADDRESS.fetch_add(1, Ordering::Relaxed));
                    diesel::insert_into(nodes::table)
                        .values((
                            nodes::ip.eq(address.to_string()),
                            nodes::http_port.eq(8000),
                            nodes::socks5_port.eq(1080),
                            nodes::country.eq(country),
                            nodes::city.eq(city),
                            nodes::isp.eq("Northlight Fiber"),
                            nodes::asn.eq(65_536),
                            nodes::ver_str.eq(REGULAR),
                            nodes::node_type.eq(2),
                        ))
                        .execute(conn)?;
                }
                Ok(())
            })
            .expect("stock");
    }

    /// A signed-in customer with money in the wallet.
    pub fn customer(&self, balance_minor: i64) -> Customer {
        self.customer_invited_by("", "127.0.0.1", balance_minor)
    }

    /// A customer who signed up with an invitation code and signed in from this address.
    pub fn customer_invited_by(&self, invite_code: &str, address: &str, balance_minor: i64) -> Customer {
        let email = format!("{}@example.com", new_token().to_lowercase().replace(['-', '_'], "x"));
        self.customer_named(&email, invite_code, address, balance_minor)
    }

    pub fn customer_named(&self, email: &str, invite_code: &str, address: &str, balance_minor: i64) -> Customer {
        static HASH: OnceLock<String> = OnceLock::new();
        let hash = HASH.get_or_init(|| hash_password(PASSWORD).expect("a hash"));
        let now = self.app.clock.now();
        let newcomer = PendingSignUp {
            email: email.to_owned(),
            password_hash: hash.clone(),
            invite_code: invite_code.to_owned(),
            marketing: "{}".to_owned(),
            language: Language::En,
            time_zone: "UTC".to_owned(),
            accepted_texts: Vec::new(),
        };
        let (account_id, token) = self
            .app
            .db
            .write_blocking(|conn| {
                let currency = Catalogue::default().currency;
                let user_id = insert_account(conn, &newcomer, Level::Customer, currency, now)?.expect("a new address");
                let account_id = account_of(conn, user_id);
                if balance_minor > 0 {
                    let credit = Movement {
                        account_id,
                        kind: postern_core::ledger::EntryKind::Credit,
                        source: postern_core::ledger::Book::Gateway,
                        amount: postern_core::money::Money::from_minor(balance_minor),
                        reference: format!("credit for account {account_id}"),
                        order_id: None,
                    };
                    move_money(conn, &credit, now)?;
                }
                Ok((account_id, insert_session(conn, user_id, address, "test", now)?))
            })
            .expect("a customer");
        Customer { email: email.to_owned(), account_id, token }
    }

    /// The customer's invitation code.
    pub fn invite_code_of(&self, customer: &Customer) -> String {
        use postern_server::schema::accounts;
        let code = accounts::table.find(customer.account_id).select(accounts::invite_code);
        self.app.db.read_blocking(|conn| Ok(code.first(conn)?)).expect("a code")
    }

    /// A signed-in operator.
    pub fn operator(&self) -> Customer {
        use postern_server::schema::accounts;
        let operator = self.customer(0);
        let promoted = self.app.db.write_blocking(|conn| {
            Ok(diesel::update(accounts::table.find(operator.account_id))
                .set(accounts::level.eq(Level::Operator))
                .execute(conn)?)
        });
        assert_eq!(promoted.expect("an update"), 1);
        operator
    }

    /// Starts another server on the same database, which shares nothing else; returns its URL.
    pub fn another_server(&self) -> String {
        let app = App { key_limits: Default::default(), ..self.app.clone() };
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        std::thread::spawn(move || {
            let server = startup::server(app, listener, 2).expect("a server");
            actix_web::rt::System::new().block_on(server)
        });
        url
    }

    /// Uploads a file in the field `file` of a form.
    pub async fn upload(&self, customer: &Customer, call: &str, name: &str, file: &[u8]) -> CallAnswer {
        let mut body = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: image/png\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--edge--\r\n");
        let request = self.client.post(format!("{}/api/{call}", self.url)).header("Token", &customer.token);
        let request = request.header("Content-Type", "multipart/form-data; boundary=edge").body(body);
        answer_of(request.send().await.expect("an answer")).await
    }

    /// A call by GET.
    pub async fn get(&self, customer: &Customer, call: &str) -> reqwest::Response {
        let request = self.client.get(format!("{}/api/{call}", self.url)).header("Token", &customer.token);
        request.send().await.expect("an answer")
    }

    /// Opens a page like a browser, without following redirects.
    pub async fn open_page(&self, path: &str) -> reqwest::Response {
        clients::unredirected().get(format!("{}{path}", self.url)).send().await.expect("a response")
    }

    /// A call by POST.
    pub async fn call(&self, customer: &Customer, call: &str, body: Value) -> CallAnswer {
        self.send(call, body, &[("Token", &customer.token)]).await
    }

    /// The same with an idempotency key.
    pub async fn call_once(&self, customer: &Customer, key: &str, call: &str, body: Value) -> CallAnswer {
        self.send(call, body, &[("Token", &customer.token), ("Idempotency-Key", key)]).await
    }

    pub async fn send(&self, call: &str, body: Value, headers: &[(&str, &str)]) -> CallAnswer {
        let mut request = self.client.post(format!("{}/api/{call}", self.url)).json(&body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer_of(request.send().await.expect("an answer")).await
    }

    /// Moves a node to a port of this machine.
    pub fn move_node_to(&self, node_id: i64, port: u16) {
        let there = (nodes::ip.eq("127.0.0.1"), nodes::http_port.eq(i32::from(port)));
        let moved = self
            .app
            .db
            .write_blocking(|conn| Ok(diesel::update(nodes::table.find(node_id)).set(there).execute(conn)?));
        assert_eq!(moved.expect("an update"), 1);
    }

    /// Takes a node from its owner, as at the end of grace.
    pub fn take_away(&self, node_id: i64) {
        let now = self.app.clock.now();
        let taken = self.app.db.write_blocking(|conn| postern_server::nodes::lifecycle::release(conn, &[node_id], now));
        taken.expect("a release");
    }

    pub async fn post_form(&self, path: &str, body: &'static str) -> reqwest::Response {
        let request = clients::unredirected().post(format!("{}{path}", self.url));
        let request = request.header("Content-Type", "application/x-www-form-urlencoded");
        request.body(body).send().await.expect("a response")
    }

    pub async fn post_raw(&self, path: &str, body: String, headers: &[(&str, &str)]) -> reqwest::Response {
        let mut request = self.client.post(format!("{}{path}", self.url)).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send().await.expect("a response")
    }

    /// Runs the background jobs once.
    pub async fn run_jobs(&self) {
        for (name, result) in jobs::round(&self.app).await {
            result.unwrap_or_else(|error| panic!("the job `{name}` failed: {error}"));
        }
    }

    /// The same user with a new session from the same address.
    pub fn signs_in(&self, customer: &Customer) -> Customer {
        use postern_server::schema::{sessions, users};
        let now = self.app.clock.now();
        let token = self.app.db.write_blocking(|conn| {
            let user_id: i64 = users::table.filter(users::email.eq(&customer.email)).select(users::id).first(conn)?;
            let earlier = sessions::table.filter(sessions::user_id.eq(user_id)).order(sessions::id.desc());
            let address: Option<String> = earlier.select(sessions::address).first(conn).optional()?;
            insert_session(conn, user_id, address.as_deref().unwrap_or("127.0.0.1"), "test", now)
        });
        Customer { token: token.expect("a session"), ..customer.clone() }
    }

    /// A customer who owns this many nodes of the Regular tier in New York.
    pub async fn owner_of(&self, count: u32, balance_minor: i64) -> Customer {
        let customer = self.customer(balance_minor + i64::from(count) * 500);
        self.stock("US", "new-york", count);
        // In orders too small for a discount.
        for quantity in (0..count).step_by(9).map(|bought| (count - bought).min(9)) {
            self.buys(&customer, order_for(&[("US", "new-york", quantity)], &format!("{}.00", quantity * 5))).await;
        }
        customer
    }

    /// Orders and pays from the wallet.
    pub async fn buys(&self, customer: &Customer, order: Value) -> i64 {
        let order = self.call(customer, "Order/CreateOrder", order).await;
        assert_eq!(order.code, 1000, "{order:?}");
        let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
        let paid = self.call(customer, "Order/PayOrder", pay).await;
        assert_eq!(paid.code, 1000, "{paid:?}");
        order.data["OrderId"].as_i64().unwrap_or_default()
    }

    /// The customer's proxy list, in the order of ids.
    pub async fn nodes_of(&self, customer: &Customer) -> Vec<Value> {
        let list = self.call(customer, "Ips/GetUserNodeList", json!({"PageSize": 200})).await;
        let mut rows = list.data["Rows"].as_array().cloned().unwrap_or_default();
        rows.sort_by_key(|row| row["NodeId"].as_i64());
        rows
    }

    /// The file returned by a call.
    pub async fn download_bytes(&self, customer: &Customer, call: &str, body: Value) -> Vec<u8> {
        let request = self.client.post(format!("{}/api/{call}", self.url)).json(&body).header("Token", &customer.token);
        request.send().await.expect("an answer").bytes().await.expect("a file").to_vec()
    }

    /// The text of the file returned by a call, without the mark of its encoding.
    pub async fn download(&self, customer: &Customer, call: &str, body: Value) -> String {
        let request = self.client.post(format!("{}/api/{call}", self.url)).json(&body).header("Token", &customer.token);
        request.send().await.expect("an answer").text().await.expect("a text").trim_start_matches('\u{feff}').to_owned()
    }

    pub async fn balance(&self, customer: &Customer) -> String {
        self.call(customer, "User/GetWallet", json!({})).await.data["WalletBalance"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    pub fn nodes_in_state(&self, state: &str) -> i64 {
        let state = NodeState::from_wire(state).expect("a state");
        self.app
            .db
            .read_blocking(|conn| Ok(nodes::table.filter(nodes::state.eq(state)).count().get_result(conn)?))
            .expect("a number")
    }

    /// The data of the events of this kind, in order.
    pub fn events_of(&self, customer: &Customer, kind: EventKind) -> Vec<Value> {
        use postern_server::schema::events::dsl;
        let these = dsl::events.filter(dsl::account_id.eq(customer.account_id)).filter(dsl::kind.eq(kind));
        let these = these.order(dsl::id).select(dsl::data);
        let texts: Vec<String> = self.app.db.read_blocking(|conn| Ok(these.load(conn)?)).expect("events");
        texts.iter().map(|text| serde_json::from_str(text).expect("an object")).collect()
    }

    pub fn ledger_adds_up(&self) {
        let found = self.app.db.read_blocking(verify).expect("a verification");
        assert_eq!(found.problems, Vec::<String>::new());
        self.totals_add_up();
    }

    /// Asserts that every list's maintained total is its number of rows.
    pub fn totals_add_up(&self) {
        let wrong = self.app.db.snapshot_blocking(totals::differences).expect("the totals");
        assert_eq!(wrong, Vec::<String>::new());
    }

    /// The code of an authenticator app for this secret, this many steps from now.
    pub fn code_of(&self, secret: &str, steps: i64) -> String {
        let bits = secret.bytes().flat_map(|letter| {
            let value = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".iter().position(|one| *one == letter).expect("base32");
            (0..5).rev().map(move |bit| value >> bit & 1)
        });
        let bits: Vec<usize> = bits.collect();
        let secret: Vec<u8> =
            bits.chunks(8).map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | *bit) as u8).collect();
        let step = step_at(self.app.clock.now()) + steps;
        one_time_code(&hmac_sha1(&secret, &step.to_be_bytes()))
    }

    /// Runs a command of the binary on this shop.
    pub fn runs(&self, command: &str, arguments: &[&str]) -> Output {
        self.command(command).args(arguments).output().expect("the command")
    }

    /// A command of the binary on this shop, to be run.
    pub fn command(&self, command: &str) -> Command {
        let config = &self.app.config;
        let mut postern = Command::new(env!("CARGO_BIN_EXE_postern"));
        postern.env("DATABASE_URL", &config.database_url).env("POSTERN_VAR_DIR", &config.var_dir).arg(command);
        postern.env("POSTERN_LOCALES_DIR", &config.locales_dir).env("POSTERN_FONTS_DIR", &config.fonts_dir);
        postern
    }

    /// The text of the latest mail to this address.
    pub fn last_mail_to(&self, email: &str) -> Option<String> {
        self.last_mail_about(email, "")
    }

    /// The text of the latest mail to this address with these words in the subject.
    pub fn last_mail_about(&self, email: &str, words: &str) -> Option<String> {
        let paths: BTreeSet<_> =
            std::fs::read_dir(self.folder.join("mail")).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
        let mut mails = paths.iter().rev().filter_map(|path| std::fs::read_to_string(path).ok());
        mails.find(|mail| is_mail_about(mail, email, words))
    }

    /// The number of mails to this address with these words in the subject.
    pub fn mails_about(&self, email: &str, words: &str) -> usize {
        let Ok(folder) = std::fs::read_dir(self.folder.join("mail")) else { return 0 };
        let mails = folder.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path()).ok());
        mails.filter(|mail| is_mail_about(mail, email, words)).count()
    }

    /// The token of the link in that mail.
    pub fn mailed_token(&self, email: &str, parameter: &str) -> String {
        let mail = self.last_mail_to(email).unwrap_or_default();
        let start = format!("{parameter}=");
        mail.lines().find_map(|line| Some(line.split_once(&start)?.1.to_owned())).unwrap_or_default()
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        // The signal is sent on the call; there is no need to wait.
        drop(self.serving.stop(false));
        let _ = std::fs::remove_dir_all(&self.folder);
        let name = self.folder.file_name().and_then(|name| name.to_str());
        if let (Some(server), Some(name)) = (&self.postgres, name) {
            let _ = administer(server, &format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

fn is_mail_about(mail: &str, email: &str, words: &str) -> bool {
    mail.contains(&format!("To: {email}\n"))
        && mail.lines().any(|line| line.starts_with("Subject: ") && line.contains(words))
}

pub async fn answer_of(response: reqwest::Response) -> CallAnswer {
    let status = response.status().as_u16();
    let answer: Value = response.json().await.expect("an answer in JSON");
    CallAnswer {
        status,
        code: answer["Code"].as_u64().unwrap_or_default(),
        message: answer["Message"].as_str().unwrap_or_default().to_owned(),
        data: answer["Data"].clone(),
    }
}

fn account_of(conn: &mut Conn, user_id: i64) -> i64 {
    use postern_server::schema::users;
    users::table.find(user_id).select(users::account_id).first(conn).expect("a user")
}

/// An order of IPs of the Regular tier for 30 days, with its expected total.
pub fn order_for(places: &[(&str, &str, u32)], expected_total: &str) -> Value {
    let lines: Vec<Value> = places
        .iter()
        .map(|(country, city, quantity)| json!({"Country": country, "City": city, "Quantity": quantity}))
        .collect();
    json!({"VerStr": REGULAR, "PeriodDays": 30, "Lines": lines, "ExpectedTotal": expected_total})
}
