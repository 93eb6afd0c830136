//! Durable intake of usage records: reports sent to the server, against a bare loop of multi-row inserts of the same rows into the same table, with
//! the fastest kind of statement.
use crate::CLIENTS;
use crate::client::Client;
use crate::report::{Bound, Report, median, median_ratio, per_second};
use crate::servers::Server;
use crate::shop::Shop;
use crate::traffic::fill::{Crowd, popular};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Text, Timestamp};
use postern_core::time::to_wire;
use postern_core::usage::MAX_RECORDS;
use postern_server::db::{CachedStatement, Conn, sqlite_path};
use postern_server::error::AppError;
use postern_server::schema::{usage_records, usage_reports};
use serde::Serialize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const LEAST_OF_BARE: f64 = 0.5;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(4);
/// Reports that are sent repeatedly, with different ids.
const REPORTS: usize = 32;
/// Number of proxy users, countries and hosts in a log at a time.
const ACTIVE_USERS: usize = 2_000;
const COUNTRIES: [&str; 8] = ["US", "DE", "GB", "FR", "JP", "BR", "IN", "CA"];
const TARGETS: usize = 300;

/// A record as stored in the table.
#[derive(Clone, Insertable, Serialize)]
#[diesel(table_name = usage_records)]
struct Row {
    server_id: i64,
    record_id: String,
    #[serde(serialize_with = "as_text")]
    used_at: NaiveDateTime,
    account_id: i64,
    proxy_user_id: i64,
    country: &'static str,
    target: String,
    upload_bytes: i64,
    download_bytes: i64,
    #[serde(serialize_with = "as_text")]
    received_at: NaiveDateTime,
}

fn as_text<S: serde::Serializer>(time: &NaiveDateTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&to_wire(*time))
}

/// The placeholder of an id.
const NO_ID: &str = "0000000000000000";

/// A report whose records get new ids each time it is sent.
struct Prepared {
    text: Vec<u8>,
    ids_at: Vec<usize>,
    rows: Vec<Row>,
}

fn reports(crowd: &Crowd, now: NaiveDateTime) -> Vec<Prepared> {
    let mut random = fastrand::Rng::with_seed(7);
    let one = |_| {
        let mut text = String::from(r#"{"Records":["#);
        let (mut ids_at, mut rows) = (Vec::new(), Vec::new());
        for index in 0..MAX_RECORDS {
            // Neighbours in the list belong to one account; active users belong to all.
            let user = popular(&mut random, ACTIVE_USERS) * 47 % crowd.names.len();
            let target = format!("shop-{}.example.com", popular(&mut random, TARGETS));
            let used_at = now - TimeDelta::seconds(random.i64(0..90));
            let (upload_bytes, download_bytes) = (random.i64(200..20_000), random.i64(1_000..2_000_000));
            let country = COUNTRIES[popular(&mut random, COUNTRIES.len())];
            let comma = if index == 0 { "" } else { "," };
            text.push_str(&format!(r#"{comma}{{"Id":"{NO_ID}"#));
            ids_at.push(text.len() - NO_ID.len());
            text.push_str(&format!(
                r#"","UsedAt":"{}","UserName":"user-{}-country-{}","Country":"{country}","Target":"{target}:443","UploadBytes":{upload_bytes},"DownloadBytes":{download_bytes}}}"#,
                to_wire(used_at), crowd.names[user], country.to_ascii_lowercase(),
            ));
            let (account_id, proxy_user_id) = crowd.owners[user];
            rows.push(Row {
                server_id: 1_000,
                record_id: NO_ID.to_owned(),
                used_at,
                account_id,
                proxy_user_id,
                country,
                target,
                upload_bytes,
                download_bytes,
                received_at: now,
            });
        }
        text.push_str("]}");
        Prepared { text: text.into_bytes(), ids_at, rows }
    };
    (0..REPORTS).map(one).collect()
}

static NEXT_ID: AtomicU64 = AtomicU64::new(1);

fn new_ids() -> impl Iterator<Item = String> {
    let first = NEXT_ID.fetch_add(MAX_RECORDS as u64, Ordering::Relaxed);
    (first..).map(|id| format!("{id:016}"))
}

/// Sends reports for a while; returns the number of counted records.
fn send(server: &Server, secret: &str, reports: &[Prepared], number: usize) -> anyhow::Result<u32> {
    let mut client = Client::new(server.address, &format!("Authorization: Bearer {secret}\r\n"))?;
    let (begin, mut counted) = (Instant::now(), 0);
    let mut next = number;
    while begin.elapsed() < ROUND {
        let report = &reports[next % reports.len()];
        next += 1;
        let mut text = report.text.clone();
        for (at, id) in report.ids_at.iter().zip(new_ids()) {
            text[*at..at + NO_ID.len()].copy_from_slice(id.as_bytes());
        }
        let answer = client.post("/proxy-server/usage", std::str::from_utf8(&text)?, "")?;
        let answer: serde_json::Value = serde_json::from_slice(answer)?;
        anyhow::ensure!(answer["Counted"] == MAX_RECORDS && answer["Repeated"] == 0, "{answer}");
        counted += MAX_RECORDS as u32;
    }
    Ok(counted)
}

/// How the bare loop inserts a report's rows.
#[derive(Clone, Copy)]
enum How {
    /// Rows of bound values, this many per statement.
    Values(usize),
    /// One JSON text, parsed by the database.
    Json,
    /// An array for each column, on PostgreSQL.
    Arrays,
}

const HOWS: [(How, &str); 4] = [
    (How::Values(100), "100 rows of values"),
    (How::Values(1_000), "1,000 rows of values"),
    (How::Json, "one JSON text"),
    (How::Arrays, "an array for each column"),
];

const COLUMNS: &str = "server_id, record_id, used_at, account_id, proxy_user_id, country, target, upload_bytes, download_bytes, received_at";

fn insert(conn: &mut Conn, how: How, rows: &[Row]) -> Result<(), AppError> {
    match how {
        How::Values(count) => {
            for rows in rows.chunks(count) {
                match conn {
                    Conn::Postgres(conn) => {
                        diesel::insert_into(usage_records::table).values(rows).execute(conn)?;
                    }
                    Conn::Sqlite(conn) => {
                        diesel::insert_into(usage_records::table).values(rows).execute(conn)?;
                    }
                }
            }
        }
        How::Arrays => {
            if let Conn::Postgres(conn) = conn {
                insert_arrays(conn, rows)?;
            }
        }
        How::Json => {
            let text = serde_json::to_string(rows)?;
            let fields = COLUMNS.split(", ").map(|name| format!("json_extract(value, '$.{name}')"));
            let fields = fields.collect::<Vec<_>>().join(", ");
            let into = format!("INSERT INTO usage_records ({COLUMNS}) SELECT");
            match conn {
                Conn::Postgres(conn) => {
                    let text_of = format!(
                        "{into} {COLUMNS} FROM json_to_recordset(CAST($1 AS json)) AS line (server_id bigint, record_id text, \
                         used_at timestamp, account_id bigint, proxy_user_id bigint, country text, target text, \
                         upload_bytes bigint, download_bytes bigint, received_at timestamp)"
                    );
                    CachedStatement(diesel::sql_query(text_of).bind::<Text, _>(text)).execute(conn)?;
                }
                Conn::Sqlite(conn) => {
                    let text_of = format!("{into} {fields} FROM json_each(?)");
                    CachedStatement(diesel::sql_query(text_of).bind::<Text, _>(text)).execute(conn)?;
                }
            }
        }
    }
    Ok(())
}

fn insert_arrays(conn: &mut PgConnection, rows: &[Row]) -> Result<(), AppError> {
    fn column<'r, T>(rows: &'r [Row], of: impl Fn(&'r Row) -> T) -> Vec<T> {
        rows.iter().map(of).collect()
    }
    let text =
        format!("INSERT INTO usage_records ({COLUMNS}) SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)");
    let query = diesel::sql_query(text)
        .bind::<Array<BigInt>, _>(column(rows, |row| row.server_id))
        .bind::<Array<Text>, _>(column(rows, |row| row.record_id.as_str()))
        .bind::<Array<Timestamp>, _>(column(rows, |row| row.used_at))
        .bind::<Array<BigInt>, _>(column(rows, |row| row.account_id))
        .bind::<Array<BigInt>, _>(column(rows, |row| row.proxy_user_id))
        .bind::<Array<Text>, _>(column(rows, |row| row.country))
        .bind::<Array<Text>, _>(column(rows, |row| row.target.as_str()))
        .bind::<Array<BigInt>, _>(column(rows, |row| row.upload_bytes))
        .bind::<Array<BigInt>, _>(column(rows, |row| row.download_bytes))
        .bind::<Array<Timestamp>, _>(column(rows, |row| row.received_at));
    CachedStatement(query).execute(conn)?;
    Ok(())
}

/// Inserts in one transaction per report, with the fastest number of concurrent loops: on SQLite there is one writer.
fn insert_all(shop: &Shop, conns: &[Mutex<Conn>], how: How, reports: &[Prepared]) -> anyhow::Result<f64> {
    per_second(conns.len(), &|number| {
        let mut conn = conns[number].lock().map_err(|_| anyhow::anyhow!("a loop broke off"))?;
        let (begin, mut inserted) = (Instant::now(), 0);
        let mut next = number;
        while begin.elapsed() < ROUND {
            let mut rows = reports[next % reports.len()].rows.clone();
            next += 1;
            rows.iter_mut().zip(new_ids()).for_each(|(row, id)| row.record_id = id);
            let done = match &mut *conn {
                Conn::Postgres(_) => conn.transaction(|conn| insert(conn, how, &rows)),
                Conn::Sqlite(_) => shop.app.db.write_blocking(|conn| insert(conn, how, &rows)),
            };
            done.map_err(|error| anyhow::anyhow!("{error}"))?;
            inserted += rows.len() as u32;
        }
        Ok(inserted)
    })
}

/// Waits until all reports are aggregated.
fn wait_for_sums(shop: &Shop) -> anyhow::Result<f64> {
    let begin = Instant::now();
    loop {
        let waiting = shop.app.db.read_blocking(|conn| Ok(usage_reports::table.count().get_result::<i64>(conn)?));
        if waiting.map_err(|error| anyhow::anyhow!("{error}"))? == 0 {
            return Ok(begin.elapsed().as_secs_f64());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub fn measure(shop: &Shop, server: &Server, crowd: &Crowd, report: &mut Report) -> anyhow::Result<()> {
    let reports = reports(crowd, shop.app.clock.now());
    let conns: Vec<Mutex<Conn>> = match sqlite_path(shop.database_url()) {
        // A placeholder: the product's writer, with its settings, is used.
        Some(_) => vec![Mutex::new(Conn::Sqlite(diesel::sqlite::SqliteConnection::establish(":memory:")?))],
        None => (0..CLIENTS)
            .map(|_| Ok(Mutex::new(Conn::Postgres(PgConnection::establish(shop.database_url())?))))
            .collect::<anyhow::Result<_>>()?,
    };
    let hows = if sqlite_path(shop.database_url()).is_some() { &HOWS[..3] } else { &HOWS[..] };
    let (mut rates, mut added_rates) = (Vec::new(), Vec::new());
    let mut bare_rates = vec![Vec::new(); hows.len()];
    for round in 0..=ROUNDS {
        let rate = per_second(CLIENTS, &|number| {
            send(server, &crowd.secrets[number % crowd.secrets.len()], &reports, number)
        })?;
        // Pending aggregation must not slow down the bare loops.
        let more = wait_for_sums(shop)?;
        let mut bare = Vec::new();
        for (how, _) in hows {
            bare.push(insert_all(shop, &conns, *how, &reports)?);
        }
        if round == 0 {
            // The first round is a warm-up: a shop's tables are not empty for long, and databases analyse them.
            shop.analyze()?;
            continue;
        }
        rates.push(rate);
        added_rates.push(rate * ROUND.as_secs_f64() / (ROUND.as_secs_f64() + more));
        bare_rates.iter_mut().zip(bare).for_each(|(rates, rate)| rates.push(rate));
    }
    for ((_, name), rates) in hows.iter().zip(&bare_rates) {
        report.note(&format!("bare inserts, {name}"), &format!("{:.0} records/s", median(rates.clone())));
    }
    // The fastest statement of each round.
    let best: Vec<f64> =
        (0..ROUNDS).map(|round| bare_rates.iter().map(|rates| rates[round]).fold(0.0, f64::max)).collect();
    report.note("usage records, until added up", &format!("{:.0} records/s", median(added_rates)));
    let ratio = median_ratio(&rates, &best);
    let numbers = format!("{:.0} of {:.0} bare records/s = {ratio:.2}", median(rates), median(best));
    report.line("usage records, durably", &numbers, ratio, &Bound::AtLeast(LEAST_OF_BARE));
    Ok(())
}
