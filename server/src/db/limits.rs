//! How long a statement of a request may run, and that it stops when its sender has left. Jobs, migrations and commands take the time
//! they need.
//!
//! PostgreSQL has a timeout for statements and cancels one on demand. SQLite asks a handler of ours every so many steps, which is set
//! when a connection opens: diesel does not show the handle, but SQLite hands it to extensions.
#![allow(unsafe_code)] // SQLite's handler is a function in C.
use crate::db::conn::Conn;
use crate::error::AppError;
use diesel::connection::{Connection, InstrumentationEvent, SimpleConnection, get_default_instrumentation};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel::sql_types::Integer;
use libsqlite3_sys::{SQLITE_OK, sqlite3, sqlite3_api_routines, sqlite3_auto_extension, sqlite3_progress_handler};
use postern_core::code::Code;
use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// A statement of a request may run this long.
pub const REQUEST_LIMIT: Duration = Duration::from_secs(5);
/// So many steps of SQLite's machine lie between two questions whether to go on: some tenths of a millisecond.
const STEPS: c_int = 10_000;

/// What a connection is doing, for those who decide whether it may go on.
#[derive(Default)]
pub struct Watch(Mutex<Run>);

#[derive(Default)]
struct Run {
    limit: Option<Duration>,
    /// When the statement that runs began.
    began_at: Option<Instant>,
    asker: Option<Asker>,
    was_stopped: bool,
}

impl Run {
    /// Has the statement that runs, or ran last, taken all of its time?
    fn is_over(&self) -> bool {
        self.began_at.zip(self.limit).is_some_and(|(began_at, limit)| began_at.elapsed() >= limit)
    }
}

impl Watch {
    /// From now on the connection works under this limit, for this asker.
    pub fn begin(&self, limit: Option<Duration>, asker: Option<Asker>) {
        *self.run() = Run { limit, asker, began_at: None, was_stopped: false };
    }

    fn run(&self) -> MutexGuard<'_, Run> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_to_stop(&self) -> bool {
        let mut run = self.run();
        let is_to_stop = run.is_over() || run.asker.as_ref().is_some_and(Asker::has_left);
        run.was_stopped |= is_to_stop;
        is_to_stop
    }

    /// What the database says of a statement that was stopped becomes what the sender is told.
    pub fn explain<T>(&self, result: Result<T, AppError>) -> Result<T, AppError> {
        let error = match result {
            Err(AppError::Database(DieselError::DatabaseError(DatabaseErrorKind::Unknown, information))) => information,
            other => return other,
        };
        let run = self.run();
        if run.was_stopped {
            tracing::warn!(limit = ?run.limit, "a statement of a request was stopped");
            return Err(AppError::code(Code::StatementTooSlow));
        }
        Err(AppError::Database(DieselError::DatabaseError(DatabaseErrorKind::Unknown, error)))
    }
}

/// Notes when each statement of the connection begins.
pub fn watch_statements(conn: &mut Conn, watch: Arc<Watch>) {
    // Whoever listens to all connections goes on to do so.
    let mut listener = get_default_instrumentation();
    conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
        match &event {
            InstrumentationEvent::StartQuery { .. } => watch.run().began_at = Some(Instant::now()),
            // PostgreSQL stops a statement by itself.
            InstrumentationEvent::FinishQuery { error: Some(_), .. } => {
                let mut run = watch.run();
                run.was_stopped |= run.is_over();
            }
            _ => {}
        }
        if let Some(listener) = &mut listener {
            listener.on_connection_event(event);
        }
    });
}

thread_local! {
    /// The watch of the connection that this thread is just opening.
    static OPENING: RefCell<Option<Arc<Watch>>> = const { RefCell::new(None) };
}

/// Opens a connection of SQLite whose statements ask this watch whether to go on. The watch must live as long as the connection.
pub fn open_watched<T>(watch: &Arc<Watch>, open: impl FnOnce() -> T) -> T {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        // SAFETY: the function has the signature of an extension's entry point and lives as long as the program.
        let registered = unsafe { sqlite3_auto_extension(Some(set_handler)) };
        assert_eq!(registered, SQLITE_OK, "SQLite registers extensions");
    });
    OPENING.set(Some(watch.clone()));
    let opened = open();
    OPENING.set(None);
    opened
}

/// SQLite calls this for each connection that it opens.
unsafe extern "C" fn set_handler(db: *mut sqlite3, _: *mut *mut c_char, _: *const sqlite3_api_routines) -> c_int {
    OPENING.with_borrow(|watch| {
        if let Some(watch) = watch {
            // SAFETY: `db` is the connection that is being opened; whoever opens it keeps the watch for as long as the connection.
            unsafe { sqlite3_progress_handler(db, STEPS, Some(ask), Arc::as_ptr(watch).cast_mut().cast()) };
        }
    });
    SQLITE_OK
}

unsafe extern "C" fn ask(watch: *mut c_void) -> c_int {
    // SAFETY: it is the pointer of `set_handler`, to a watch that outlives its connection.
    let watch = unsafe { &*watch.cast::<Watch>() };
    c_int::from(watch.is_to_stop())
}

/// Somebody who waits for an answer, and may leave before there is one. Cheap to clone.
#[derive(Clone, Default)]
pub struct Asker {
    has_left: Arc<AtomicBool>,
    place: Arc<Mutex<Place>>,
}

/// Where what was asked for stands.
#[derive(Default)]
enum Place {
    #[default]
    Waiting,
    /// A process of PostgreSQL works on it.
    AtProcess(i32),
    Cancelled,
    Done,
}

impl Asker {
    pub fn has_left(&self) -> bool {
        self.has_left.load(Ordering::Relaxed)
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_at(&self, process: Option<i32>) {
        if let Some(process) = process {
            *self.place() = Place::AtProcess(process);
        }
    }

    /// The work is over. True when it was cancelled: its connection may be told so late, and is not to be used again.
    pub fn is_done(&self) -> bool {
        matches!(std::mem::replace(&mut *self.place(), Place::Done), Place::Cancelled)
    }
}

/// Goes with the request: when it is dropped before its answer is there, its sender has left.
pub struct Presence {
    asker: Asker,
    url: Arc<str>,
}

impl Presence {
    pub fn of(asker: &Asker, url: &Arc<str>) -> Presence {
        Presence { asker: asker.clone(), url: url.clone() }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.asker.has_left.store(true, Ordering::Relaxed);
        if !matches!(*self.asker.place(), Place::AtProcess(_)) {
            return;
        }
        let (asker, url) = (self.asker.clone(), self.url.clone());
        tokio::task::spawn_blocking(move || {
            // As long as this is held the connection stays with the work that is to be cancelled.
            let mut place = asker.place();
            let Place::AtProcess(process) = *place else { return };
            *place = Place::Cancelled;
            if let Err(error) = cancel(&url, process) {
                tracing::warn!(%error, "a statement whose sender had left could not be cancelled");
            }
        });
    }
}

fn cancel(url: &str, process: i32) -> Result<(), AppError> {
    let connection = PgConnection::establish(url).map_err(|error| AppError::Busy(error.to_string()));
    diesel::sql_query("SELECT pg_cancel_backend($1)").bind::<Integer, _>(process).execute(&mut connection?)?;
    Ok(())
}

#[derive(QueryableByName)]
struct Process {
    #[diesel(sql_type = Integer)]
    process: i32,
}

/// Which process of PostgreSQL serves this connection.
pub fn process_of(conn: &mut PgConnection) -> QueryResult<i32> {
    Ok(diesel::sql_query("SELECT pg_backend_pid() AS process").get_result::<Process>(conn)?.process)
}

/// Tells PostgreSQL how long a statement may run; SQLite asks the watch.
pub fn set_timeout(conn: &mut Conn, limit: Option<Duration>) -> QueryResult<()> {
    match conn {
        Conn::Sqlite(_) => Ok(()),
        Conn::Postgres(conn) => {
            let milliseconds = limit.map_or(0, |limit| limit.as_millis());
            conn.batch_execute(&format!("SET statement_timeout = {milliseconds}"))
        }
    }
}
