//! The endpoint for usage reports. A report's records and what they add to the sums are written in one transaction, which skips
//! records that are there already: a report may be sent again, in parts, in any order and at once, and counts once.
use crate::db::{Conn, Kept};
use crate::error::AppError;
use crate::http::bodies::collect;
use crate::proxy_access::servers::{Known, by_secret, note_seen};
use crate::proxy_servers::Secret;
use crate::schema::usage_reports;
use crate::state::App;
use crate::usage::keeping;
use crate::usage::owners::Owners;
use crate::usage::records::{Read, Unreadable, read_report};
use crate::usage::rejected;
use crate::usage::sums::{Amount, Owner, Place, Sums};
use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text, Timestamp};
use postern_core::bounds::BODY_MAX_BYTES;
use postern_core::code::Code;
use postern_core::time::to_wire;
use postern_core::usage::{CheckedRecord, MAX_RECORDS, UsageRejection};
use serde::Serialize;
use serde_json::json;
use std::collections::{BTreeMap, HashSet};

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(web::resource("/proxy-server/usage").route(web::post().to(take_report)));
}

/// What became of a report's records.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Taken {
    counted: usize,
    /// Those that were counted before.
    repeated: usize,
    rejected: Vec<Rejection>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Rejection {
    /// The record's position in the report, from 0.
    index: usize,
    reason: UsageRejection,
}

/// Answers 200 once the report is stored, whatever its records are like: sending it again would change nothing. Answers 503 if it could
/// not be stored, and 400 if it is no report at all.
async fn take_report(app: web::Data<App>, secret: Secret, payload: web::Payload) -> HttpResponse {
    let server = match app.db.read(move |conn| by_secret(conn, &secret.0)).await {
        Ok(Some(server)) => server,
        Ok(None) => return HttpResponse::Unauthorized().finish(),
        Err(error) => return not_now(&error),
    };
    let body = match collect(payload.into_inner(), BODY_MAX_BYTES).await {
        Ok(body) => body,
        Err(error) => return unread(&error),
    };
    let now = app.clock.now();
    let records = match read_report(&body, server.kind, now) {
        Ok(records) => records,
        Err(Unreadable::Malformed) => return HttpResponse::BadRequest().json(json!({ "Error": "malformed" })),
        Err(Unreadable::TooManyRecords) => {
            return HttpResponse::BadRequest().json(json!({ "Error": "too_many_records", "Max": MAX_RECORDS }));
        }
    };
    let stored = std::sync::Arc::new((server, records));
    let again = stored.clone();
    let mut taken = app.db.write(move |conn| store(conn, &stored.0, &stored.1, now)).await;
    if taken.as_ref().is_err_and(keeping::is_without_partition) {
        let made = app.db.write(move |conn| keeping::make_partitions(conn, now)).await;
        taken = match made {
            Ok(()) => app.db.write(move |conn| store(conn, &again.0, &again.1, now)).await,
            Err(error) => Err(error),
        };
    }
    match taken {
        Ok(taken) => HttpResponse::Ok().json(taken),
        Err(error) => not_now(&error),
    }
}

fn unread(error: &AppError) -> HttpResponse {
    let status = match error {
        AppError::Answer(refusal) if refusal.code == Code::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        AppError::Answer(refusal) if refusal.code == Code::BodyTooSlow => StatusCode::REQUEST_TIMEOUT,
        _ => StatusCode::BAD_REQUEST,
    };
    HttpResponse::build(status).finish()
}

fn not_now(error: &AppError) -> HttpResponse {
    tracing::error!(%error, "a usage report could not be stored");
    HttpResponse::ServiceUnavailable().finish()
}

/// A record with whose it is.
struct Owned<'a> {
    record: &'a CheckedRecord,
    account_id: i64,
    owner: Owner,
}

fn store(conn: &mut Conn, server: &Known, records: &[Read], now: NaiveDateTime) -> Result<Taken, AppError> {
    let checked: Vec<&CheckedRecord> = records.iter().filter_map(|read| read.record.as_ref().ok()).collect();
    let owners = Owners::of(conn, &checked)?;
    let mut taken = Taken::default();
    // By id and time, which is also the order of writing: two reports never wait for each other in a circle.
    let mut known: BTreeMap<(&str, NaiveDateTime), Owned> = BTreeMap::new();
    let mut set_aside: Vec<(&str, UsageRejection)> = Vec::new();
    for (index, read) in records.iter().enumerate() {
        let owned = match &read.record {
            Ok(record) => owners.find(record).map(|found| (record, found)).ok_or(UsageRejection::UnknownUser),
            Err(reason) => Err(*reason),
        };
        match owned {
            Ok((record, (account_id, owner))) => {
                let before = known.insert((&record.id, record.used_at), Owned { record, account_id, owner });
                taken.repeated += usize::from(before.is_some());
            }
            Err(reason) => {
                set_aside.push((&read.text, reason));
                taken.rejected.push(Rejection { index, reason });
            }
        }
    }
    let new = insert(conn, server.id, known.values(), now)?;
    taken.counted = new.len();
    taken.repeated += known.len() - new.len();
    let mut sums = Sums::default();
    for Owned { record, account_id, owner } in known.values() {
        if !new.contains(&(record.id.clone(), record.used_at)) {
            continue;
        }
        let signed =
            |bytes: u64| i64::try_from(bytes).map_err(|_| AppError::internal("more bytes than a record may have"));
        let amount = Amount {
            upload_bytes: signed(record.upload_bytes)?,
            download_bytes: signed(record.download_bytes)?,
            requests: 1,
        };
        let (country, target) = (record.country.clone(), record.target.clone());
        sums.add(Place { account_id: *account_id, at: record.used_at, owner: *owner, country, target }, amount);
    }
    if !new.is_empty() {
        let row = (usage_reports::sums.eq(sums.write()?), usage_reports::received_at.eq(now));
        diesel::insert_into(usage_reports::table).values(row).execute(conn)?;
    }
    rejected::keep(conn, server.id, &set_aside, now)?;
    note_seen(conn, server, now)?;
    Ok(taken)
}

/// A record as the statements below read it.
#[derive(Serialize)]
struct Line<'a> {
    i: &'a str,
    t: String,
    a: i64,
    u: Option<i64>,
    n: Option<i64>,
    c: &'a str,
    h: &'a str,
    o: u64,
    d: u64,
}

const ON_SQLITE: &str = "INSERT INTO usage_records (server_id, record_id, used_at, account_id, proxy_user_id, node_id, country, \
    target, upload_bytes, download_bytes, received_at) \
    SELECT ?, json_extract(value, '$.i'), json_extract(value, '$.t'), json_extract(value, '$.a'), json_extract(value, '$.u'), \
    json_extract(value, '$.n'), json_extract(value, '$.c'), json_extract(value, '$.h'), json_extract(value, '$.o'), \
    json_extract(value, '$.d'), ? FROM json_each(?) WHERE TRUE ON CONFLICT DO NOTHING RETURNING record_id, used_at";

const ON_POSTGRES: &str = "INSERT INTO usage_records (server_id, record_id, used_at, account_id, proxy_user_id, node_id, country, \
    target, upload_bytes, download_bytes, received_at) \
    SELECT $1, i, t, a, u, n, c, h, o, d, $2 FROM json_to_recordset(CAST($3 AS json)) AS line \
    (i text, t timestamp, a bigint, u bigint, n bigint, c text, h text, o bigint, d bigint) \
    ON CONFLICT DO NOTHING RETURNING record_id, used_at";

#[derive(QueryableByName)]
struct Inserted {
    #[diesel(sql_type = Text)]
    record_id: String,
    #[diesel(sql_type = Timestamp)]
    used_at: NaiveDateTime,
}

/// Writes the records that are not there yet, in one statement, and returns which they were.
fn insert<'a>(
    conn: &mut Conn,
    server_id: i64,
    records: impl Iterator<Item = &'a Owned<'a>>,
    now: NaiveDateTime,
) -> Result<HashSet<(String, NaiveDateTime)>, AppError> {
    let line = |Owned { record, account_id, owner }: &'a Owned<'a>| Line {
        i: &record.id,
        t: to_wire(record.used_at),
        a: *account_id,
        u: if let Owner::ProxyUser(id) = owner { Some(*id) } else { None },
        n: if let Owner::Node(id) = owner { Some(*id) } else { None },
        c: &record.country,
        h: &record.target,
        o: record.upload_bytes,
        d: record.download_bytes,
    };
    let lines: Vec<Line> = records.map(line).collect();
    if lines.is_empty() {
        return Ok(HashSet::new());
    }
    let lines = serde_json::to_string(&lines)?;
    macro_rules! insert {
        ($text:expr) => {
            sql_query($text).bind::<BigInt, _>(server_id).bind::<Timestamp, _>(now).bind::<Text, _>(lines)
        };
    }
    let inserted: Vec<Inserted> = match conn {
        Conn::Postgres(conn) => Kept(insert!(ON_POSTGRES)).load(conn)?,
        Conn::Sqlite(conn) => Kept(insert!(ON_SQLITE)).load(conn)?,
    };
    Ok(inserted.into_iter().map(|row| (row.record_id, row.used_at)).collect())
}
