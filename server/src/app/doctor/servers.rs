//! The shop's proxy servers, its jobs, and the alarms that they have raised.
use crate::alarms::problems_of;
use crate::app::doctor::finding::{Finding, Severity, first_of};
use crate::app::doctor::queries;
use crate::config::{Config, Environment};
use crate::db::Conn;
use crate::error::AppError;
use crate::proxy_servers::queries::list;
use crate::proxy_servers::types::ProxyServerView;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::ledger::AlarmKind;
use postern_core::server_health::{OutageCause, ServerState, WATCH_GAP_SECONDS};
use postern_core::time::to_wire;

const SERVERS: &str = "proxy servers";

/// How each registered proxy server is.
pub fn proxy_servers(conn: &mut Conn) -> Result<Vec<Finding>, AppError> {
    let servers = list(conn)?;
    if servers.is_empty() {
        let remedy = "Run `postern proxy-server add NAME --kind KIND --host HOST --http-port PORT`, and start `postern-gate` there with the secret that it prints.";
        return Ok(vec![Finding::warning(SERVERS, "none is registered: nothing carries connections", remedy)]);
    }
    Ok(servers.iter().map(of_server).collect())
}

fn of_server(server: &ProxyServerView) -> Finding {
    let name = &server.name;
    if let Some(outage) = &server.outage {
        let (what, remedy) = match outage.cause {
            OutageCause::Silent => (
                "has not been heard of",
                format!("Start `postern-gate` on {}, and see that it reaches POSTERN_PUBLIC_URL.", server.host),
            ),
            OutageCause::NoUpstream => {
                ("has no usable upstream", format!("Check the upstreams of `postern-gate` on {}.", server.host))
            }
        };
        return Finding::fault(SERVERS, format!("{name} {what} since {} UTC", outage.began_at), remedy);
    }
    match server.state {
        ServerState::Operational => Finding::ok(SERVERS, format!("{name} is operational")),
        ServerState::Degraded => {
            let remedy =
                format!("Look at the failures of {name} on the operator's screen Proxy servers, and at its log.");
            Finding::warning(SERVERS, format!("{name}: many connections fail"), remedy)
        }
        ServerState::Unknown => {
            let remedy = format!(
                "Start `postern-gate` on {} with the secret of {name}; `postern proxy-server rotate {name}` prints a new one.",
                server.host
            );
            Finding::warning(SERVERS, format!("{name} has never sent a heartbeat"), remedy)
        }
        ServerState::Down => Finding::fault(SERVERS, format!("{name} is down"), "Look at its log."),
    }
}

/// Whether a server of the shop runs the jobs. Silence of proxy servers is noticed by a job.
pub fn jobs(conn: &mut Conn, config: &Config, now: NaiveDateTime) -> Result<Vec<Finding>, AppError> {
    const CHECK: &str = "jobs";
    let severity = if config.environment == Environment::Production { Severity::Fault } else { Severity::Warning };
    let found = match queries::jobs_ran_at(conn)? {
        Some(at) if now - at <= TimeDelta::seconds(WATCH_GAP_SECONDS) => {
            return Ok(vec![Finding::ok(CHECK, "are running")]);
        }
        Some(at) => format!("have not run since {} UTC: no mails, no renewals, no expiry", to_wire(at)),
        None => "have never run: no server of the shop was started".to_owned(),
    };
    Ok(vec![Finding::of(severity, CHECK, found, "Start `postern serve`, or look for failing jobs in its log.")])
}

/// The alarms that are raised.
pub fn alarms(conn: &mut Conn) -> Result<Vec<Finding>, AppError> {
    const CHECK: &str = "alarms";
    let mut found = Vec::new();
    for alarm in AlarmKind::ALL {
        let problems = problems_of(conn, *alarm)?;
        if problems.is_empty() {
            continue;
        }
        let (what, remedy) = match alarm {
            AlarmKind::Books => (
                "the books do not add up",
                "Run `postern ledger verify`, which lists all problems, before anything is paid out.",
            ),
            AlarmKind::ClosedAccounts => (
                "closed accounts have money",
                "Return it to whoever paid, then run `postern account paid-back NAME` for each.",
            ),
            AlarmKind::ProxyServers => ("proxy servers are down", "See the findings about proxy servers."),
        };
        found.push(Finding::fault(CHECK, format!("{what}: {}", first_of(&problems, 3)), remedy));
    }
    if found.is_empty() {
        found.push(Finding::ok(CHECK, "none is raised"));
    }
    Ok(found)
}
