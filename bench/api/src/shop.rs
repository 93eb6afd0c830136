//! A shop for benchmarks: nodes are loaded by plain SQL, customers have a session and money in the wallet.
use anyhow::Context;
use chrono::NaiveDateTime;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use postern_core::language::Language;
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::{Currency, Money};
use postern_core::node::NodeState;
use postern_core::permission::Level;
use postern_core::place;
use postern_server::config::Config;
use postern_server::db::Conn;
use postern_server::db::sqlite_path;
use postern_server::demo::prices::sell_everything;
use postern_server::error::AppError;
use postern_server::ledger::{Movement, move_money};
use postern_server::schema::{invoice_counters, nodes, plans, users};
use postern_server::security::{hash_password, new_token};
use postern_server::state::App;
use postern_server::users::queries::{PendingSignUp, insert_account, insert_session};
use std::collections::HashMap;
use std::path::PathBuf;

pub const TIER: &str = "shared ISP proxies plan";

/// A shop's database, and the settings of a server for it.
pub struct Shop {
    pub app: App,
    pub settings: HashMap<String, String>,
}

/// A signed-in customer.
#[derive(Clone)]
pub struct Customer {
    pub account_id: i64,
    pub token: String,
}

fn wrong(error: AppError) -> anyhow::Error {
    anyhow::anyhow!("{error}")
}

impl Shop {
    /// A shop without customers that sells everything: in a new database of the PostgreSQL server, or in a file of the folder.
    pub fn open(name: &'static str, folder: PathBuf, postgres: Option<&str>) -> anyhow::Result<Shop> {
        let mut settings = HashMap::from([
            ("POSTERN_VAR_DIR".to_owned(), folder.display().to_string()),
            ("POSTERN_WEB_DIR".to_owned(), "frontend/dist".to_owned()),
        ]);
        if let Some(server) = postgres {
            let mut admin = diesel::pg::PgConnection::establish(server)?;
            admin.batch_execute(&format!("CREATE DATABASE {name}"))?;
            let base = server.rsplit_once('/').context("a URL with a database")?.0;
            settings.insert("DATABASE_URL".to_owned(), format!("{base}/{name}"));
        }
        let config = Config::read(&settings).map_err(|wrong| anyhow::anyhow!("{wrong:?}"))?;
        settings.insert("DATABASE_URL".to_owned(), config.database_url.clone());
        let app = postern_server::app::open(config)?;
        app.db.write_blocking(sell_everything).map_err(wrong)?;
        Ok(Shop { app, settings })
    }

    pub fn database_url(&self) -> &str {
        &self.app.config.database_url
    }

    pub fn customer(&self, number: usize, balance_minor: i64) -> anyhow::Result<Customer> {
        let now = self.app.clock.now();
        let newcomer = PendingSignUp {
            email: format!("bench-{number}@example.com"),
            password_hash: String::new(),
            invite_code: String::new(),
            marketing: "{}".to_owned(),
            language: Language::En,
            time_zone: "UTC".to_owned(),
            accepted_texts: Vec::new(),
        };
        let made = self.app.db.write_blocking(|conn| {
            let user_id = insert_account(conn, &newcomer, Level::Customer, Currency::Usd, now)?;
            let user_id = user_id.ok_or_else(|| AppError::Busy("the account is there already".to_owned()))?;
            let account_id = users::table.find(user_id).select(users::account_id).first(conn)?;
            let credit = Movement {
                account_id,
                kind: EntryKind::Credit,
                source: Book::Gateway,
                amount: Money::from_minor(balance_minor),
                reference: format!("credit {number}"),
                order_id: None,
            };
            move_money(conn, &credit, now)?;
            Ok(Customer { account_id, token: insert_session(conn, user_id, "127.0.0.1", "bench", now)? })
        });
        made.map_err(wrong)
    }

    /// Gives a customer a password, and returns the credentials as JSON.
    pub fn lets_in(&self, customer: &Customer) -> anyhow::Result<serde_json::Value> {
        let password = new_token();
        let hash = hash_password(&password)?;
        let own = users::table.filter(users::account_id.eq(customer.account_id));
        let email: Result<String, AppError> = self.app.db.write_blocking(|conn| {
            diesel::update(own).set(users::password_hash.eq(&hash)).execute(conn)?;
            Ok(own.select(users::email).first(conn)?)
        });
        Ok(serde_json::json!({ "email": email.map_err(wrong)?, "password": password }))
    }

    /// Fills the inventory with `inventory` nodes, of which the account owns `owned`: evenly spread blocks of a hundred, like purchases of networks
    /// in many cities.
    pub fn load(&self, owner: &Customer, inventory: u32, owned: u32) -> anyhow::Result<()> {
        let now = self.app.clock.now();
        let sealed = self.app.key.seal("aVeryOrdinaryPassword")?;
        let plan_id: i64 = self
            .app
            .db
            .write_blocking(|conn| {
                let row = (plans::account_id.eq(owner.account_id), plans::ver_str.eq(TIER), plans::created_at.eq(now));
                Ok(diesel::insert_into(plans::table).values(row).returning(plans::id).get_result(conn)?)
            })
            .map_err(wrong)?;
        let load = |time| load_text((owner.account_id, plan_id), inventory, owned, &sealed, now, time);
        match sqlite_path(self.database_url()) {
            Some(path) => {
                let mut conn = SqliteConnection::establish(path)?;
                conn.batch_execute("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;")?;
                let triggers = sqlite_triggers(&mut conn)?;
                for (name, _) in &triggers {
                    conn.batch_execute(&format!("DROP TRIGGER {name}"))?;
                }
                // SQLite stores times as text.
                conn.batch_execute(&format!("BEGIN; {} {LISTED} {LISTED_ON_SQLITE} COMMIT;", load("TEXT")))?;
                for (_, text) in &triggers {
                    conn.batch_execute(text)?;
                }
                conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)")?;
                // SQLite reads the changed schema. An insert as the first statement after the change fails: "no such table".
                self.app
                    .db
                    .write_blocking(|conn| Ok(conn.batch_execute("SELECT id FROM nodes LIMIT 1")?))
                    .map_err(wrong)?;
            }
            None => {
                let mut conn = diesel::pg::PgConnection::establish(self.database_url())?;
                let of_both = |what: &str| {
                    format!("ALTER TABLE nodes {what} TRIGGER USER; ALTER TABLE node_targets {what} TRIGGER USER;")
                };
                let load = load("TIMESTAMP");
                let text = format!("{} {load} {LISTED} {LISTED_ON_POSTGRES} {}", of_both("DISABLE"), of_both("ENABLE"));
                conn.batch_execute(&text)?;
                // As autovacuum does after a while.
                conn.batch_execute("VACUUM ANALYZE")?;
            }
        }
        Ok(())
    }

    /// Updates the database's statistics, as PostgreSQL does within a minute.
    pub fn analyze(&self) -> anyhow::Result<()> {
        self.app.db.write_blocking(|conn| Ok(conn.batch_execute("ANALYZE")?)).map_err(wrong)
    }

    /// Vacuums and analyses the database after loading, as autovacuum does after a while.
    pub fn settle(&self) -> anyhow::Result<()> {
        match sqlite_path(self.database_url()) {
            Some(path) => {
                let mut conn = SqliteConnection::establish(path)?;
                conn.batch_execute("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")?;
            }
            None => diesel::pg::PgConnection::establish(self.database_url())?.batch_execute("VACUUM ANALYZE")?,
        }
        Ok(())
    }

    /// Creates a series of invoices.
    pub fn open_series(&self, series: &str) -> anyhow::Result<()> {
        let row = (invoice_counters::series.eq(series), invoice_counters::last_number.eq(0));
        let opened = |conn: &mut Conn| Ok(diesel::insert_into(invoice_counters::table).values(row).execute(conn)?);
        self.app.db.write_blocking(opened).map_err(wrong)?;
        Ok(())
    }

    /// Adds nodes to the stock of one city, and returns their ids.
    pub fn stock(&self, country: &str, city: &str, count: u32) -> anyhow::Result<Vec<i64>> {
        let stocked = self.app.db.write_blocking(|conn| {
            let start = format!("WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {})", count - 1);
            conn.batch_execute(&format!(
                "{start} INSERT INTO nodes (ip, http_port, socks5_port, country, city, isp, asn, ver_str, node_type) \
                 SELECT '{city}-' || i, 8000, 1080, '{country}', '{city}', 'Northlight Fiber', 65536, '{TIER}', 2 FROM n"
            ))?;
            // As `postern inventory import` does.
            conn.batch_execute("ANALYZE nodes")?;
            let here = nodes::table.filter(nodes::state.eq(NodeState::Available)).filter(nodes::city.eq(city));
            Ok(here.order(nodes::id).select(nodes::id).load(conn)?)
        });
        stocked.map_err(wrong)
    }
}

fn sqlite_triggers(conn: &mut SqliteConnection) -> anyhow::Result<Vec<(String, String)>> {
    #[derive(QueryableByName)]
    struct Trigger {
        #[diesel(sql_type = diesel::sql_types::Text)]
        name: String,
        #[diesel(sql_type = diesel::sql_types::Text)]
        sql: String,
    }
    let triggers: Vec<Trigger> =
        diesel::sql_query("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").load(conn)?;
    Ok(triggers.into_iter().map(|trigger| (trigger.name, trigger.sql)).collect())
}

/// What triggers would have maintained for the loaded nodes: list totals, and search parts of addresses and notes.
const LISTED: &str = "INSERT INTO list_totals SELECT 'nodes', account_id, count(*) FROM nodes WHERE account_id IS NOT NULL \
    GROUP BY account_id;";
const LISTED_ON_SQLITE: &str = "INSERT INTO node_addresses (rowid, owner, text) SELECT id, char(57344 + account_id / 40960000 % 6400, \
    57344 + account_id / 6400 % 6400, 57344 + account_id % 6400), ip FROM nodes WHERE account_id IS NOT NULL; \
    INSERT INTO node_notes (rowid, owner, text) SELECT id, char(57344 + account_id / 40960000 % 6400, \
    57344 + account_id / 6400 % 6400, 57344 + account_id % 6400), note || ' ' || char(10) FROM nodes \
    WHERE account_id IS NOT NULL AND note <> '';";
const LISTED_ON_POSTGRES: &str = "INSERT INTO node_search SELECT id, searched_text(ip, note), \
    search_parts(account_id, searched_text(ip, note)) FROM nodes WHERE account_id IS NOT NULL;";

/// SQL for both databases. The stock is counted once at the end instead of by triggers.
fn load_text(owner: (i64, i64), inventory: u32, owned: u32, sealed: &str, now: NaiveDateTime, time: &str) -> String {
    let (account_id, plan_id) = owner;
    let cities: Vec<String> = (0..)
        .zip(place::cities().into_iter().take(60))
        .map(|(index, city)| format!("({index}, '{}', '{}')", city.country, city.city))
        .collect();
    let (cities, share) = (cities.join(", "), inventory / owned);
    let expiries = "'2027-0' || (1 + i % 9) || '-1' || (i % 10) || ' 12:00:00'";
    format!(
        "CREATE TEMPORARY TABLE place (k INTEGER, country TEXT, city TEXT); INSERT INTO place VALUES {cities}; \
         CREATE TEMPORARY TABLE many AS WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {last}) \
           SELECT i, CASE WHEN (i / 100) % {share} = 0 THEN 1 ELSE 0 END AS own, {expiries} AS ends FROM n; \
         INSERT INTO nodes (ip, http_port, socks5_port, country, city, isp, asn, ver_str, node_type, state, account_id, plan_id, \
           user_name, password_sealed, period_days, note, assigned_at, expires_at) \
         SELECT '10.' || (i / 65536) || '.' || ((i / 256) % 256) || '.' || (i % 256), 8000, 1080, country, city, \
           'Meridian Broadband ' || (i % 7), 65536, '{TIER}', 2, \
           CASE own WHEN 1 THEN 'assigned' ELSE 'available' END, CASE own WHEN 1 THEN {account_id} END, \
           CASE own WHEN 1 THEN {plan_id} END, CASE own WHEN 1 THEN 'user' || i END, CASE own WHEN 1 THEN '{sealed}' END, \
           CASE own WHEN 1 THEN 30 END, {notes}, {assigned}, {ends} \
         FROM many JOIN place ON place.k = (i / 50) % 60 ORDER BY i; \
         INSERT INTO targets VALUES ('search', 'Search results', '搜索结果', 'data', 1), ('hotels', 'Hotels', '酒店', 'travel', 2); \
         INSERT INTO node_targets SELECT 'search', id FROM nodes WHERE id % 2 = 0; \
         INSERT INTO node_targets SELECT 'hotels', id FROM nodes WHERE id % 4 = 0; \
         INSERT INTO stock SELECT '', ver_str, country, city, isp, node_type, count(*), \
           sum(CASE state WHEN 'available' THEN 1 ELSE 0 END) FROM nodes GROUP BY ver_str, country, city, isp, node_type; \
         INSERT INTO stock SELECT target, ver_str, country, city, isp, node_type, count(*), \
           sum(CASE state WHEN 'available' THEN 1 ELSE 0 END) FROM node_targets JOIN nodes ON id = node_id \
           GROUP BY target, ver_str, country, city, isp, node_type; \
         DROP TABLE many; DROP TABLE place;",
        last = inventory - 1,
        notes = "CASE WHEN own = 1 AND i % 5 = 0 THEN 'rack ' || (i % 500) WHEN own = 1 AND i % 97 = 0 THEN '比价 酒店' ELSE '' END",
        assigned = format_args!("CAST(CASE own WHEN 1 THEN '{}' END AS {time})", now.format("%Y-%m-%d %H:%M:%S")),
        ends = format_args!("CAST(CASE own WHEN 1 THEN ends END AS {time})"),
    )
}
