//! The demo's two proxy servers. `make run` starts a gate for each, so that what one buys works at once, on this machine only.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{proxy_server_outages, proxy_servers};
use crate::security::{new_token, sha256};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::proxy_server::ProxyServerKind;
use postern_core::server_health::OutageCause;
use std::net::Ipv4Addr;

/// The demo's nodes begin here: all of 127.0.0.0/8 belongs to this machine.
pub const FIRST_NODE: Ipv4Addr = Ipv4Addr::new(127, 16, 0, 1);

/// The ports of each node.
pub const NODE_PORTS: (i32, i32) = (17_000, 17_001);

/// The ports of the server of residential proxies.
const RESIDENTIAL_PORTS: (i32, i32) = (17_002, 17_003);

/// Past outages of the server of residential proxies: days ago, minutes, and why.
const OUTAGES: [(i64, i64, OutageCause); 2] = [(9, 4, OutageCause::Silent), (21, 95, OutageCause::NoUpstream)];

/// A registered proxy server, and its secret for the gate.
pub struct DemoServer {
    pub id: i64,
    pub secret: String,
}

/// Registers the server of residential proxies.
pub fn add_residential(conn: &mut Conn, since: NaiveDateTime, now: NaiveDateTime) -> Result<DemoServer, AppError> {
    let server = insert(conn, ("Demo", ProxyServerKind::Residential, "127.0.0.1", RESIDENTIAL_PORTS), since, now)?;
    for (days_ago, minutes, cause) in OUTAGES {
        let began_at = now - TimeDelta::days(days_ago);
        let row = (
            proxy_server_outages::server_id.eq(server.id),
            proxy_server_outages::cause.eq(cause),
            proxy_server_outages::began_at.eq(began_at),
            proxy_server_outages::ended_at.eq(began_at + TimeDelta::minutes(minutes)),
        );
        diesel::insert_into(proxy_server_outages::table).values(row).execute(conn)?;
    }
    Ok(server)
}

/// Registers the server of static proxies, which customers reach at the addresses of their nodes.
pub fn add_static(conn: &mut Conn, since: NaiveDateTime, now: NaiveDateTime) -> Result<DemoServer, AppError> {
    insert(conn, ("Demo ISP", ProxyServerKind::Static, "127.0.0.1", NODE_PORTS), since, now)
}

fn insert(
    conn: &mut Conn,
    (name, kind, host, (http_port, socks5_port)): (&str, ProxyServerKind, &str, (i32, i32)),
    since: NaiveDateTime,
    now: NaiveDateTime,
) -> Result<DemoServer, AppError> {
    let secret = new_token();
    let row = (
        proxy_servers::name.eq(name),
        proxy_servers::kind.eq(kind),
        proxy_servers::host.eq(host),
        proxy_servers::http_port.eq(http_port),
        proxy_servers::socks5_port.eq(socks5_port),
        proxy_servers::secret_sha256.eq(sha256(&secret)),
        proxy_servers::created_at.eq(since),
        proxy_servers::last_seen_at.eq(now - TimeDelta::minutes(1)),
        proxy_servers::first_heartbeat_at.eq(since),
    );
    let id = diesel::insert_into(proxy_servers::table).values(row).returning(proxy_servers::id).get_result(conn)?;
    Ok(DemoServer { id, secret })
}
