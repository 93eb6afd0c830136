//! Statement timeouts for requests. Jobs, migrations and commands have no limit.
//!
//! PostgreSQL has statement timeouts. SQLite calls our progress handler every `STEPS` steps; it is registered as an extension
//! when a connection opens, because diesel does not expose the connection handle.
#![allow(unsafe_code)] // SQLite's progress handler is a C function.
use crate::db::conn::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use diesel::connection::{Connection, InstrumentationEvent, SimpleConnection, get_default_instrumentation};
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use libsqlite3_sys::{SQLITE_OK, sqlite3, sqlite3_api_routines, sqlite3_auto_extension, sqlite3_progress_handler};
use postern_core::code::Code;
use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// The statement timeout of requests.
pub const REQUEST_LIMIT: Duration = Duration::from_secs(5);
/// SQLite virtual machine steps between calls of the progress handler: some tenths of a millisecond.
const STEPS: c_int = 10_000;

/// The running statement of a connection, to decide whether to stop it.
#[derive(Default)]
pub struct Watch(Mutex<Run>);

#[derive(Default)]
struct Run {
    limit: Option<Duration>,
    /// When the running statement began.
    began_at: Option<Instant>,
    was_stopped: bool,
}

impl Run {
    /// Whether the running or latest statement has exceeded its time limit.
    fn is_over(&self) -> bool {
        self.began_at.zip(self.limit).is_some_and(|(began_at, limit)| began_at.elapsed() >= limit)
    }
}

impl Watch {
    /// Applies this limit to the statements that follow.
    pub fn begin(&self, limit: Option<Duration>) {
        *self.run() = Run { limit, began_at: None, was_stopped: false };
    }

    fn run(&self) -> MutexGuard<'_, Run> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_to_stop(&self) -> bool {
        let mut run = self.run();
        let is_over = run.is_over();
        run.was_stopped |= is_over;
        is_over
    }

    /// Maps the database's error for a cancelled statement to a refusal for the client.
    pub fn as_refusal<T>(&self, result: Result<T, AppError>) -> Result<T, AppError> {
        let error = match result {
            Err(AppError::Database(DieselError::DatabaseError(DatabaseErrorKind::Unknown, information))) => information,
            other => return other,
        };
        let run = self.run();
        if run.was_stopped {
            tracing::warn!(limit = ?run.limit, "a statement of a request exceeded its time limit");
            return Err(AppError::code(Code::StatementTooSlow));
        }
        Err(AppError::Database(DieselError::DatabaseError(DatabaseErrorKind::Unknown, error)))
    }
}

/// Records when each statement of the connection begins.
pub fn watch_statements(conn: &mut Conn, watch: Arc<Watch>) {
    // Keeps the default instrumentation working.
    let mut listener = get_default_instrumentation();
    conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
        match &event {
            InstrumentationEvent::StartQuery { .. } => watch.run().began_at = Some(Instant::now()),
            // PostgreSQL enforces the timeout itself.
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
    /// The watch of the connection that this thread is opening.
    static OPENING: RefCell<Option<Arc<Watch>>> = const { RefCell::new(None) };
}

/// Opens a SQLite connection whose statements check this watch. The watch must outlive the connection.
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

/// SQLite calls this for each connection it opens.
unsafe extern "C" fn set_handler(db: *mut sqlite3, _: *mut *mut c_char, _: *const sqlite3_api_routines) -> c_int {
    OPENING.with_borrow(|watch| {
        if let Some(watch) = watch {
            // SAFETY: `db` is the connection that is being opened; its opener keeps the watch for as long as the connection.
            unsafe { sqlite3_progress_handler(db, STEPS, Some(ask), Arc::as_ptr(watch).cast_mut().cast()) };
        }
    });
    SQLITE_OK
}

unsafe extern "C" fn ask(watch: *mut c_void) -> c_int {
    // SAFETY: the pointer was set by `set_handler`, to a watch that outlives its connection.
    let watch = unsafe { &*watch.cast::<Watch>() };
    c_int::from(watch.is_to_stop())
}

/// Sets PostgreSQL's statement timeout; SQLite asks the watch.
pub fn set_timeout(conn: &mut Conn, limit: Option<Duration>) -> QueryResult<()> {
    match conn {
        Conn::Sqlite(_) => Ok(()),
        Conn::Postgres(conn) => {
            let milliseconds = limit.map_or(0, |limit| limit.as_millis());
            conn.batch_execute(&format!("SET statement_timeout = {milliseconds}"))
        }
    }
}
