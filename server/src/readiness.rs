//! Can the shop serve? It can while something can be written: a database that is locked, full or read only answers every question and
//! loses every sale.
use crate::db::{Conn, Database};
use crate::error::AppError;
use crate::schema::write_probes;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// So long is a probe's result the answer to everybody who asks.
const GOOD_FOR: Duration = Duration::from_secs(1);
/// Nobody who asks waits longer.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// The only row of its table.
const PROBE: i16 = 1;

/// The latest probe of this process, which all who ask share.
#[derive(Clone, Default)]
pub struct Readiness(Arc<Mutex<Option<Probe>>>);

struct Probe {
    pub begun_at: Instant,
    /// `None` until it has ended. Of a probe that broke off there is no sender any more.
    pub result: watch::Receiver<Option<bool>>,
}

impl Probe {
    /// While one is under way, no second one waits behind it.
    pub fn is_good(&self) -> bool {
        let is_running = self.result.borrow().is_none() && self.result.has_changed().is_ok();
        is_running || self.begun_at.elapsed() < GOOD_FOR
    }
}

impl Readiness {
    pub async fn can_write(&self, db: &Database, now: NaiveDateTime) -> bool {
        let mut result = self.latest(db, now);
        let ended = tokio::time::timeout(LONGEST_WAIT, result.wait_for(Option::is_some)).await;
        matches!(ended, Ok(Ok(written)) if *written == Some(true))
    }

    pub fn latest(&self, db: &Database, now: NaiveDateTime) -> watch::Receiver<Option<bool>> {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(probe) = latest.as_ref().filter(|probe| probe.is_good()) {
            return probe.result.clone();
        }
        let (tell, result) = watch::channel(None);
        *latest = Some(Probe { begun_at: Instant::now(), result: result.clone() });
        let db = db.clone();
        // A task of its own: it goes on when the one who asked first has gone away.
        tokio::spawn(async move {
            let written = db.write(move |conn| write_probe(conn, now)).await;
            if let Err(error) = &written {
                tracing::error!(%error, "nothing can be written to the database");
            }
            tell.send_replace(Some(written.is_ok()));
        });
        result
    }
}

fn write_probe(conn: &mut Conn, now: NaiveDateTime) -> Result<(), AppError> {
    let probe = write_probes::table.find(PROBE);
    if diesel::update(probe).set(write_probes::written_at.eq(now)).execute(conn)? == 0 {
        let row = (write_probes::id.eq(PROBE), write_probes::written_at.eq(now));
        let insert = diesel::insert_into(write_probes::table).values(row).on_conflict_do_nothing();
        match conn {
            Conn::Postgres(conn) => insert.execute(conn)?,
            Conn::Sqlite(conn) => insert.execute(conn)?,
        };
    }
    Ok(())
}
