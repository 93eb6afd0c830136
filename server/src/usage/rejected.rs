//! Rejected records: stored with their reason, each once with a counter, up to a maximum.
use crate::db::prelude::*;
use crate::db::{CachedStatement, Conn};
use crate::error::AppError;
use crate::schema::rejected_usage;
use crate::security::sha256;
use chrono::NaiveDateTime;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text, Timestamp};
use postern_core::usage::{MAX_REJECTED, UsageRejection};
use serde::Serialize;
use std::collections::BTreeMap;

/// Maximum characters stored of a rejected record.
const KEPT_CHARACTERS: usize = 500;

const CHUNK: usize = 500;

#[derive(Serialize)]
struct Rejected {
    /// The record's hash.
    h: String,
    /// The start of the record.
    b: String,
    /// The reason.
    r: &'static str,
    /// The number of times it was received.
    t: i64,
}

const ON_SQLITE: &str = "INSERT INTO rejected_usage (server_id, record_sha256, record, reason, times, received_at) \
    SELECT ?, json_extract(value, '$.h'), json_extract(value, '$.b'), json_extract(value, '$.r'), json_extract(value, '$.t'), ? \
    FROM json_each(?) WHERE TRUE \
    ON CONFLICT (server_id, record_sha256) DO UPDATE SET times = rejected_usage.times + excluded.times, \
    reason = excluded.reason, received_at = excluded.received_at RETURNING id";

const ON_POSTGRES: &str = "INSERT INTO rejected_usage (server_id, record_sha256, record, reason, times, received_at) \
    SELECT $1, h, b, r, t, $2 FROM json_to_recordset(CAST($3 AS json)) AS rejected (h text, b text, r text, t bigint) \
    ON CONFLICT (server_id, record_sha256) DO UPDATE SET times = rejected_usage.times + excluded.times, \
    reason = excluded.reason, received_at = excluded.received_at RETURNING id";

#[derive(QueryableByName)]
struct Written {
    #[diesel(sql_type = BigInt)]
    #[allow(dead_code)]
    id: i64,
}

/// Stores rejected records. Beyond `MAX_REJECTED` per server, new ones only count in one row per reason.
pub fn keep(
    conn: &mut Conn,
    server_id: i64,
    records: &[(&str, UsageRejection)],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    if records.is_empty() {
        return Ok(());
    }
    let mut by_hash: BTreeMap<String, Rejected> = BTreeMap::new();
    for (text, reason) in records {
        let hash = sha256(text);
        let record = by_hash.entry(hash.clone()).or_insert_with(|| Rejected {
            h: hash,
            b: text.chars().filter(|character| *character != '\0').take(KEPT_CHARACTERS).collect(),
            r: reason.as_str(),
            t: 0,
        });
        record.t += 1;
    }
    let of_server = rejected_usage::table.filter(rejected_usage::server_id.eq(server_id));
    let kept: i64 = of_server.count().get_result(conn)?;
    let mut known: Vec<String> = Vec::new();
    let hashes: Vec<String> = by_hash.keys().cloned().collect();
    for hashes in hashes.chunks(CHUNK) {
        let these = of_server.filter(rejected_usage::record_sha256.eq_any(hashes));
        known.extend(these.select(rejected_usage::record_sha256).load::<String>(conn)?);
    }
    let mut room = MAX_REJECTED.saturating_sub(usize::try_from(kept).unwrap_or(usize::MAX));
    let mut written: BTreeMap<String, Rejected> = BTreeMap::new();
    for (hash, record) in by_hash {
        if known.contains(&hash) {
            written.insert(hash, record);
        } else if room > 0 {
            room -= 1;
            written.insert(hash, record);
        } else {
            let rest = format!("other records: {}", record.r);
            let more = Rejected { h: rest.clone(), b: String::new(), r: record.r, t: 0 };
            written.entry(rest).or_insert(more).t += record.t;
        }
    }
    // In a fixed order, so that two reports of a server cannot deadlock.
    let rows = serde_json::to_string(&written.values().collect::<Vec<_>>())?;
    macro_rules! upsert {
        ($text:expr) => {
            sql_query($text).bind::<BigInt, _>(server_id).bind::<Timestamp, _>(now).bind::<Text, _>(rows)
        };
    }
    match conn {
        Conn::Postgres(conn) => CachedStatement(upsert!(ON_POSTGRES)).load::<Written>(conn)?,
        Conn::Sqlite(conn) => CachedStatement(upsert!(ON_SQLITE)).load::<Written>(conn)?,
    };
    Ok(())
}
