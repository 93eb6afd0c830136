//! The endpoint for usage reports. A report's records and their sums are written in one transaction, which skips records that are already stored: a
//! report may be sent repeatedly, in parts, in any order and concurrently, and counts once.
use crate::authorizer::servers::{ServerIdentity, record_contact};
use crate::db::prelude::*;
use crate::db::{Conn, Database};
use crate::error::AppError;
use crate::http::answer::unavailable;
use crate::http::bodies::collect;
use crate::proxy_servers::Secret;
use crate::proxy_servers::authorize::known;
use crate::schema::usage_reports;
use crate::state::App;
use crate::usage::keeping;
use crate::usage::owners::Owners;
use crate::usage::records::{Read, Unreadable, read_report};
use crate::usage::rejected;
use crate::usage::rows::{Owned, Rows, is_there_already, signed};
use crate::usage::sums::{self, Amount, Part};
use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use chrono::NaiveDateTime;
use postern_core::bounds::BODY_MAX_BYTES;
use postern_core::code::Code;
use postern_core::proxy_protocol::{RejectedRecord, ReportOutcome};
use postern_core::usage::{CheckedRecord, MAX_RECORDS, UsageRejection};
use serde_json::json;
use std::borrow::Cow;
use std::sync::Arc;

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(web::resource("/proxy-server/usage").route(web::post().to(take_report)));
}

/// Responds with 200 once the report is stored, even if records were rejected: sending it again would change nothing. Responds with 503 if it could
/// not be stored, and with 400 if it is malformed or has too many records.
async fn take_report(app: web::Data<App>, secret: Secret, payload: web::Payload) -> HttpResponse {
    let server = match known(&app, &secret).await {
        Ok(server) => server,
        Err(refusal) => return refusal,
    };
    let body = match collect(payload.into_inner(), BODY_MAX_BYTES).await {
        Ok(body) => body,
        Err(error) => return unread(&error),
    };
    let now = app.clock.now();
    // Prepare everything before the write transaction, for which other writers wait.
    let prepared = app.db.read(move |conn| {
        let text = String::from_utf8_lossy(&body);
        match read_report(&text, matches!(text, Cow::Owned(_)), server.kind, now) {
            Ok(records) => Ok(Ok(prepare(conn, server, records)?)),
            Err(unreadable) => Ok(Err(unreadable)),
        }
    });
    let prepared = match prepared.await {
        Ok(Ok(prepared)) => prepared,
        Ok(Err(Unreadable::Malformed)) => return HttpResponse::BadRequest().json(json!({ "Error": "malformed" })),
        Ok(Err(Unreadable::TooManyRecords)) => {
            return HttpResponse::BadRequest().json(json!({ "Error": "too_many_records", "Max": MAX_RECORDS }));
        }
        Err(error) => return not_now(&error),
    };
    match write(&app.db, prepared, now).await {
        Ok(outcome) => HttpResponse::Ok().json(outcome),
        Err(error) => not_now(&error),
    }
}

/// Writes a report on the assumption that all records are new, which is almost always true. If one is already stored, the write fails as a whole and
/// is repeated without those.
async fn write(db: &Database, report: Prepared, now: NaiveDateTime) -> Result<ReportOutcome, AppError> {
    let report = Arc::new(report);
    let store_as = |expected: Expected| {
        let report = report.clone();
        db.write(move |conn| store(conn, &report, expected, now))
    };
    let (mut expected, mut has_partitions) = (Expected::AllNew, false);
    loop {
        match store_as(expected).await {
            Err(error) if expected == Expected::AllNew && is_there_already(&error) => expected = Expected::SomeNew,
            Err(error) if !has_partitions && keeping::is_missing_partition(&error) => {
                db.write(move |conn| keeping::make_partitions(conn, now)).await?;
                has_partitions = true;
            }
            stored => return stored,
        }
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
    unavailable().finish()
}

/// The assumption about a report's records.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Expected {
    AllNew,
    SomeNew,
}

/// A report, ready to be written.
struct Prepared {
    server: Arc<ServerIdentity>,
    /// Sorted by id and time: the same write order in all reports prevents deadlocks.
    records: Vec<Owned>,
    /// The records in the form for the database, and their sums if all of them are new.
    rows: Rows,
    sums: String,
    /// The number of duplicate records within the report.
    repeated: usize,
    rejected_texts: Vec<(String, UsageRejection)>,
    rejected: Vec<RejectedRecord>,
}

fn prepare(conn: &mut Conn, server: Arc<ServerIdentity>, read: Vec<Read>) -> Result<Prepared, AppError> {
    let checked: Vec<&CheckedRecord> = read.iter().filter_map(|read| read.record.as_ref().ok()).collect();
    let owners = Owners::of(conn, &checked)?;
    let (mut rejected_texts, mut rejected, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for (index, read) in read.into_iter().enumerate() {
        let owned = read.record.and_then(|record| {
            let (account_id, owner) = owners.find(&record).ok_or(UsageRejection::UnknownUser)?;
            Ok(Owned { record, account_id, owner })
        });
        match owned {
            Ok(owned) => records.push(owned),
            Err(reason) => {
                rejected_texts.push((read.text.to_owned(), reason));
                rejected.push(RejectedRecord { index, reason });
            }
        }
    }
    let count = records.len();
    // Of duplicate records, the last one counts.
    records.reverse();
    records.sort_by(|one: &Owned, other| one.key().cmp(&other.key()));
    records.dedup_by(|one, other| one.key() == other.key());
    let repeated = count - records.len();
    let rows = Rows::of(conn, &records)?;
    let sums = sums_of(records.iter())?;
    Ok(Prepared { server, records, rows, sums, repeated, rejected_texts, rejected })
}

fn sums_of<'a>(records: impl Iterator<Item = &'a Owned>) -> Result<String, AppError> {
    let part = |Owned { record, account_id, owner }: &'a Owned| {
        let amount = Amount {
            upload_bytes: signed(record.upload_bytes)?,
            download_bytes: signed(record.download_bytes)?,
            requests: 1,
        };
        let (account_id, at, owner) = (*account_id, record.used_at, *owner);
        Ok(Part { account_id, at, owner, country: &record.country, target: &record.target, amount })
    };
    sums::write(records.map(part).collect::<Result<Vec<_>, AppError>>()?)
}

fn store(
    conn: &mut Conn,
    report: &Prepared,
    expected: Expected,
    now: NaiveDateTime,
) -> Result<ReportOutcome, AppError> {
    let Prepared { server, records, rows, sums, .. } = report;
    let mut outcome = ReportOutcome { counted: 0, repeated: report.repeated, rejected: report.rejected.clone() };
    let sums = match expected {
        _ if records.is_empty() => None,
        Expected::AllNew => {
            rows.insert_all(conn, records, server, now)?;
            outcome.counted = records.len();
            Some(sums.clone())
        }
        Expected::SomeNew => {
            let new = rows.insert_new(conn, records, server, now)?;
            outcome.counted = new.len();
            outcome.repeated += records.len() - new.len();
            let new = records.iter().filter(|owned| new.contains(&(owned.record.id.clone(), owned.record.used_at)));
            if outcome.counted > 0 { Some(sums_of(new)?) } else { None }
        }
    };
    if let Some(sums) = sums {
        let row = (usage_reports::sums.eq(sums), usage_reports::received_at.eq(now));
        diesel::insert_into(usage_reports::table).values(row).execute(conn)?;
    }
    let rejected_texts: Vec<(&str, UsageRejection)> =
        report.rejected_texts.iter().map(|(text, reason)| (text.as_str(), *reason)).collect();
    rejected::keep(conn, server.id, &rejected_texts, now)?;
    record_contact(conn, server, now)?;
    Ok(outcome)
}
