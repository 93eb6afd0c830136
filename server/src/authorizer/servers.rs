//! Proxy servers, identified by their secret.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::proxy_servers;
use crate::security::sha256;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::proxy_server::ProxyServerKind;

/// Minimum seconds between two updates of `last_seen_at`.
const SEEN_SECONDS: i64 = 30;

/// A proxy server that can be identified by its secret.
#[derive(Clone, Debug, Eq, PartialEq, Queryable, Selectable)]
#[diesel(table_name = proxy_servers)]
pub struct ServerIdentity {
    pub id: i64,
    pub name: String,
    pub kind: ProxyServerKind,
    pub secret_sha256: String,
    pub last_seen_at: Option<NaiveDateTime>,
}

/// All proxy servers that have not been removed.
pub fn all(conn: &mut Conn) -> Result<Vec<ServerIdentity>, AppError> {
    Ok(proxy_servers::table
        .filter(proxy_servers::removed_at.is_null())
        .select(ServerIdentity::as_select())
        .load(conn)?)
}

/// The proxy server with this secret.
pub fn by_secret(conn: &mut Conn, secret: &str) -> Result<Option<ServerIdentity>, AppError> {
    let found = proxy_servers::table.filter(proxy_servers::secret_sha256.eq(sha256(secret)));
    Ok(found.filter(proxy_servers::removed_at.is_null()).select(ServerIdentity::as_select()).first(conn).optional()?)
}

/// Updates `last_seen_at` of a proxy server, at most every `SEEN_SECONDS`.
pub fn record_contact(conn: &mut Conn, server: &ServerIdentity, now: NaiveDateTime) -> Result<(), AppError> {
    let since = now - TimeDelta::seconds(SEEN_SECONDS);
    if server.last_seen_at.is_none_or(|seen| seen < since) {
        let unseen = proxy_servers::last_seen_at.is_null().or(proxy_servers::last_seen_at.lt(since));
        let this = proxy_servers::table.find(server.id);
        diesel::update(this.filter(unseen)).set(proxy_servers::last_seen_at.eq(now)).execute(conn)?;
    }
    Ok(())
}
