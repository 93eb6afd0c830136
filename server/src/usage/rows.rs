//! Writes a report's records with one statement, in the fastest form for each database.
use crate::authorizer::servers::ServerIdentity;
use crate::db::prelude::*;
use crate::db::{CachedStatement, Conn};
use crate::error::AppError;
use crate::usage::sums::Owner;
use chrono::NaiveDateTime;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Nullable, Text, Timestamp};
use postern_core::time::to_wire;
use postern_core::usage::CheckedRecord;
use serde::Serialize;
use std::collections::HashSet;

/// A record with its owner.
pub struct Owned {
    pub record: CheckedRecord,
    pub account_id: i64,
    pub owner: Owner,
}

impl Owned {
    /// The record's unique key within a proxy server.
    pub fn key(&self) -> (&str, NaiveDateTime) {
        (&self.record.id, self.record.used_at)
    }
}

/// The records of a report in the form for the database: SQLite takes a JSON text, PostgreSQL an array per column, which needs no preparation.
pub enum Rows {
    Json(String),
    Columns,
}

/// A record as JSON for SQLite's statement.
#[derive(Serialize)]
struct RecordRow<'a> {
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

#[derive(Default)]
struct Columns<'a> {
    ids: Vec<&'a str>,
    times: Vec<NaiveDateTime>,
    accounts: Vec<i64>,
    proxy_users: Vec<Option<i64>>,
    nodes: Vec<Option<i64>>,
    countries: Vec<&'a str>,
    targets: Vec<&'a str>,
    uploads: Vec<i64>,
    downloads: Vec<i64>,
}

impl<'a> Columns<'a> {
    fn of(records: &'a [Owned]) -> Result<Columns<'a>, AppError> {
        let mut columns = Columns::default();
        for Owned { record, account_id, owner } in records {
            let (proxy_user, node) = owner.ids();
            columns.ids.push(&record.id);
            columns.times.push(record.used_at);
            columns.accounts.push(*account_id);
            columns.proxy_users.push(proxy_user);
            columns.nodes.push(node);
            columns.countries.push(&record.country);
            columns.targets.push(&record.target);
            columns.uploads.push(signed(record.upload_bytes)?);
            columns.downloads.push(signed(record.download_bytes)?);
        }
        Ok(columns)
    }
}

const ON_SQLITE: &str = "INSERT INTO usage_records (server_id, record_id, used_at, account_id, proxy_user_id, node_id, country, \
    target, upload_bytes, download_bytes, received_at) \
    SELECT ?, json_extract(value, '$.i'), json_extract(value, '$.t'), json_extract(value, '$.a'), json_extract(value, '$.u'), \
    json_extract(value, '$.n'), json_extract(value, '$.c'), json_extract(value, '$.h'), json_extract(value, '$.o'), \
    json_extract(value, '$.d'), ? FROM json_each(?) WHERE TRUE";

const ON_POSTGRES: &str = "INSERT INTO usage_records (server_id, record_id, used_at, account_id, proxy_user_id, node_id, country, \
    target, upload_bytes, download_bytes, received_at) \
    SELECT $1, i, t, a, u, n, c, h, o, d, $2 FROM unnest($3, $4, $5, $6, $7, $8, $9, $10, $11) \
    AS line (i, t, a, u, n, c, h, o, d)";

const NEW_ONLY: &str = " ON CONFLICT DO NOTHING RETURNING record_id, used_at";

#[derive(QueryableByName)]
struct Inserted {
    #[diesel(sql_type = Text)]
    record_id: String,
    #[diesel(sql_type = Timestamp)]
    used_at: NaiveDateTime,
}

macro_rules! with_json {
    ($statement:expr, $server:expr, $now:expr, $text:expr) => {
        sql_query($statement).bind::<BigInt, _>($server.id).bind::<Timestamp, _>($now).bind::<Text, _>($text.as_str())
    };
}

macro_rules! with_columns {
    ($statement:expr, $server:expr, $now:expr, $columns:expr) => {
        sql_query($statement)
            .bind::<BigInt, _>($server.id)
            .bind::<Timestamp, _>($now)
            .bind::<Array<Text>, _>(&$columns.ids)
            .bind::<Array<Timestamp>, _>(&$columns.times)
            .bind::<Array<BigInt>, _>(&$columns.accounts)
            .bind::<Array<Nullable<BigInt>>, _>(&$columns.proxy_users)
            .bind::<Array<Nullable<BigInt>>, _>(&$columns.nodes)
            .bind::<Array<Text>, _>(&$columns.countries)
            .bind::<Array<Text>, _>(&$columns.targets)
            .bind::<Array<BigInt>, _>(&$columns.uploads)
            .bind::<Array<BigInt>, _>(&$columns.downloads)
    };
}

impl Rows {
    /// In the form for the database of this connection.
    pub fn of(conn: &Conn, records: &[Owned]) -> Result<Rows, AppError> {
        if let Conn::Sqlite(_) = conn {
            let lines: Vec<RecordRow> = records.iter().map(RecordRow::of).collect();
            return Ok(Rows::Json(serde_json::to_string(&lines)?));
        }
        Ok(Rows::Columns)
    }

    /// Writes all records, or fails if one of them is already stored: [`is_there_already`]. That is rare, and on PostgreSQL checking each record
    /// takes twice as long as writing it.
    pub fn insert_all(
        &self,
        conn: &mut Conn,
        records: &[Owned],
        server: &ServerIdentity,
        now: NaiveDateTime,
    ) -> Result<(), AppError> {
        match (conn, self) {
            (Conn::Postgres(conn), Rows::Columns) => {
                let columns = Columns::of(records)?;
                CachedStatement(with_columns!(ON_POSTGRES, server, now, columns)).execute(conn)?;
            }
            (Conn::Sqlite(conn), Rows::Json(text)) => {
                CachedStatement(with_json!(ON_SQLITE, server, now, text)).execute(conn)?;
            }
            _ => return Err(AppError::internal("rows in the format of the other database")),
        }
        Ok(())
    }

    /// Writes the records that are not stored yet, and returns their keys.
    pub fn insert_new(
        &self,
        conn: &mut Conn,
        records: &[Owned],
        server: &ServerIdentity,
        now: NaiveDateTime,
    ) -> Result<HashSet<(String, NaiveDateTime)>, AppError> {
        let inserted: Vec<Inserted> = match (conn, self) {
            (Conn::Postgres(conn), Rows::Columns) => {
                let columns = Columns::of(records)?;
                let statement = [ON_POSTGRES, NEW_ONLY].concat();
                CachedStatement(with_columns!(statement, server, now, columns)).load(conn)?
            }
            (Conn::Sqlite(conn), Rows::Json(text)) => {
                CachedStatement(with_json!([ON_SQLITE, NEW_ONLY].concat(), server, now, text)).load(conn)?
            }
            _ => return Err(AppError::internal("rows in the format of the other database")),
        };
        Ok(inserted.into_iter().map(|row| (row.record_id, row.used_at)).collect())
    }
}

/// Whether a write failed because a record is already stored.
pub fn is_there_already(error: &AppError) -> bool {
    matches!(error, AppError::Database(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _)))
}

/// Bytes as stored in the table.
pub fn signed(bytes: u64) -> Result<i64, AppError> {
    i64::try_from(bytes).map_err(|_| AppError::internal("more bytes than a record may have"))
}

impl<'a> RecordRow<'a> {
    fn of(Owned { record, account_id, owner }: &'a Owned) -> RecordRow<'a> {
        let (proxy_user, node) = owner.ids();
        RecordRow {
            i: &record.id,
            t: to_wire(record.used_at),
            a: *account_id,
            u: proxy_user,
            n: node,
            c: &record.country,
            h: &record.target,
            o: record.upload_bytes,
            d: record.download_bytes,
        }
    }
}
