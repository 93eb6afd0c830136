//! A shop with proxy servers, 100,000 proxy users with traffic, and an account with the sums of 10,000,000 records.
use crate::shop::{Customer, Shop};
use anyhow::Context;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::usage::{MAX_TARGETS, MAX_TARGETS_OF_MONTH, UsageDimension, day_of, hour_of, month_of};
use postern_server::db::Conn;
use postern_server::error::AppError;
use postern_server::schema::{proxy_servers, proxy_users, usage_days, usage_hours, usage_months};
use postern_server::security::{new_token, sha256};
use std::collections::{HashMap, HashSet};

pub const PROXY_USERS: usize = 100_000;
pub const PASSWORD: &str = "k3yring99";
const ACCOUNTS: usize = 200;
const PROXY_SERVERS: usize = 4;
/// More than any run uses.
const BATCH_BYTES: i64 = 1_000_000_000_000_000;

/// Records behind the charts, and the days they cover: two years, because a chart of one is compared with the previous one.
pub const RECORDS: usize = 10_000_000;
const DAYS: i64 = 731;
const READERS_USERS: usize = 60;
const READERS_COUNTRIES: usize = 25;
const READERS_TARGETS: usize = 400;

/// Rows per statement.
const CHUNK: usize = 2_000;

/// Proxy users by name, and the secrets of the proxy servers.
pub struct Crowd {
    pub secrets: Vec<String>,
    pub names: Vec<String>,
    /// The owner of each: account and proxy user.
    pub owners: Vec<(i64, i64)>,
}

fn wrong(error: AppError) -> anyhow::Error {
    anyhow::anyhow!("{error}")
}

pub fn crowd(shop: &Shop) -> anyhow::Result<Crowd> {
    eprintln!("loading {PROXY_USERS} proxy users");
    let now = shop.app.clock.now();
    let accounts: Vec<Customer> = (0..ACCOUNTS).map(|number| shop.customer(number, 1_000)).collect::<Result<_, _>>()?;
    let sealed = shop.app.key.seal(PASSWORD)?;
    // Old enough that no refresh of the cache sees them as changed.
    let then = now - TimeDelta::days(40);
    let secrets: Vec<String> = (0..PROXY_SERVERS).map(|_| new_token()).collect();
    let loaded = shop.app.db.write_blocking(|conn| {
        for (number, secret) in secrets.iter().enumerate() {
            let server = (
                proxy_servers::name.eq(format!("gate-{number}")),
                proxy_servers::kind.eq(ProxyServerKind::Residential),
                proxy_servers::host.eq("gate.example.com"),
                proxy_servers::http_port.eq(8_000),
                proxy_servers::secret_sha256.eq(sha256(secret)),
                proxy_servers::created_at.eq(then),
            );
            diesel::insert_into(proxy_servers::table).values(server).execute(conn)?;
        }
        let time = |conn: &Conn| match conn {
            Conn::Postgres(_) => format!("CAST('{then}' AS TIMESTAMP)"),
            Conn::Sqlite(_) => format!("'{}'", then.format("%Y-%m-%d %H:%M:%S")),
        };
        let time = time(conn);
        for (number, account) in accounts.iter().enumerate() {
            let id = account.account_id;
            let each = PROXY_USERS / ACCOUNTS;
            let first = number * each;
            conn.batch_execute(&format!(
                "INSERT INTO orders (order_number, account_id, kind, state, currency, subtotal_minor, discount_minor, total_minor, \
                   created_at, expires_at) \
                 VALUES ('bench-{id}', {id}, 'purchase', 'fulfilled', 'USD', 0, 0, 0, {time}, {time}); \
                 INSERT INTO traffic_batches (account_id, order_id, bought_bytes, begins_at) \
                 SELECT {id}, id, {BATCH_BYTES}, {time} FROM orders WHERE order_number = 'bench-{id}'; \
                 INSERT INTO traffic_accounts (account_id, changed_at) VALUES ({id}, {time}); \
                 WITH RECURSIVE n (i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {last}) \
                 INSERT INTO proxy_users (account_id, name, password_sealed, state, limit_cycle, cycle_starts_at, created_at, changed_at) \
                 SELECT {id}, 'scraper_' || i, '{sealed}', 'active', 'none', {time}, {time}, {time} FROM n",
                last = first + each - 1,
            ))?;
        }
        let users = proxy_users::table.order(proxy_users::id);
        Ok(users.select((proxy_users::name, proxy_users::account_id, proxy_users::id)).load(conn)?)
    });
    let users: Vec<(String, i64, i64)> = loaded.map_err(wrong)?;
    let owners = users.iter().map(|(_, account_id, id)| (*account_id, *id)).collect();
    Ok(Crowd { secrets, names: users.into_iter().map(|user| user.0).collect(), owners })
}

/// A random index below `count`, with a skewed distribution: small indexes are the most likely.
pub fn popular(random: &mut fastrand::Rng, count: usize) -> usize {
    // Log-uniform, as in Zipf's law.
    let place = (count as f64).powf(random.f64());
    (place as usize).min(count) - 1
}

type Key = (usize, NaiveDateTime, u32);
type Sums = HashMap<Key, [i64; 3]>;
const DIMENSIONS: [UsageDimension; 4] =
    [UsageDimension::All, UsageDimension::User, UsageDimension::Country, UsageDimension::Target];
/// The target under which targets without a row of their own are counted.
const OTHERS: u32 = u32::MAX;

/// The sums of one unit of time, as the job would have made them from the records.
struct Unit {
    start_of: fn(NaiveDateTime) -> NaiveDateTime,
    max_targets: usize,
    known: HashMap<NaiveDateTime, HashSet<u32>>,
    sums: Sums,
}

impl Unit {
    fn new(start_of: fn(NaiveDateTime) -> NaiveDateTime, max_targets: usize) -> Unit {
        Unit { start_of, max_targets, known: HashMap::new(), sums: Sums::new() }
    }

    fn add(&mut self, at: NaiveDateTime, [user, country, target]: [u32; 3], amounts: [i64; 2]) {
        let starts_at = (self.start_of)(at);
        let known = self.known.entry(starts_at).or_default();
        let is_own = known.contains(&target) || known.len() < self.max_targets && known.insert(target);
        let target = if is_own { target } else { OTHERS };
        for (dimension, name) in [0, user, country, target].into_iter().enumerate() {
            let sum = self.sums.entry((dimension, starts_at, name)).or_default();
            *sum = [sum[0] + amounts[0], sum[1] + amounts[1], sum[2] + 1];
        }
    }
}

/// An account with the sums that the job would have made of 10,000,000 random records. Charts do not read the records themselves.
pub fn year(shop: &Shop) -> anyhow::Result<Customer> {
    eprintln!("drawing {RECORDS} records, and adding them up");
    let customer = shop.customer(ACCOUNTS, 1_000)?;
    let now = hour_of(shop.app.clock.now());
    let mut random = fastrand::Rng::with_seed(15);
    let mut units =
        [Unit::new(hour_of, MAX_TARGETS), Unit::new(day_of, MAX_TARGETS), Unit::new(month_of, MAX_TARGETS_OF_MONTH)];
    for _ in 0..RECORDS {
        // Half as much at night as during the day.
        let mut seconds = random.i64(0..DAYS * 86_400);
        if seconds % 86_400 < 28_800 && random.bool() {
            seconds += 36_000;
        }
        let at = hour_of(now - TimeDelta::seconds(seconds));
        let names = [
            popular(&mut random, READERS_USERS) as u32 + 1,
            popular(&mut random, READERS_COUNTRIES) as u32,
            popular(&mut random, READERS_TARGETS) as u32,
        ];
        let download = random.i64(1_000..2_000_000);
        units.iter_mut().for_each(|unit| unit.add(at, names, [download / 12, download]));
    }
    let account_id = customer.account_id;
    let mut rows = 0;
    macro_rules! insert {
        ($table:ident, $sums:expr) => {{
            let mut sums: Vec<(Key, [i64; 3])> = $sums.into_iter().collect();
            sums.sort_unstable();
            rows += sums.len();
            let row = |((dimension, starts_at, name), [upload, download, requests]): &(Key, [i64; 3])| {
                let name = match (*dimension, *name) {
                    (0, _) | (3, OTHERS) => String::new(),
                    (1, name) => name.to_string(),
                    (2, name) => {
                        format!("{}{}", char::from(b'A' + (name / 5) as u8), char::from(b'A' + (name % 5) as u8))
                    }
                    (_, name) => format!("shop-{name}.example.com"),
                };
                (
                    $table::account_id.eq(account_id),
                    $table::kind.eq(ProxyServerKind::Residential),
                    $table::dimension.eq(DIMENSIONS[*dimension]),
                    $table::starts_at.eq(*starts_at),
                    $table::name.eq(name),
                    $table::upload_bytes.eq(*upload),
                    $table::download_bytes.eq(*download),
                    $table::requests.eq(*requests),
                )
            };
            let inserted = shop.app.db.write_blocking(|conn| {
                for sums in sums.chunks(CHUNK) {
                    let rows: Vec<_> = sums.iter().map(row).collect();
                    match conn {
                        Conn::Postgres(conn) => diesel::insert_into($table::table).values(&rows).execute(conn)?,
                        Conn::Sqlite(conn) => diesel::insert_into($table::table).values(&rows).execute(conn)?,
                    };
                }
                Ok(())
            });
            inserted.map_err(wrong)?;
        }};
    }
    let [hours, days, months] = units.map(|unit| unit.sums);
    insert!(usage_hours, hours);
    insert!(usage_days, days);
    insert!(usage_months, months);
    eprintln!("{rows} rows of sums");
    Ok(customer)
}

/// A time zone whose offset is not a whole number of hours.
pub const ZONE: &str = "Asia/Kolkata";

/// A local time of the zone, in UTC.
pub fn utc_of(local: NaiveDateTime) -> anyhow::Result<NaiveDateTime> {
    let zone = postern_core::time::time_zone(ZONE).context("a zone")?;
    Ok(local.and_local_timezone(zone).earliest().context("a time")?.naive_utc())
}
