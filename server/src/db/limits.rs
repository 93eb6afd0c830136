//! Statement timeouts for requests, and cancellation when the client disconnects. Jobs, migrations and commands have no limit.
//!
//! PostgreSQL has statement timeouts and cancels on demand. SQLite calls our progress handler every `STEPS` steps; it is registered as an extension
//! when a connection opens, because diesel does not expose the connection handle.
#![allow(unsafe_code)] // SQLite's progress handler is a C function.
use crate::db::conn::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use diesel::connection::{Connection, InstrumentationEvent, SimpleConnection, get_default_instrumentation};
use diesel::pg::PgConnection;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel::sql_types::{Integer, Nullable};
use libsqlite3_sys::{SQLITE_OK, sqlite3, sqlite3_api_routines, sqlite3_auto_extension, sqlite3_progress_handler};
use postern_core::code::Code;
use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// The statement timeout of requests.
pub const REQUEST_LIMIT: Duration = Duration::from_secs(5);
/// The pause between two cancellations of the same work.
const CANCEL_EVERY: Duration = Duration::from_millis(100);
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
    asker: Option<ClientRequest>,
    was_stopped: bool,
}

impl Run {
    /// Whether the running or latest statement has exceeded its time limit.
    fn is_over(&self) -> bool {
        self.began_at.zip(self.limit).is_some_and(|(began_at, limit)| began_at.elapsed() >= limit)
    }
}

impl Watch {
    /// Applies this limit and this client to the statements that follow.
    pub fn begin(&self, limit: Option<Duration>, asker: Option<ClientRequest>) {
        *self.run() = Run { limit, asker, began_at: None, was_stopped: false };
    }

    fn run(&self) -> MutexGuard<'_, Run> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_to_stop(&self) -> bool {
        let mut run = self.run();
        let is_to_stop = run.is_over() || run.asker.as_ref().is_some_and(ClientRequest::is_disconnected);
        run.was_stopped |= is_to_stop;
        is_to_stop
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

/// A client waiting for a response, who may disconnect before it arrives. Cheap to clone.
#[derive(Clone, Default)]
pub struct ClientRequest {
    is_disconnected: Arc<AtomicBool>,
    place: Arc<Mutex<Place>>,
}

/// The progress of the client's request.
#[derive(Default)]
enum Place {
    #[default]
    Waiting,
    /// A PostgreSQL backend works on it.
    AtProcess(i32),
    Cancelled,
    Done,
}

impl ClientRequest {
    pub fn is_disconnected(&self) -> bool {
        self.is_disconnected.load(Ordering::Relaxed)
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn runs_on(&self, process: Option<i32>) {
        if let Some(process) = process {
            *self.place() = Place::AtProcess(process);
        }
    }

    /// Marks the work as done. True if it was cancelled: the cancellation may arrive late, so the connection must not be reused.
    pub fn is_done(&self) -> bool {
        matches!(std::mem::replace(&mut *self.place(), Place::Done), Place::Cancelled)
    }
}

/// Lives as long as the request: dropped before the response, it means that the client has disconnected.
pub struct Presence {
    asker: ClientRequest,
    url: Arc<str>,
}

impl Presence {
    pub fn of(asker: &ClientRequest, url: &Arc<str>) -> Presence {
        Presence { asker: asker.clone(), url: url.clone() }
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.asker.is_disconnected.store(true, Ordering::Relaxed);
        if !matches!(*self.asker.place(), Place::AtProcess(_)) {
            return;
        }
        let (asker, url) = (self.asker.clone(), self.url.clone());
        tokio::task::spawn_blocking(move || {
            if let Err(error) = cancel(&url, &asker) {
                tracing::warn!(%error, "the statement of a disconnected client could not be cancelled");
            }
        });
    }
}

/// Cancels this client's statement repeatedly until the work is done: PostgreSQL ignores a cancellation that arrives between two statements.
fn cancel(url: &str, asker: &ClientRequest) -> Result<(), AppError> {
    let mut connection = PgConnection::establish(url).map_err(|error| AppError::Busy(error.to_string()))?;
    let mut process = None;
    loop {
        {
            // While the lock is held, the connection stays with the work to be cancelled.
            let mut place = asker.place();
            match *place {
                Place::AtProcess(at) => process = Some(at),
                Place::Cancelled => {}
                Place::Waiting | Place::Done => return Ok(()),
            }
            *place = Place::Cancelled;
            diesel::sql_query("SELECT pg_cancel_backend($1)")
                .bind::<Nullable<Integer>, _>(process)
                .execute(&mut connection)?;
        }
        std::thread::sleep(CANCEL_EVERY);
    }
}

#[derive(QueryableByName)]
struct Process {
    #[diesel(sql_type = Integer)]
    process: i32,
}

/// The backend process id of this connection.
pub fn process_of(conn: &mut PgConnection) -> QueryResult<i32> {
    Ok(diesel::sql_query("SELECT pg_backend_pid() AS process").get_result::<Process>(conn)?.process)
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
