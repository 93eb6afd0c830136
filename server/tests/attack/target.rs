//! The target: a server in its own process, with users who have something to lose.
use crate::findings::Findings;
use crate::shop::ports::reserved;
use crate::shop::{Customer, Shop};
use crate::wire::{Answer, Request, send};
use diesel::sql_query;
use diesel::sql_types::BigInt;
use postern_core::account::AccountState;
use postern_core::permission::Level;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::schema::accounts;
use serde_json::{Value, json};
use std::fs::File;
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Settings of the server under attack, besides its database and folder. None of them leads out of this machine.
const SETTINGS: &[(&str, &str)] = &[
    ("POSTERN_TRUSTED_PROXIES", "127.0.0.1"),
    ("POSTERN_DATABASE_POOL", "10"),
    ("POSTERN_STRIPE_SECRET_KEY", "sk_test_attack"),
    ("POSTERN_STRIPE_WEBHOOK_SECRET", "whsec_attack"),
    ("POSTERN_STRIPE_API_URL", "http://127.0.0.1:9"),
    ("POSTERN_CHECK_URL", "http://127.0.0.1:9/"),
    ("POSTERN_TRANSFER_DETAILS", "Bank of Examples"),
];

pub struct Target {
    pub shop: Shop,
    pub server: SocketAddr,
    process: Mutex<Child>,
    log: std::path::PathBuf,
    next_sender: AtomicU32,
}

pub struct People {
    pub customer: Customer,
    pub reseller: Customer,
    pub operator: Customer,
    pub suspended: Customer,
    /// A user whose data others must not access.
    pub owner: Customer,
    /// A user who must be served meanwhile.
    pub bystander: Customer,
}

impl Target {
    pub fn start(shop: Shop) -> Target {
        let config = &shop.app.config;
        let free = reserved();
        let log = config.var_dir.join("server.log");
        let output = File::create(&log).expect("a file for the log");
        let process = Command::new(env!("CARGO_BIN_EXE_postern"))
            .arg("serve")
            .env("DATABASE_URL", &config.database_url)
            .env("POSTERN_VAR_DIR", &config.var_dir)
            .env("POSTERN_LOCALES_DIR", &config.locales_dir)
            .env("POSTERN_FONTS_DIR", &config.fonts_dir)
            .env("PORT", free.port().to_string())
            .envs(SETTINGS.iter().copied())
            .stdout(Stdio::from(output.try_clone().expect("the same file")))
            .stderr(Stdio::from(output))
            .spawn()
            .expect("the server's binary");
        let process = Mutex::new(process);
        let target = Target { shop, server: free, process, log, next_sender: AtomicU32::new(1) };
        let begin = Instant::now();
        while target.get("/health/ready").status != 200 {
            assert!(begin.elapsed() < Duration::from_secs(60), "the server does not start: {}", target.last_words());
            std::thread::park_timeout(Duration::from_millis(50));
        }
        target
    }

    pub fn get(&self, path: &str) -> Answer {
        let from = self.another_sender();
        send(self.server, &Request { method: "GET", path, token: "", from, headers: &[], body: b"" })
    }

    /// A call with a body, from a new sender.
    pub fn post(&self, path: &str, token: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        send(self.server, &Request { method: "POST", path, token, from: self.another_sender(), headers, body })
    }

    /// A new sender, so that attacks do not throttle each other.
    pub fn another_sender(&self) -> u32 {
        self.next_sender.fetch_add(1, Ordering::Relaxed)
    }

    pub fn is_alive(&self) -> bool {
        self.process.lock().expect("a process").try_wait().is_ok_and(|ended| ended.is_none())
    }

    /// The memory that the process itself holds, in MB: without code and files, which the system loads and drops as it sees fit.
    pub fn memory_mb(&self) -> u64 {
        self.status_mb("RssAnon:")
    }

    /// The memory of the process, in MB, with what is loaded of its code and files.
    pub fn resident_mb(&self) -> u64 {
        self.status_mb("VmRSS:")
    }

    fn status_mb(&self, field: &str) -> u64 {
        let id = self.process.lock().expect("a process").id();
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with(field)).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1_024
    }

    /// The size of the database on disk, in MB.
    pub fn database_mb(&self) -> u64 {
        #[derive(QueryableByName)]
        struct Size {
            #[diesel(sql_type = BigInt)]
            bytes: i64,
        }
        let size = self.shop.app.db.read_blocking(|conn| match conn {
            Conn::Postgres(conn) => {
                let size =
                    sql_query("SELECT pg_database_size(current_database()) AS bytes").get_result::<Size>(conn)?;
                Ok(size.bytes)
            }
            Conn::Sqlite(_) => Ok(0),
        });
        let files = std::fs::read_dir(&self.shop.app.config.var_dir).into_iter().flatten().flatten();
        let is_database = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().contains("postern.");
        let files: u64 = files.filter(is_database).filter_map(|entry| Some(entry.metadata().ok()?.len())).sum();
        (u64::try_from(size.expect("a size")).unwrap_or(0) + files) / (1 << 20)
    }

    /// The causes of internal errors, from the server's log.
    pub fn causes(&self) -> Vec<String> {
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        let mut causes: Vec<String> = log
            .lines()
            .filter(|line| line.contains("ERROR") || line.contains("panicked") || line.contains("\"level\":\"ERROR\""))
            .map(|line| line.split_once("ERROR").map_or(line, |parts| parts.1).chars().take(300).collect())
            .collect();
        causes.sort();
        causes.dedup_by(|one, next| one.get(..60) == next.get(..60));
        causes.truncate(20);
        causes
    }

    fn last_words(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub async fn people(&self) -> People {
        let shop = &self.shop;
        let set = |customer: &Customer, level: u8, state: &str| {
            let level = Level::from_number(level).expect("a level");
            let state = AccountState::from_wire(state).expect("a state");
            let set = shop.app.db.write_blocking(|conn| {
                let changes = (accounts::level.eq(level), accounts::state.eq(state));
                Ok(diesel::update(accounts::table.find(customer.account_id)).set(changes).execute(conn)?)
            });
            assert_eq!(set.expect("a change"), 1);
        };
        let people = People {
            customer: shop.owner_of(2, 100_000).await,
            reseller: shop.customer(100_000),
            operator: shop.operator(),
            suspended: shop.customer(100_000),
            owner: shop.owner_of(3, 100_000).await,
            bystander: shop.owner_of(1, 100_000).await,
        };
        set(&people.reseller, 1, "active");
        set(&people.suspended, 0, "suspended");
        people
    }

    /// A new session of the same user, which the attacked call may end.
    pub fn token_of(&self, who: &Customer) -> String {
        self.shop.signs_in(who).token
    }

    pub fn list_of(&self, who: &Customer) -> Value {
        self.post("/api/Ips/GetUserNodeList", &who.token, &[], json!({"PageSize": 200}).to_string().as_bytes()).data()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        let mut process = self.process.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let _ = process.kill();
        let _ = process.wait();
    }
}

/// Makes calls as the bystander until the end; failures are findings.
pub fn stand_by(target: &Target, bystander: &Customer, findings: &Findings, is_over: &AtomicBool) -> (usize, Duration) {
    let from = target.another_sender();
    let (mut count, mut longest) = (0, Duration::ZERO);
    while !is_over.load(Ordering::Relaxed) {
        for path in ["/api/User/GetWallet", "/api/Ips/GetUserNodeList"] {
            let request = Request { method: "POST", path, token: &bystander.token, from, headers: &[], body: b"{}" };
            let answer = send(target.server, &request);
            let is_served = answer.code == Some(1000) && answer.took < Duration::from_secs(8);
            if !is_served {
                findings.add("another customer is not served meanwhile", path, &answer.short());
            }
            longest = longest.max(answer.took);
            count += 1;
        }
        std::thread::park_timeout(Duration::from_millis(200));
    }
    (count, longest)
}
