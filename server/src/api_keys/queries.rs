//! SQL about API keys.
use crate::api_keys::types::ApiKeyView;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::ledger::lock_wallet;
use crate::schema::{accounts, api_keys, users};
use crate::security::{SecretKey, new_token, sha256};
use chrono::NaiveDateTime;
use postern_core::api_key::{ApiKey, CUSTOMER_SCOPES, KEY_PREFIX, MAX_API_KEYS, display_prefix};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::network::Network;
use postern_core::rule::Rule;
use postern_core::time::to_wire;

#[derive(Queryable, Selectable)]
#[diesel(table_name = api_keys)]
struct KeyRow {
    id: i64,
    name: String,
    prefix: String,
    scopes: String,
    addresses: String,
    expires_at: Option<NaiveDateTime>,
    last_used_at: Option<NaiveDateTime>,
    last_used_address: Option<String>,
    created_at: NaiveDateTime,
}

impl KeyRow {
    fn view(self, now: NaiveDateTime) -> Result<ApiKeyView, AppError> {
        let addresses: Vec<Network> = serde_json::from_str(&self.addresses)?;
        Ok(ApiKeyView {
            api_key_id: self.id,
            name: self.name,
            prefix: self.prefix,
            scopes: serde_json::from_str(&self.scopes)?,
            addresses: addresses.iter().map(Network::to_string).collect(),
            is_expired: self.expires_at.is_some_and(|expires_at| expires_at <= now),
            expires_at: self.expires_at.map(to_wire),
            last_used_at: self.last_used_at.map(to_wire),
            last_used_address: self.last_used_address,
            created_at: to_wire(self.created_at),
        })
    }
}

/// The keys of an account that are not revoked, without its access token.
macro_rules! keys_of {
    ($account_id:expr) => {
        api_keys::table
            .filter(api_keys::account_id.eq($account_id))
            .filter(api_keys::revoked_at.is_null())
            .filter(api_keys::sealed_key.is_null())
    };
}

/// Newest first.
pub fn list(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<ApiKeyView>, AppError> {
    let rows: Vec<KeyRow> = keys_of!(account_id).order(api_keys::id.desc()).select(KeyRow::as_select()).load(conn)?;
    rows.into_iter().map(|row| row.view(now)).collect()
}

pub fn view(conn: &mut Conn, account_id: i64, id: i64, now: NaiveDateTime) -> Result<ApiKeyView, AppError> {
    let row = keys_of!(account_id).filter(api_keys::id.eq(id)).select(KeyRow::as_select()).first(conn).optional()?;
    row.ok_or_else(|| AppError::code(Code::NotFound))?.view(now)
}

/// Adds a key for a user; returns its id and its secret. The wallet's lock serialises concurrent calls.
pub fn add(
    conn: &mut Conn,
    (account_id, user_id): (i64, i64),
    key: &ApiKey,
    now: NaiveDateTime,
) -> Result<(i64, String), AppError> {
    lock_wallet(conn, account_id)?;
    let present: i64 = keys_of!(account_id).count().get_result(conn)?;
    if present >= i64::from(MAX_API_KEYS) {
        return Err(FieldErrors::one("Name", Rule::TooManyApiKeys, &[("Max", MAX_API_KEYS.to_string())]).into());
    }
    let secret = new_secret();
    let id = diesel::insert_into(api_keys::table)
        .values((
            api_keys::account_id.eq(account_id),
            api_keys::user_id.eq(user_id),
            api_keys::name.eq(&key.name),
            api_keys::key_sha256.eq(sha256(&secret)),
            api_keys::prefix.eq(display_prefix(&secret)),
            api_keys::scopes.eq(serde_json::to_string(&key.scopes)?),
            api_keys::addresses.eq(serde_json::to_string(&key.addresses)?),
            api_keys::expires_at.eq(key.expires_at),
            api_keys::created_at.eq(now),
        ))
        .returning(api_keys::id)
        .get_result(conn)?;
    Ok((id, secret))
}

/// 256 random bits behind the prefix of keys.
fn new_secret() -> String {
    format!("{KEY_PREFIX}{}", new_token())
}

pub fn edit(conn: &mut Conn, account_id: i64, id: i64, key: &ApiKey) -> Result<(), AppError> {
    let changed = diesel::update(keys_of!(account_id).filter(api_keys::id.eq(id)))
        .set((
            api_keys::name.eq(&key.name),
            api_keys::scopes.eq(serde_json::to_string(&key.scopes)?),
            api_keys::addresses.eq(serde_json::to_string(&key.addresses)?),
            api_keys::expires_at.eq(key.expires_at),
        ))
        .execute(conn)?;
    if changed == 0 { Err(AppError::code(Code::NotFound)) } else { Ok(()) }
}

/// Revokes a key permanently.
pub fn revoke(conn: &mut Conn, account_id: i64, id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let revoked = diesel::update(keys_of!(account_id).filter(api_keys::id.eq(id)))
        .set(api_keys::revoked_at.eq(now))
        .execute(conn)?;
    if revoked == 0 { Err(AppError::code(Code::NotFound)) } else { Ok(()) }
}

/// Revokes all keys of an account but its access token, and returns their names.
pub fn revoke_all(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<String>, AppError> {
    let revoked = diesel::update(keys_of!(account_id)).set(api_keys::revoked_at.eq(now));
    Ok(revoked.returning(api_keys::name).get_results(conn)?)
}

/// The current access token: an API key that is not listed with the others.
macro_rules! access_token_of {
    ($account_id:expr) => {
        api_keys::table
            .filter(api_keys::account_id.eq($account_id))
            .filter(api_keys::revoked_at.is_null())
            .filter(api_keys::sealed_key.is_not_null())
    };
}

/// An account's access token, if it has one.
pub fn access_token(conn: &mut Conn, key: &SecretKey, account_id: i64) -> Result<Option<String>, AppError> {
    let sealed: Option<Option<String>> =
        access_token_of!(account_id).select(api_keys::sealed_key).first(conn).optional()?;
    sealed.flatten().map(|sealed| key.open(&sealed).map_err(AppError::Internal)).transpose()
}

/// Revokes an account's access token; returns whether it had one.
pub fn revoke_access_token(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<bool, AppError> {
    Ok(diesel::update(access_token_of!(account_id)).set(api_keys::revoked_at.eq(now)).execute(conn)? == 1)
}

/// Replaces an account's access token, or makes the first one: a key of a customer's scopes, for the account's first user.
pub fn rotate_access_token(
    conn: &mut Conn,
    key: &SecretKey,
    account_id: i64,
    now: NaiveDateTime,
) -> Result<String, AppError> {
    lock_wallet(conn, account_id)?;
    revoke_access_token(conn, account_id, now)?;
    let first_user = users::table.filter(users::account_id.eq(account_id)).order(users::id);
    let user_id: i64 = first_user.select(users::id).first(conn)?;
    let secret = new_secret();
    diesel::insert_into(api_keys::table)
        .values((
            api_keys::account_id.eq(account_id),
            api_keys::user_id.eq(user_id),
            api_keys::name.eq("access token"),
            api_keys::key_sha256.eq(sha256(&secret)),
            api_keys::prefix.eq(display_prefix(&secret)),
            api_keys::sealed_key.eq(key.seal(&secret).map_err(AppError::Internal)?),
            api_keys::scopes.eq(serde_json::to_string(CUSTOMER_SCOPES)?),
            api_keys::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(secret)
}

/// Replaces all access tokens of the shop, after its secret key was lost: they still work, but cannot be shown. Returns the account of each.
pub fn replace_all_access_tokens(conn: &mut Conn, key: &SecretKey, now: NaiveDateTime) -> Result<Vec<i64>, AppError> {
    let sealed = api_keys::table.filter(api_keys::sealed_key.is_not_null());
    let valid = sealed.filter(api_keys::revoked_at.is_null()).order(api_keys::account_id);
    let owners: Vec<i64> = valid.select(api_keys::account_id).load(conn)?;
    for account_id in &owners {
        rotate_access_token(conn, key, *account_id, now)?;
    }
    let revoked = sealed.filter(api_keys::revoked_at.is_not_null());
    diesel::update(revoked).set(api_keys::sealed_key.eq(None::<String>)).execute(conn)?;
    Ok(owners)
}

/// Whether the account centre shows the access token.
pub fn shows_access_token(conn: &mut Conn, account_id: i64) -> Result<bool, AppError> {
    Ok(accounts::table.find(account_id).select(accounts::show_access_token).first(conn)?)
}
