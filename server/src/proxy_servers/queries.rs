//! SQL about proxy servers.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, page_of_rows};
use crate::proxy_servers::nodes::count;
use crate::proxy_servers::types::{ProxyServerView, RejectedUsage, RejectedUsageFilter};
use crate::schema::{nodes, proxy_servers, rejected_usage};
use crate::security::{new_token, sha256};
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::list::REJECTED_USAGE;
use postern_core::proxy_server::{ProxyServer, ProxyServerKind};
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use postern_core::usage::UsageRejection;
use std::collections::HashMap;

/// Registers a proxy server; returns its id and its secret, of which only the hash is kept.
pub fn add(conn: &mut Conn, server: &ProxyServer, now: NaiveDateTime) -> Result<(i64, String), AppError> {
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
    Ok((id, secret))
}

/// Replaces the secret of a proxy server at once.
pub fn rotate(conn: &mut Conn, id: i64) -> Result<String, AppError> {
    let secret = new_token();
    let this = proxy_servers::table.find(id).filter(proxy_servers::removed_at.is_null());
    match diesel::update(this).set(proxy_servers::secret_sha256.eq(sha256(&secret))).execute(conn)? {
        0 => Err(AppError::code(Code::NotFound)),
        _ => Ok(secret),
    }
}

/// Removes a proxy server: its secret stops working, and any server may carry its nodes. Its row stays, because usage records refer to it.
pub fn remove(conn: &mut Conn, id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let this = proxy_servers::table.find(id).filter(proxy_servers::removed_at.is_null());
    if diesel::update(this).set(proxy_servers::removed_at.eq(now)).execute(conn)? == 0 {
        return Err(AppError::code(Code::NotFound));
    }
    let its_nodes = nodes::table.filter(nodes::server_id.eq(id));
    diesel::update(its_nodes).set(nodes::server_id.eq(None::<i64>)).execute(conn)?;
    Ok(())
}

/// The id of the proxy server with this name.
pub fn by_name(conn: &mut Conn, name: &str) -> Result<i64, AppError> {
    let found = proxy_servers::table.filter(proxy_servers::name.eq(name.trim()));
    let found = found.filter(proxy_servers::removed_at.is_null()).select(proxy_servers::id).first(conn).optional()?;
    found.ok_or_else(|| AppError::code(Code::NotFound))
}

type Row = (i64, String, ProxyServerKind, String, i32, Option<i32>, NaiveDateTime, Option<NaiveDateTime>);

/// The registered proxy servers, by name.
pub fn list(conn: &mut Conn) -> Result<Vec<ProxyServerView>, AppError> {
    let rows: Vec<Row> = proxy_servers::table
        .filter(proxy_servers::removed_at.is_null())
        .order(proxy_servers::name)
        .select((
            proxy_servers::id,
            proxy_servers::name,
            proxy_servers::kind,
            proxy_servers::host,
            proxy_servers::http_port,
            proxy_servers::socks5_port,
            proxy_servers::created_at,
            proxy_servers::last_seen_at,
        ))
        .load(conn)?;
    let ids: Vec<i64> = rows.iter().map(|row| row.0).collect();
    let counted: Vec<(i64, i64)> = rejected_usage::table
        .filter(rejected_usage::server_id.eq_any(ids))
        .select((rejected_usage::server_id, rejected_usage::times))
        .load(conn)?;
    let mut rejected: HashMap<i64, i64> = HashMap::new();
    for (server_id, times) in counted {
        *rejected.entry(server_id).or_default() += times;
    }
    let mut counts = HashMap::new();
    for (id, _, kind, ..) in &rows {
        if *kind == ProxyServerKind::Static {
            counts.insert(*id, count(conn, *id)?);
        }
    }
    let view = |(server_id, name, kind, host, http_port, socks5_port, created_at, last_seen_at): Row| ProxyServerView {
        server_id,
        name,
        kind,
        host,
        http_port,
        socks5_port,
        created_at: to_wire(created_at),
        last_seen_at: last_seen_at.map(to_wire),
        rejected_records: rejected.get(&server_id).copied().unwrap_or_default(),
        nodes: counts.get(&server_id).copied().unwrap_or_default(),
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
