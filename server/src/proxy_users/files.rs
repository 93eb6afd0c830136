//! Import and export of proxy users as CSV files.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::proxy_users::queries;
use crate::proxy_users::types::{ImportProxyUsers, ImportedProxyUser, ProxyUsersImported};
use crate::schema::proxy_users;
use crate::security::SecretKey;
use crate::state::App;
use crate::static_proxies::export::push_row;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpResponse, post, web};
use chrono::NaiveDateTime;
use postern_core::field_errors::FieldErrors;
use postern_core::proxy_user::format_gigabytes;
use postern_core::proxy_user_csv::{COLUMNS, read_proxy_users};
use postern_core::proxy_user_form::ProxyUser;
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use serde::Deserialize;
use std::collections::HashMap;

/// Rows per statement.
const CHUNK: usize = 200;

pub fn configure(config: &mut impl crate::http::routes::Routes) {
    config.service(import_proxy_users).service(export_proxy_users);
}

/// Refuses names that are taken, with an error at each line.
fn check_names(conn: &mut Conn, users: &[(u32, ProxyUser)]) -> Result<(), AppError> {
    let mut errors = FieldErrors::default();
    for users in users.chunks(CHUNK) {
        let names: Vec<&String> = users.iter().map(|(_, user)| &user.name).collect();
        let taken = proxy_users::table.filter(proxy_users::name.eq_any(names));
        let taken = taken.filter(proxy_users::deleted_at.is_null()).select(proxy_users::name);
        let taken: Vec<String> = taken.load(conn)?;
        for (line, _) in users.iter().filter(|(_, user)| taken.contains(&user.name)) {
            errors.add(&format!("Lines.{line}.Name"), Rule::NameTaken, &[]);
        }
    }
    Ok(errors.into_result(())?)
}

/// Adds the proxy users, and returns their ids with their lines.
fn insert_all(
    conn: &mut Conn,
    account_id: i64,
    users: &[(u32, ProxyUser)],
    key: &SecretKey,
    now: NaiveDateTime,
) -> Result<Vec<(u32, i64)>, AppError> {
    queries::check_room(conn, account_id, users.len(), "Csv")?;
    check_names(conn, users)?;
    users
        .iter()
        .map(|(line, user)| {
            let id = queries::insert(conn, account_id, user, key, now)?;
            // The name has been taken since the check.
            Ok((*line, id.ok_or_else(|| queries::name_taken(&format!("Lines.{line}.Name")))?))
        })
        .collect()
}

fn imported(
    conn: &mut Conn,
    account_id: i64,
    ids: &[(u32, i64)],
    key: &SecretKey,
) -> Result<Vec<ImportedProxyUser>, AppError> {
    let mut found = passwords(conn, account_id, key)?;
    let row = |(line, id): &(u32, i64)| {
        let (name, password) = found.remove(id)?;
        Some(ImportedProxyUser { line: *line as usize, name, password })
    };
    Ok(ids.iter().filter_map(row).collect())
}

/// The names and passwords of the account's proxy users, by id.
fn passwords(conn: &mut Conn, account_id: i64, key: &SecretKey) -> Result<HashMap<i64, (String, String)>, AppError> {
    let own = proxy_users::table.filter(proxy_users::account_id.eq(account_id));
    let own = own.filter(proxy_users::deleted_at.is_null());
    let rows: Vec<(i64, String, String)> =
        own.select((proxy_users::id, proxy_users::name, proxy_users::password_sealed)).load(conn)?;
    let opened =
        |(id, name, sealed): (i64, String, String)| Ok((id, (name, key.open(&sealed).map_err(AppError::Internal)?)));
    rows.into_iter().map(opened).collect()
}

/// Imports proxy users from a CSV file: all of them, or none if a line is invalid. Errors are at `Lines.{line}.{Field}`. The first line names the
/// columns; only `name` is required. A dry run only checks the file.
#[utoipa::path(
    tag = "ProxyUsers", request_body = ImportProxyUsers, responses((status = 200, body = Answer<ProxyUsersImported>)),
    security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body import it once"))
)]
#[post("/ProxyUsers/ImportProxyUsers")]
async fn import_proxy_users(
    app: web::Data<App>,
    who: SignedIn,
    write: Write<ImportProxyUsers>,
) -> Answered<ProxyUsersImported> {
    let (now, key, account_id) = (app.clock.now(), app.key.clone(), who.account_id);
    let users = read_proxy_users(&write.body.csv, now)?;
    let imported = app.db.write(move |conn| {
        if write.body.dry_run {
            queries::check_room(conn, account_id, users.len(), "Csv")?;
            check_names(conn, &users)?;
            return Ok(ProxyUsersImported { created: users.len(), rows: Vec::new() });
        }
        let ids = once(conn, account_id, &write.repeat, now, |conn| insert_all(conn, account_id, &users, &key, now))?;
        let ids: Vec<(u32, i64)> = Vec::deserialize(ids)?;
        Ok(ProxyUsersImported { created: ids.len(), rows: imported(conn, account_id, &ids, &key)? })
    });
    answer(imported.await?)
}

fn exported(conn: &mut Conn, account_id: i64, key: &SecretKey) -> Result<String, AppError> {
    let mut passwords = passwords(conn, account_id, key)?;
    let mut out = String::new();
    push_row(&mut out, &COLUMNS);
    for row in queries::all(conn, account_id)? {
        let (name, password) = passwords.remove(&row.id).unwrap_or_else(|| (row.name.clone(), String::new()));
        let gigabytes = |bytes: i64| format_gigabytes(bytes.unsigned_abs());
        let cells = [
            name,
            password,
            row.note().to_owned(),
            row.limit_bytes.map(gigabytes).unwrap_or_default(),
            row.limit_cycle.as_str().to_owned(),
            row.expires_at().map(to_wire).unwrap_or_default(),
            row.countries()?.join(" "),
            row.state.as_str().to_owned(),
            gigabytes(row.used_bytes),
        ];
        push_row(&mut out, &cells);
    }
    Ok(out)
}

/// Exports all proxy users with their passwords as a CSV file, which can be imported again.
#[utoipa::path(
    tag = "ProxyUsers", security(("Token" = [])),
    responses((status = 200, content((String = "text/csv"))))
)]
#[post("/ProxyUsers/ExportProxyUsers")]
async fn export_proxy_users(
    app: web::Data<App>,
    who: SignedIn,
    _: Body<serde_json::Value>,
) -> Result<HttpResponse, AppError> {
    let key = app.key.clone();
    let text = app.db.read(move |conn| exported(conn, who.account_id, &key)).await?;
    Ok(csv_file("proxy-users", text))
}

/// A CSV file with this name.
pub fn csv_file(name: &str, text: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")))
        .body(text)
}
