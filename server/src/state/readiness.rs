//! Readiness: the shop is ready while the database accepts writes. A database that is locked, full or read-only still serves reads, but no orders.
use crate::db::on_either;
use crate::db::prelude::*;
use crate::db::{Conn, Database};
use crate::error::AppError;
use crate::schema::write_probes;
use chrono::NaiveDateTime;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long the result of a probe is reused.
const GOOD_FOR: Duration = Duration::from_secs(1);
/// Maximum wait of a caller: the answer is there within two seconds.
const LONGEST_WAIT: Duration = Duration::from_millis(1_800);
/// The id of the table's only row.
const PROBE: i16 = 1;

/// The latest probe of this process, shared by all callers.
#[derive(Clone, Default)]
pub struct Readiness(Arc<Mutex<Option<Probe>>>);

struct Probe {
    pub begun_at: Instant,
    /// `None` until it has ended. If the probe was aborted, its sender is dropped.
    pub result: watch::Receiver<Option<bool>>,
}

impl Probe {
    /// While one is running, no second one is started.
    pub fn is_ready(&self) -> bool {
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
        if let Some(probe) = latest.as_ref().filter(|probe| probe.is_ready()) {
            return probe.result.clone();
        }
        let (tell, result) = watch::channel(None);
        *latest = Some(Probe { begun_at: Instant::now(), result: result.clone() });
        let db = db.clone();
        // A separate task: it continues if its first caller is dropped.
        tokio::spawn(async move {
            let written = db.write(move |conn| write_probe(conn, now)).await;
            if let Err(error) = &written {
                tracing::error!(%error, "the database accepts no writes");
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
        on_either!(conn, insert.execute(conn)?);
    }
    Ok(())
}
