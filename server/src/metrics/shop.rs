//! How the shop is, as every one of its servers tells: what waits, its proxy servers, alarms and the last backup.
use crate::alarms::problems_of;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::metrics::values::Values;
use crate::proxy_servers::queries::list;
use crate::schema::{events, gateway_callbacks, mails, webhooks};
use crate::system::backups;
use chrono::NaiveDateTime;
use diesel::dsl::{not, sql};
use diesel::sql_types::Bool;
use postern_core::ledger::AlarmKind;
use postern_core::mail::MailState;
use postern_core::server_health::ServerState;

/// Queues are counted up to here: a longer one needs somebody anyway.
const MOST_COUNTED: i64 = 10_000;

/// Something that waits for a job.
struct Queue {
    name: &'static str,
    items: i64,
    oldest: Option<NaiveDateTime>,
}

pub struct ShopNow {
    at: NaiveDateTime,
    queues: Vec<Queue>,
    /// Proxy servers: whether each is up, and its open connections; neither is known of one that has sent no heartbeat.
    servers: Vec<(String, Option<bool>, Option<f64>)>,
    alarms: Vec<(&'static str, bool)>,
    last_backup: Option<NaiveDateTime>,
}

/// What waits: `$at` is when it could have been done, `$waiting` the rows, found by a partial index.
macro_rules! queue {
    ($conn:expr, $name:literal, $waiting:expr, $at:expr) => {{
        let counted = $waiting.select($at).limit(MOST_COUNTED);
        let waiting: Vec<NaiveDateTime> = counted.load($conn)?;
        Queue { name: $name, items: waiting.len() as i64, oldest: waiting.into_iter().min() }
    }};
}

pub fn now(conn: &mut Conn, at: NaiveDateTime) -> Result<ShopNow, AppError> {
    // Written as in the partial index.
    let unsent = mails::table.filter(sql::<Bool>("state IN ('queued', 'failed')"));
    let unsent = unsent.filter(mails::state.eq(MailState::Queued)).order(mails::created_at);
    let undispatched = events::table.filter(not(events::is_dispatched)).order(events::id);
    // Of an endpoint that fails, deliveries wait for hours, as they should: what counts is whether anybody looks.
    let due = webhooks::table.filter(webhooks::next_look_at.le(at)).order(webhooks::next_look_at);
    let unjudged = gateway_callbacks::table.filter(gateway_callbacks::judged_at.is_null());
    let unjudged = unjudged.filter(gateway_callbacks::body.is_not_null()).order(gateway_callbacks::received_at);
    let queues = vec![
        queue!(conn, "mails", unsent, mails::created_at),
        queue!(conn, "events", undispatched, events::created_at),
        queue!(conn, "webhooks", due, webhooks::next_look_at.assume_not_null()),
        queue!(conn, "gateway_callbacks", unjudged, gateway_callbacks::received_at),
    ];
    let servers = list(conn)?.into_iter().map(|server| {
        let is_up = match server.state {
            ServerState::Operational | ServerState::Degraded => Some(true),
            ServerState::Unknown => None,
            ServerState::Down => Some(false),
        };
        (server.name, is_up, server.heartbeat.map(|beat| beat.open_connections as f64))
    });
    let servers = servers.collect();
    let mut alarms = Vec::new();
    for alarm in AlarmKind::ALL {
        alarms.push((alarm.as_str(), !problems_of(conn, *alarm)?.is_empty()));
    }
    Ok(ShopNow { at, queues, servers, alarms, last_backup: backups::last(conn)? })
}

impl ShopNow {
    pub fn tell(self, values: &mut Values) {
        let queue = |queue: &Queue| vec![("queue", queue.name.to_owned())];
        let items = self.queues.iter().map(|one| (queue(one), one.items as f64));
        values.add("postern_queue_items", "What waits for a job, up to 10,000", items);
        let age = |oldest: NaiveDateTime| (self.at - oldest).num_milliseconds().max(0) as f64 / 1_000.0;
        let ages = self.queues.iter().map(|one| (queue(one), one.oldest.map_or(0.0, age)));
        values.add("postern_queue_oldest_age_seconds", "For how long the oldest of it has waited", ages);
        let server = |name: &String| vec![("server", name.clone())];
        let up =
            self.servers.iter().filter_map(|(name, is_up, _)| Some((server(name), f64::from(u8::from((*is_up)?)))));
        values.add(
            "postern_proxy_server_up",
            "Whether a proxy server that has sent heartbeats still does, and has an upstream",
            up,
        );
        let open = self.servers.iter().filter_map(|(name, _, open)| open.map(|open| (server(name), open)));
        values.add("postern_proxy_server_open_connections", "Connections of customers, by the last heartbeat", open);
        let raised = self
            .alarms
            .iter()
            .map(|(name, is_raised)| (vec![("alarm", (*name).to_owned())], f64::from(u8::from(*is_raised))));
        values.add("postern_alarm_raised", "Whether the shop has raised an alarm", raised);
        let backup = self.last_backup.map(|at| at.and_utc().timestamp() as f64);
        values.add_one("postern_last_backup_timestamp_seconds", "When the last backup began, since 1970", backup);
    }
}
