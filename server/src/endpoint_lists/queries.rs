//! The SQL of presets and list URLs. Every row is found by its account, or by the hash of its token.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::endpoint_lists::types::{PresetView, ServerView, UrlView};
use crate::error::AppError;
use crate::schema::{accounts, api_keys, endpoint_lists, endpoint_presets, proxy_servers, proxy_users};
use chrono::NaiveDateTime;
use diesel::dsl::exists;
use postern_core::account::AccountState;
use postern_core::code::Code;
use postern_core::endpoint::{EndpointServer, EndpointSettings};
use postern_core::field_errors::FieldErrors;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::rule::Rule;
use postern_core::time::to_wire;

fn port(number: i32) -> Result<u16, AppError> {
    u16::try_from(number).map_err(|_| AppError::internal("a proxy server has an invalid port"))
}

fn settings(json: &str) -> Result<EndpointSettings, AppError> {
    Ok(serde_json::from_str(json)?)
}

macro_rules! servers {
    () => {
        proxy_servers::table
            .filter(proxy_servers::removed_at.is_null())
            .filter(proxy_servers::kind.eq(ProxyServerKind::Residential))
    };
}

/// The proxy servers for residential traffic, by name.
pub fn servers(conn: &mut Conn) -> Result<Vec<ServerView>, AppError> {
    let columns = (
        proxy_servers::id,
        proxy_servers::name,
        proxy_servers::host,
        proxy_servers::http_port,
        proxy_servers::socks5_port,
    );
    let rows: Vec<(i64, String, String, i32, Option<i32>)> =
        servers!().order(proxy_servers::name).select(columns).load(conn)?;
    let view = |(server_id, name, host, http_port, socks5_port): (i64, String, String, i32, Option<i32>)| {
        Ok(ServerView {
            server_id,
            name,
            host,
            http_port: port(http_port)?,
            socks5_port: socks5_port.map(port).transpose()?,
        })
    };
    rows.into_iter().map(view).collect()
}

/// The proxy server named in settings; an error at the field if it no longer exists.
pub fn server(conn: &mut Conn, server_id: i64) -> Result<EndpointServer, AppError> {
    let columns = (proxy_servers::host, proxy_servers::http_port, proxy_servers::socks5_port);
    let row: Option<(String, i32, Option<i32>)> =
        servers!().filter(proxy_servers::id.eq(server_id)).select(columns).first(conn).optional()?;
    let unknown = || FieldErrors::one("ServerId", Rule::UnknownServer, &[]);
    let (host, http_port, socks5_port) = row.ok_or_else(unknown)?;
    Ok(EndpointServer { host, http_port: port(http_port)?, socks5_port: socks5_port.map(port).transpose()? })
}

pub fn presets(conn: &mut Conn, account_id: i64) -> Result<Vec<PresetView>, AppError> {
    let rows: Vec<(i64, String, String)> = endpoint_presets::table
        .filter(endpoint_presets::account_id.eq(account_id))
        .order(endpoint_presets::name)
        .select((endpoint_presets::id, endpoint_presets::name, endpoint_presets::settings))
        .load(conn)?;
    let view =
        |(preset_id, name, json): (i64, String, String)| Ok(PresetView { preset_id, name, settings: settings(&json)? });
    rows.into_iter().map(view).collect()
}

/// Saves a preset, replacing one with the same name.
pub fn save_preset(
    conn: &mut Conn,
    account_id: i64,
    name: &str,
    settings: &EndpointSettings,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let json = serde_json::to_string(settings)?;
    let same = endpoint_presets::table
        .filter(endpoint_presets::account_id.eq(account_id))
        .filter(endpoint_presets::name.eq(name));
    if diesel::update(same).set(endpoint_presets::settings.eq(&json)).execute(conn)? == 1 {
        return Ok(());
    }
    let row = (
        endpoint_presets::account_id.eq(account_id),
        endpoint_presets::name.eq(name),
        endpoint_presets::settings.eq(&json),
        endpoint_presets::created_at.eq(now),
    );
    diesel::insert_into(endpoint_presets::table).values(row).execute(conn)?;
    Ok(())
}

pub fn delete_preset(conn: &mut Conn, account_id: i64, preset_id: i64) -> Result<(), AppError> {
    let own = endpoint_presets::table.find(preset_id).filter(endpoint_presets::account_id.eq(account_id));
    if diesel::delete(own).execute(conn)? == 1 { Ok(()) } else { Err(AppError::code(Code::NotFound)) }
}

/// The name of one of the account's proxy users.
pub fn proxy_user_name(conn: &mut Conn, account_id: i64, proxy_user_id: i64) -> Result<String, AppError> {
    let own = proxy_users::table
        .find(proxy_user_id)
        .filter(proxy_users::account_id.eq(account_id))
        .filter(proxy_users::deleted_at.is_null());
    let name = own.select(proxy_users::name).first(conn).optional()?;
    name.ok_or_else(|| FieldErrors::one("ProxyUserId", Rule::UnknownProxyUser, &[]).into())
}

pub struct NewList<'a> {
    pub account_id: i64,
    /// The key that made it, and with which it ends.
    pub api_key_id: Option<i64>,
    pub proxy_user_id: i64,
    pub name: &'a str,
    pub token_sha256: &'a str,
    pub settings: &'a EndpointSettings,
}

pub fn insert_url(conn: &mut Conn, new: &NewList, now: NaiveDateTime) -> Result<i64, AppError> {
    let row = (
        endpoint_lists::account_id.eq(new.account_id),
        endpoint_lists::api_key_id.eq(new.api_key_id),
        endpoint_lists::proxy_user_id.eq(new.proxy_user_id),
        endpoint_lists::name.eq(new.name),
        endpoint_lists::token_sha256.eq(new.token_sha256),
        endpoint_lists::settings.eq(serde_json::to_string(new.settings)?),
        endpoint_lists::created_at.eq(now),
    );
    Ok(diesel::insert_into(endpoint_lists::table).values(row).returning(endpoint_lists::id).get_result(conn)?)
}

/// List URLs that have not ended with the key that made them.
macro_rules! lists {
    ($now:expr) => {{
        let key = api_keys::table.filter(api_keys::id.nullable().eq(endpoint_lists::api_key_id));
        let valid = key.filter(api_keys::revoked_at.is_null());
        let valid = valid.filter(api_keys::expires_at.is_null().or(api_keys::expires_at.gt($now)));
        endpoint_lists::table.filter(endpoint_lists::api_key_id.is_null().or(exists(valid)))
    }};
}

/// List URLs of proxy users that still exist, newest first.
pub fn urls(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<UrlView>, AppError> {
    type Row = (i64, String, i64, String, String, NaiveDateTime, Option<NaiveDateTime>, Option<String>, i64);
    let rows: Vec<Row> = lists!(now)
        .inner_join(proxy_users::table.on(proxy_users::id.eq(endpoint_lists::proxy_user_id)))
        .filter(endpoint_lists::account_id.eq(account_id))
        .filter(proxy_users::deleted_at.is_null())
        .order(endpoint_lists::id.desc())
        .select((
            endpoint_lists::id,
            endpoint_lists::name,
            proxy_users::id,
            proxy_users::name,
            endpoint_lists::settings,
            endpoint_lists::created_at,
            endpoint_lists::last_used_at,
            endpoint_lists::last_address,
            endpoint_lists::uses,
        ))
        .load(conn)?;
    let view = |(url_id, name, proxy_user_id, proxy_user_name, json, created_at, used_at, last_address, uses): Row| {
        Ok(UrlView {
            url_id,
            name,
            proxy_user_id,
            proxy_user_name,
            settings: settings(&json)?,
            created_at: to_wire(created_at),
            last_used_at: used_at.map(to_wire),
            last_address,
            uses,
        })
    };
    rows.into_iter().map(view).collect()
}

pub fn revoke_url(conn: &mut Conn, account_id: i64, url_id: i64) -> Result<(), AppError> {
    let own = endpoint_lists::table.find(url_id).filter(endpoint_lists::account_id.eq(account_id));
    if diesel::delete(own).execute(conn)? == 1 { Ok(()) } else { Err(AppError::code(Code::NotFound)) }
}

/// Revokes all list URLs of an account, and returns their names.
pub fn revoke_all_urls(conn: &mut Conn, account_id: i64) -> Result<Vec<String>, AppError> {
    let own = endpoint_lists::table.filter(endpoint_lists::account_id.eq(account_id));
    Ok(diesel::delete(own).returning(endpoint_lists::name).get_results(conn)?)
}

/// A list as a script fetches it.
pub struct FetchedList {
    pub id: i64,
    pub account_id: i64,
    pub settings: EndpointSettings,
    pub user_name: String,
    pub password_sealed: String,
    pub account: AccountState,
}

/// The list with this token; not found if its proxy user is deleted, or the key that made it has ended.
pub fn by_token(conn: &mut Conn, token_sha256: &str, now: NaiveDateTime) -> Result<Option<FetchedList>, AppError> {
    type Row = (i64, i64, String, String, String, AccountState);
    let row: Option<Row> = lists!(now)
        .inner_join(proxy_users::table.on(proxy_users::id.eq(endpoint_lists::proxy_user_id)))
        .inner_join(accounts::table.on(accounts::id.eq(endpoint_lists::account_id)))
        .filter(endpoint_lists::token_sha256.eq(token_sha256))
        .filter(proxy_users::deleted_at.is_null())
        .select((
            endpoint_lists::id,
            endpoint_lists::account_id,
            endpoint_lists::settings,
            proxy_users::name,
            proxy_users::password_sealed,
            accounts::state,
        ))
        .first(conn)
        .optional()?;
    let list = |(id, account_id, json, user_name, password_sealed, account): Row| {
        Ok(FetchedList { id, account_id, settings: settings(&json)?, user_name, password_sealed, account })
    };
    row.map(list).transpose()
}

pub fn record_use(conn: &mut Conn, url_id: i64, address: &str, now: NaiveDateTime) -> Result<(), AppError> {
    diesel::update(endpoint_lists::table.find(url_id))
        .set((
            endpoint_lists::last_used_at.eq(now),
            endpoint_lists::last_address.eq(address),
            endpoint_lists::uses.eq(endpoint_lists::uses + 1),
        ))
        .execute(conn)?;
    Ok(())
}

/// The numbers of an account's presets and list URLs.
pub fn counts(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(i64, i64), AppError> {
    let presets =
        endpoint_presets::table.filter(endpoint_presets::account_id.eq(account_id)).count().get_result(conn)?;
    let urls = lists!(now).filter(endpoint_lists::account_id.eq(account_id)).count().get_result(conn)?;
    Ok((presets, urls))
}
