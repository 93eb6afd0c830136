//! Import and export of proxy users as CSV files.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::csv::csv_file;
use crate::http::request::{Body, SignedIn, Write, once_sealed};
use crate::proxy_users::names::counting_taken;
use crate::proxy_users::queries;
use crate::proxy_users::types::{ImportProxyUsers, ImportedProxyUser, ProxyUsersImported};
use crate::schema::proxy_users;
use crate::security::SecretKey;
use crate::state::App;
use actix_web::{HttpResponse, post, web};
use chrono::NaiveDateTime;
use postern_core::csv::{begin_file, push_row};
use postern_core::field_errors::FieldErrors;
use postern_core::proxy_user::format_gigabytes;
use postern_core::proxy_user_csv::{COLUMNS, read_proxy_users};
use postern_core::proxy_user_form::{ProxyUser, TAKEN_NAMES_SHOWN};
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use serde_json::Value;
use std::collections::HashMap;

/// Rows per statement.
const CHUNK: usize = 200;

/// Refuses names that are taken, with an error at each line whose name the account has, and at the first lines whose names others have.
fn check_names(conn: &mut Conn, account_id: i64, users: &[(u32, ProxyUser)]) -> Result<(), AppError> {
    let (mut errors, mut of_others) = (FieldErrors::default(), 0);
    for users in users.chunks(CHUNK) {
        let names: Vec<&String> = users.iter().map(|(_, user)| &user.name).collect();
        let taken = proxy_users::table.filter(proxy_users::name.eq_any(names));
        let taken = taken.filter(proxy_users::deleted_at.is_null());
        let taken: Vec<(String, i64)> = taken.select((proxy_users::name, proxy_users::account_id)).load(conn)?;
        let owners: HashMap<String, i64> = taken.into_iter().collect();
        for (line, owner) in users.iter().filter_map(|(line, user)| Some((line, *owners.get(&user.name)?))) {
            of_others += usize::from(owner != account_id);
            if owner == account_id || of_others <= TAKEN_NAMES_SHOWN {
                errors.add(&format!("Lines.{line}.Name"), Rule::NameTaken, &[]);
            }
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
    check_names(conn, account_id, users)?;
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
/// columns; only `name` is required. A dry run only checks the file. Of names that other accounts have, the first few are reported, and an account that
/// meets too many has to wait (4290).
#[utoipa::path(request_body = ImportProxyUsers, responses((status = 200, body = Answer<ProxyUsersImported>)))]
#[post("/ProxyUsers/ImportProxyUsers")]
pub async fn import_proxy_users(app: web::Data<App>, who: SignedIn, write: Write<ImportProxyUsers>) -> Answered<Value> {
    let (now, key, account_id) = (app.clock.now(), app.key.clone(), who.account_id);
    let users = read_proxy_users(&write.body.csv, now)?;
    let imported = app.db.write(move |conn| {
        if write.body.dry_run {
            queries::check_room(conn, account_id, users.len(), "Csv")?;
            check_names(conn, account_id, &users)?;
            return Ok(serde_json::to_value(ProxyUsersImported { created: users.len(), rows: Vec::new() })?);
        }
        once_sealed(conn, &key, account_id, &write.repeat, now, |conn| {
            let ids = insert_all(conn, account_id, &users, &key, now)?;
            Ok(ProxyUsersImported { created: ids.len(), rows: imported(conn, account_id, &ids, &key)? })
        })
    });
    answer(counting_taken(&app, account_id, imported).await?)
}

fn exported(conn: &mut Conn, account_id: i64, key: &SecretKey) -> Result<String, AppError> {
    let mut passwords = passwords(conn, account_id, key)?;
    let mut out = begin_file(&COLUMNS);
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
            row.max_connections.map(|limit| limit.to_string()).unwrap_or_default(),
            row.max_megabits.map(|limit| limit.to_string()).unwrap_or_default(),
            row.state.as_str().to_owned(),
            gigabytes(row.used_bytes),
        ];
        push_row(&mut out, &cells);
    }
    Ok(out)
}

/// Exports all proxy users with their passwords as a CSV file, which can be imported again.
#[utoipa::path(responses((status = 200, content((String = "text/csv")))))]
#[post("/ProxyUsers/ExportProxyUsers")]
pub async fn export_proxy_users(app: web::Data<App>, who: SignedIn, _: Body<Value>) -> Result<HttpResponse, AppError> {
    let key = app.key.clone();
    let text = app.db.read(move |conn| exported(conn, who.account_id, &key)).await?;
    Ok(csv_file("proxy-users", text))
}
