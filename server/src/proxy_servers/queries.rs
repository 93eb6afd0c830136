//! SQL about proxy servers.
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, page_of_rows};
use crate::proxy_servers::health;
use crate::proxy_servers::nodes::{count, name_of};
use crate::proxy_servers::types::{OutageView, ProxyServerView, RejectedUsage, RejectedUsageFilter};
use crate::schema::{nodes, proxy_servers, rejected_usage};
use crate::security::{new_token, sha256};
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::list::REJECTED_USAGE;
use postern_core::proxy_server::{ProxyServer, ProxyServerKind};
use postern_core::rule::Rule;
use postern_core::server_health::server_state;
use postern_core::time::to_wire;
use postern_core::usage::UsageRejection;
use std::collections::HashMap;

/// Registers a proxy server; returns its id and its secret, of which only the hash is kept.
pub fn add(
    conn: &mut Conn,
    server: &ProxyServer,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(i64, String), AppError> {
    let secret = new_token();
    let row = (
        proxy_servers::name.eq(&server.name),
        proxy_servers::kind.eq(server.kind),
        proxy_servers::host.eq(&server.host),
        proxy_servers::http_port.eq(i32::from(server.http_port)),
        proxy_servers::socks5_port.eq(server.socks5_port.map(i32::from)),
        proxy_servers::secret_sha256.eq(sha256(&secret)),
        proxy_servers::created_at.eq(now),
    );
    let insert = diesel::insert_into(proxy_servers::table).values(row).on_conflict_do_nothing();
    let insert = insert.returning(proxy_servers::id);
    let id: Option<i64> = on_either!(conn, insert.get_result(conn).optional()?);
    let id = id.ok_or_else(|| FieldErrors::one("Name", Rule::NameTaken, &[]))?;
    let socks5 = server.socks5_port.map(|port| AuditChange::new(AuditField::Socks5Port, port));
    let entry = Entry::new(AuditAction::ProxyServerAdded).subject(&server.name);
    let entry = entry.changes([
        AuditChange::new(AuditField::Kind, server.kind.as_str()),
        AuditChange::new(AuditField::Host, &server.host),
        AuditChange::new(AuditField::HttpPort, server.http_port),
    ]);
    audit::record(conn, actor, entry.changes(socks5), now)?;
    Ok((id, secret))
}

/// Replaces the secret of a proxy server at once.
pub fn rotate(conn: &mut Conn, id: i64, actor: &Actor, now: NaiveDateTime) -> Result<String, AppError> {
    let secret = new_token();
    let this = proxy_servers::table.find(id).filter(proxy_servers::removed_at.is_null());
    if diesel::update(this).set(proxy_servers::secret_sha256.eq(sha256(&secret))).execute(conn)? == 0 {
        return Err(AppError::code(Code::NotFound));
    }
    let entry = Entry::new(AuditAction::ProxyServerRotated).subject(name_of(conn, id)?);
    audit::record(conn, actor, entry, now)?;
    Ok(secret)
}

/// Removes a proxy server: its secret stops working, and any server may carry its nodes. Its row stays, because usage records refer to it.
pub fn remove(conn: &mut Conn, id: i64, actor: &Actor, now: NaiveDateTime) -> Result<(), AppError> {
    let this = proxy_servers::table.find(id).filter(proxy_servers::removed_at.is_null());
    if diesel::update(this).set(proxy_servers::removed_at.eq(now)).execute(conn)? == 0 {
        return Err(AppError::code(Code::NotFound));
    }
    let its_nodes = nodes::table.filter(nodes::server_id.eq(id));
    diesel::update(its_nodes).set(nodes::server_id.eq(None::<i64>)).execute(conn)?;
    health::end_outage(conn, id, now)?;
    let entry = Entry::new(AuditAction::ProxyServerRemoved).subject(name_of(conn, id)?);
    audit::record(conn, actor, entry, now)
}

/// The id of the proxy server with this name.
pub fn by_name(conn: &mut Conn, name: &str) -> Result<i64, AppError> {
    let found = proxy_servers::table.filter(proxy_servers::name.eq(name.trim()));
    let found = found.filter(proxy_servers::removed_at.is_null()).select(proxy_servers::id).first(conn).optional()?;
    found.ok_or_else(|| AppError::code(Code::NotFound))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = proxy_servers)]
struct Row {
    id: i64,
    name: String,
    kind: ProxyServerKind,
    host: String,
    http_port: i32,
    socks5_port: Option<i32>,
    created_at: NaiveDateTime,
    last_seen_at: Option<NaiveDateTime>,
    heartbeat: Option<String>,
    heartbeat_at: Option<NaiveDateTime>,
}

/// The registered proxy servers, by name.
pub fn list(conn: &mut Conn) -> Result<Vec<ProxyServerView>, AppError> {
    let rows: Vec<Row> = proxy_servers::table
        .filter(proxy_servers::removed_at.is_null())
        .order(proxy_servers::name)
        .select(Row::as_select())
        .load(conn)?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let open = health::open_outages(conn, &ids)?;
    let counted: Vec<(i64, i64)> = rejected_usage::table
        .filter(rejected_usage::server_id.eq_any(ids))
        .select((rejected_usage::server_id, rejected_usage::times))
        .load(conn)?;
    let mut rejected: HashMap<i64, i64> = HashMap::new();
    for (server_id, times) in counted {
        *rejected.entry(server_id).or_default() += times;
    }
    let mut counts = HashMap::new();
    for row in rows.iter().filter(|row| row.kind == ProxyServerKind::Static) {
        counts.insert(row.id, count(conn, row.id)?);
    }
    let view = |row: Row| {
        let heartbeat = row.heartbeat.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let outage = open.get(&row.id);
        ProxyServerView {
            server_id: row.id,
            name: row.name,
            kind: row.kind,
            host: row.host,
            http_port: row.http_port,
            socks5_port: row.socks5_port,
            created_at: to_wire(row.created_at),
            last_seen_at: row.last_seen_at.map(to_wire),
            rejected_records: rejected.get(&row.id).copied().unwrap_or_default(),
            nodes: counts.get(&row.id).copied().unwrap_or_default(),
            state: server_state(heartbeat.as_ref(), outage.is_some()),
            outage: outage.map(|outage| OutageView { cause: outage.cause, began_at: to_wire(outage.began_at) }),
            heartbeat,
            heartbeat_at: row.heartbeat_at.map(to_wire),
        }
    };
    Ok(rows.into_iter().map(view).collect())
}

/// One registered proxy server.
pub fn view(conn: &mut Conn, id: i64) -> Result<ProxyServerView, AppError> {
    let found = list(conn)?.into_iter().find(|server| server.server_id == id);
    found.ok_or_else(|| AppError::code(Code::NotFound))
}

type RejectedRow = (i64, i64, String, String, UsageRejection, i64, NaiveDateTime);

/// A page of rejected usage records, newest first.
pub fn rejected(conn: &mut Conn, list: &ListRequest) -> Result<Page<RejectedUsage>, AppError> {
    let filter: RejectedUsageFilter = list.filters()?;
    let asked = list.asked(&REJECTED_USAGE)?;
    let narrowed = || {
        let mut query = rejected_usage::table.into_boxed();
        if let Some(server_id) = filter.server_id {
            query = query.filter(rejected_usage::server_id.eq(server_id));
        }
        if let Some(reason) = filter.reason {
            query = query.filter(rejected_usage::reason.eq(reason));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: RejectedRow| narrowed()
            .inner_join(proxy_servers::table.on(proxy_servers::id.eq(rejected_usage::server_id)))
            .select((
                rejected_usage::id,
                rejected_usage::server_id,
                proxy_servers::name,
                rejected_usage::record,
                rejected_usage::reason,
                rejected_usage::times,
                rejected_usage::received_at,
            )),
        counted: narrowed().select(rejected_usage::id), number: rejected_usage::id => row.0, fields: {}
    );
    let view = |(rejected_id, server_id, server_name, record, reason, times, received_at): RejectedRow| RejectedUsage {
        rejected_id,
        server_id,
        server_name,
        record,
        reason,
        times,
        received_at: to_wire(received_at),
    };
    page.map(view)
}
