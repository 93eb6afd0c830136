//! The shop's proxy servers, its jobs, and the alarms that they have raised.
use crate::alarms::problems_of;
use crate::config::{Config, Environment};
use crate::db::Conn;
use crate::doctor::finding::{Finding, first_of};
use crate::doctor::queries;
use crate::error::AppError;
use crate::proxy_servers::queries::list;
use crate::proxy_servers::types::ProxyServerView;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::diagnosis::{Diagnosis, Severity, ShopCheck};
use postern_core::ledger::AlarmKind;
use postern_core::server_health::{OutageCause, ServerState, WATCH_GAP_SECONDS};
use postern_core::time::to_wire;

/// How each registered proxy server is.
pub fn proxy_servers(conn: &mut Conn) -> Result<Vec<Finding>, AppError> {
    let servers = list(conn)?;
    if servers.is_empty() {
        return Ok(vec![Finding::warning(ShopCheck::ProxyServers, Diagnosis::ServerMissing)]);
    }
    Ok(servers.iter().map(of_server).collect())
}

fn of_server(server: &ProxyServerView) -> Finding {
    let of = |severity, diagnosis| {
        let found = Finding::of(severity, ShopCheck::ProxyServers, diagnosis);
        found.with("Name", &server.name).with("Host", &server.host)
    };
    if let Some(outage) = &server.outage {
        let diagnosis = match outage.cause {
            OutageCause::Silent => Diagnosis::ServerSilent,
            OutageCause::NoUpstream => Diagnosis::ServerWithoutUpstream,
        };
        return of(Severity::Fault, diagnosis).with("Since", &outage.began_at);
    }
    match server.state {
        ServerState::Operational => of(Severity::Ok, Diagnosis::ServerOperational),
        ServerState::Degraded => of(Severity::Warning, Diagnosis::ServerDegraded),
        ServerState::Unknown => of(Severity::Warning, Diagnosis::ServerUnknown),
        ServerState::Down => of(Severity::Fault, Diagnosis::ServerDown),
    }
}

/// Whether a server of the shop runs the jobs. Silence of proxy servers is noticed by a job.
pub fn jobs(conn: &mut Conn, config: &Config, now: NaiveDateTime) -> Result<Vec<Finding>, AppError> {
    const CHECK: ShopCheck = ShopCheck::Jobs;
    let severity = if config.environment == Environment::Production { Severity::Fault } else { Severity::Warning };
    Ok(vec![match queries::jobs_ran_at(conn)? {
        Some(at) if now - at <= TimeDelta::seconds(WATCH_GAP_SECONDS) => Finding::ok(CHECK, Diagnosis::JobsRun),
        Some(at) => Finding::of(severity, CHECK, Diagnosis::JobsRest).with("Since", to_wire(at)),
        None => Finding::of(severity, CHECK, Diagnosis::JobsNeverRan),
    }])
}

/// The alarms that are raised.
pub fn alarms(conn: &mut Conn) -> Result<Vec<Finding>, AppError> {
    const CHECK: ShopCheck = ShopCheck::Alarms;
    let mut found = Vec::new();
    for alarm in AlarmKind::ALL {
        let problems = problems_of(conn, *alarm)?;
        if problems.is_empty() {
            continue;
        }
        let diagnosis = match alarm {
            AlarmKind::Books => Diagnosis::AlarmOfBooks,
            AlarmKind::ClosedAccounts => Diagnosis::AlarmOfClosedAccounts,
            AlarmKind::ProxyServers => Diagnosis::AlarmOfProxyServers,
        };
        found.push(Finding::fault(CHECK, diagnosis).with("Problems", first_of(&problems, 3)));
    }
    if found.is_empty() {
        found.push(Finding::ok(CHECK, Diagnosis::NoAlarm));
    }
    Ok(found)
}
