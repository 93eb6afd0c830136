//! Authentication by API key instead of a session.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{accounts, api_keys, users};
use crate::security::sha256;
use chrono::NaiveDateTime;
use postern_core::account::AccountState;
use postern_core::api_key::{KeyRefusal, KeyRights};
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::permission::Level;
use postern_core::staff::StaffRole;
use serde_json::json;

/// A key and its user.
pub struct FoundKey {
    pub key_id: i64,
    pub name: String,
    pub rights: KeyRights,
    pub user_id: i64,
    pub account_id: i64,
    pub email: String,
    pub level: Level,
    pub role: StaffRole,
    pub state: AccountState,
    pub language: Language,
    pub time_zone: String,
}

type Row = (
    (i64, String, String, String, Option<NaiveDateTime>, Option<NaiveDateTime>),
    (i64, i64, String, Level, StaffRole, AccountState, Language, String),
);

/// The key with this token.
pub fn find(conn: &mut Conn, token: &str) -> Result<FoundKey, AppError> {
    let row: Option<Row> = api_keys::table
        .inner_join(users::table.on(users::id.eq(api_keys::user_id)))
        .inner_join(accounts::table.on(accounts::id.eq(api_keys::account_id)))
        .filter(api_keys::key_sha256.eq(sha256(token)))
        .select((
            (
                api_keys::id,
                api_keys::name,
                api_keys::scopes,
                api_keys::addresses,
                api_keys::expires_at,
                api_keys::revoked_at,
            ),
            (
                users::id,
                accounts::id,
                users::email,
                accounts::level,
                accounts::staff_role,
                accounts::state,
                users::language,
                users::time_zone,
            ),
        ))
        .first(conn)
        .optional()?;
    let (key, owner) = row.ok_or(AppError::Unauthorized)?;
    let (key_id, name, scopes, addresses, expires_at, revoked_at) = key;
    let (user_id, account_id, email, level, role, state, language, time_zone) = owner;
    let (scopes, addresses) = (serde_json::from_str(&scopes)?, serde_json::from_str(&addresses)?);
    let rights = KeyRights { scopes, addresses, expires_at, revoked_at };
    Ok(FoundKey { key_id, name, rights, user_id, account_id, email, level, role, state, language, time_zone })
}

/// The response to a refused key.
pub fn refusal(refused: KeyRefusal) -> AppError {
    let data = match refused {
        KeyRefusal::Ended => return AppError::Unauthorized,
        KeyRefusal::Address(address) => json!({ "Address": address.to_string() }),
        KeyRefusal::RequiresSession => json!({ "Needed": "person" }),
        KeyRefusal::Scope(scope) => json!({ "Needed": scope }),
    };
    AppError::with(Code::NotPermitted, data)
}
