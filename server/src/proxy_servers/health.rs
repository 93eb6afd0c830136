//! SQL about the health of proxy servers: heartbeats, outages, and the alarm.
use crate::alarms;
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::proxy_servers::types::ServerStatusView;
use crate::schema::{proxy_server_outages as outages, proxy_server_watch as watch, proxy_servers};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::ledger::AlarmKind;
use postern_core::mail::MailTemplate;
use postern_core::proxy_protocol::Heartbeat;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::server_health::{
    OUTAGE_KEPT_DAYS, OUTAGE_MAIL_MINUTES, OutageCause, STATUS_DAYS, ServerState, WATCH_GAP_SECONDS, kept_heartbeat,
    outage_cause, server_state, status_days,
};
use postern_core::time::to_wire;
use std::collections::HashMap;

/// Keeps a server's heartbeat, and ends its outage if it can carry connections.
pub fn record(conn: &mut Conn, server_id: i64, heartbeat: &Heartbeat, now: NaiveDateTime) -> Result<(), AppError> {
    let heartbeat = kept_heartbeat(heartbeat.clone());
    let this = proxy_servers::table.find(server_id);
    let last = (
        proxy_servers::heartbeat.eq(serde_json::to_string(&heartbeat)?),
        proxy_servers::heartbeat_at.eq(now),
        proxy_servers::last_seen_at.eq(now),
    );
    diesel::update(this).set(last).execute(conn)?;
    let first = this.filter(proxy_servers::first_heartbeat_at.is_null());
    diesel::update(first).set(proxy_servers::first_heartbeat_at.eq(now)).execute(conn)?;
    if heartbeat.can_carry { end_outage(conn, server_id, now) } else { Ok(()) }
}

/// Ends a server's outage, if there is one.
pub fn end_outage(conn: &mut Conn, server_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let open = outages::table.filter(outages::server_id.eq(server_id)).filter(outages::ended_at.is_null());
    diesel::update(open).set(outages::ended_at.eq(now)).execute(conn)?;
    Ok(())
}

/// Deletes outages that are too old to be shown.
pub fn forget_outages(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    let old = outages::table.filter(outages::ended_at.lt(now - TimeDelta::days(OUTAGE_KEPT_DAYS)));
    Ok(diesel::delete(old).execute(conn)?)
}

/// Since when the shop has been able to hear its servers without a gap. Notes that it can now.
fn watched_since(conn: &mut Conn, now: NaiveDateTime) -> Result<NaiveDateTime, AppError> {
    let row: Option<(NaiveDateTime, NaiveDateTime)> =
        watch::table.find(1).select((watch::since, watch::watched_at)).first(conn).optional()?;
    let has_gap = |watched_at| now - watched_at > TimeDelta::seconds(WATCH_GAP_SECONDS);
    let since = row.map_or(now, |(since, watched_at)| if has_gap(watched_at) { now } else { since });
    if row.is_none() {
        let first = diesel::insert_into(watch::table)
            .values((watch::id.eq(1), watch::since.eq(now), watch::watched_at.eq(now)))
            .on_conflict_do_nothing();
        on_either!(conn, first.execute(conn)?);
    } else {
        let this = watch::table.find(1);
        diesel::update(this).set((watch::since.eq(since), watch::watched_at.eq(now))).execute(conn)?;
    }
    Ok(since)
}

/// A server that has sent heartbeats.
#[derive(Queryable, Selectable)]
#[diesel(table_name = proxy_servers)]
struct Heard {
    id: i64,
    name: String,
    kind: ProxyServerKind,
    heartbeat: Option<String>,
    heartbeat_at: Option<NaiveDateTime>,
    first_heartbeat_at: Option<NaiveDateTime>,
}

impl Heard {
    fn last(&self) -> Option<Heartbeat> {
        self.heartbeat.as_deref().and_then(|text| serde_json::from_str(text).ok())
    }
}

fn heard(conn: &mut Conn) -> Result<Vec<Heard>, AppError> {
    let present = proxy_servers::table.filter(proxy_servers::removed_at.is_null()).order(proxy_servers::name);
    Ok(present.select(Heard::as_select()).load(conn)?)
}

fn ids(servers: &[Heard]) -> Vec<i64> {
    servers.iter().map(|server| server.id).collect()
}

/// An outage that lasts.
#[derive(Clone, Copy)]
pub struct OpenOutage {
    pub cause: OutageCause,
    pub began_at: NaiveDateTime,
}

/// The outages of these servers that last, by server.
pub fn open_outages(conn: &mut Conn, servers: &[i64]) -> Result<HashMap<i64, OpenOutage>, AppError> {
    let open = outages::table.filter(outages::server_id.eq_any(servers)).filter(outages::ended_at.is_null());
    let rows: Vec<(i64, OutageCause, NaiveDateTime)> =
        open.select((outages::server_id, outages::cause, outages::began_at)).load(conn)?;
    Ok(rows.into_iter().map(|(id, cause, began_at)| (id, OpenOutage { cause, began_at })).collect())
}

/// Notes which servers are down, and tells operators.
pub fn watch_servers(conn: &mut Conn, now: NaiveDateTime) -> Result<(), AppError> {
    let since = watched_since(conn, now)?;
    let servers = heard(conn)?;
    let mut open = open_outages(conn, &ids(&servers))?;
    let mut untold = false;
    for server in &servers {
        let Some(heard_at) = server.heartbeat_at else { continue };
        let can_carry = server.last().is_none_or(|last| last.can_carry);
        let cause = outage_cause(heard_at, can_carry, since, now);
        if let Some(cause) = cause.filter(|_| !open.contains_key(&server.id)) {
            let was_down = was_down(conn, server.id, now)?;
            let began_at = if cause == OutageCause::Silent { heard_at.max(since) } else { heard_at };
            let row = (outages::server_id.eq(server.id), outages::cause.eq(cause), outages::began_at.eq(began_at));
            let begin = diesel::insert_into(outages::table).values(row).on_conflict_do_nothing();
            // Another server of the shop may have noticed it, too: one of them tells.
            untold |= on_either!(conn, begin.execute(conn)?) == 1 && !was_down;
            open.insert(server.id, OpenOutage { cause, began_at });
        }
    }
    let down = servers.iter().filter_map(|server| Some((&server.name, open.get(&server.id)?)));
    let problem = |(name, outage): (&String, &OpenOutage)| {
        let what = match outage.cause {
            OutageCause::Silent => "not heard of",
            OutageCause::NoUpstream => "without a usable upstream",
        };
        format!("{name}: {what} since {} UTC", to_wire(outage.began_at))
    };
    let problems: Vec<String> = down.map(problem).collect();
    alarms::set(conn, AlarmKind::ProxyServers, &problems, now)?;
    if untold {
        alarms::mail_operators(conn, MailTemplate::ServersDown, problems.len(), &problems, now)?;
    }
    Ok(())
}

/// Whether a server was down a short while ago, so that operators know.
fn was_down(conn: &mut Conn, server_id: i64, now: NaiveDateTime) -> Result<bool, AppError> {
    let recent = outages::table
        .filter(outages::server_id.eq(server_id))
        .filter(outages::ended_at.gt(now - TimeDelta::minutes(OUTAGE_MAIL_MINUTES)));
    Ok(recent.select(outages::id).first::<i64>(conn).optional()?.is_some())
}

/// How each server is and was in the last days, for customers. What fails at destinations is not the server's state.
pub fn statuses(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<ServerStatusView>, AppError> {
    let begin = now - TimeDelta::days(STATUS_DAYS);
    let servers = heard(conn)?;
    let recent = outages::table
        .filter(outages::server_id.eq_any(ids(&servers)))
        .filter(outages::ended_at.is_null().or(outages::ended_at.gt(begin)));
    let rows: Vec<(i64, NaiveDateTime, Option<NaiveDateTime>)> =
        recent.select((outages::server_id, outages::began_at, outages::ended_at)).load(conn)?;
    let mut by_server: HashMap<i64, Vec<(NaiveDateTime, Option<NaiveDateTime>)>> = HashMap::new();
    for (server_id, began_at, ended_at) in rows {
        by_server.entry(server_id).or_default().push((began_at, ended_at));
    }
    let view = |server: Heard| {
        let its = by_server.remove(&server.id).unwrap_or_default();
        let down_since = its.iter().find(|(_, ended_at)| ended_at.is_none()).map(|(began_at, _)| to_wire(*began_at));
        let state = match server_state(server.last().as_ref(), down_since.is_some()) {
            ServerState::Degraded => ServerState::Operational,
            state => state,
        };
        let days = status_days(server.first_heartbeat_at.unwrap_or(now), &its, now);
        ServerStatusView { name: server.name, kind: server.kind, state, down_since, days }
    };
    Ok(servers.into_iter().map(view).collect())
}
