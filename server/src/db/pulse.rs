//! Whether PostgreSQL answers. A server that is gone refuses connections, but one that is frozen, or behind a broken network, is only silent: so while
//! work waits, a probe connects beside it. If it gets no answer either, the work is given up, and all that comes later is refused at once, until a probe
//! is answered.
use crate::db::url;
use diesel::connection::Connection;
use diesel::pg::PgConnection;
use socket2::Socket;
use std::future::Future;
use std::net::{Shutdown, SocketAddr};
use std::os::fd::{BorrowedFd, RawFd};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How often waiting work looks whether the database is lost.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// A database that has answered anything so recently is not probed.
const FELT_LATELY: Duration = Duration::from_millis(500);
/// The pause between two probes of a lost database.
const PROBE_EVERY: Duration = Duration::from_millis(250);
/// A probe that takes this long hangs, after it was let in: another one begins beside it.
const PROBE_HANGS: Duration = Duration::from_secs(5);
/// After a loss of this length, connections from before it are closed: whatever they wait for may never come.
const LONG_LOSS: Duration = Duration::from_secs(3);

/// Cheap to clone.
#[derive(Clone)]
pub struct Pulse(Arc<State>);

struct State {
    url: Arc<str>,
    /// A database that answers neither work nor a probe for this long is lost: half of its `connect_timeout`, so that with the time before the probe
    /// requests are answered within it.
    patience: Duration,
    felt_at: Mutex<Option<Instant>>,
    /// `None` while the database answers.
    silence: Mutex<Option<Silence>>,
    /// When connections from before a long loss were last closed.
    closed_at: Mutex<Option<Instant>>,
}

struct Silence {
    since: Instant,
    probed_at: Instant,
    is_told: bool,
}

impl Pulse {
    pub fn of(url: &Arc<str>) -> Pulse {
        let patience = url::answers_within(url) / 2;
        Pulse(Arc::new(State {
            url: url.clone(),
            patience,
            felt_at: Mutex::default(),
            silence: Mutex::default(),
            closed_at: Mutex::default(),
        }))
    }

    /// Whether connections have been closed since then, one that was just opened perhaps among them.
    pub fn has_closed_since(&self, instant: Instant) -> bool {
        self.0.closed_at.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|closed_at| closed_at >= instant)
    }

    /// Whether the database has been silent for too long.
    pub fn is_lost(&self) -> bool {
        self.0.silence().as_ref().is_some_and(|silence| silence.since.elapsed() >= self.0.patience)
    }

    /// The database has answered.
    pub fn is_felt(&self) {
        self.0.end_silence();
    }

    /// The result of work, or `None` if the database is lost.
    pub async fn while_felt<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        if self.is_lost() {
            self.probe();
            return None;
        }
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                result = &mut work => return Some(result),
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            self.probe();
            if self.is_lost() {
                return None;
            }
        }
    }

    /// Begins a probe, unless one is running or would tell nothing new.
    fn probe(&self) {
        let felt_at = *self.0.felt_at.lock().unwrap_or_else(PoisonError::into_inner);
        if felt_at.is_some_and(|felt_at| felt_at.elapsed() < FELT_LATELY) {
            return;
        }
        let mut silence = self.0.silence();
        let now = Instant::now();
        match &mut *silence {
            Some(running) if running.probed_at.elapsed() < PROBE_HANGS => return,
            Some(running) => running.probed_at = now,
            None => *silence = Some(Silence { since: now, probed_at: now, is_told: false }),
        }
        drop(silence);
        let (url, state) = (self.0.url.clone(), Arc::downgrade(&self.0));
        let probing =
            std::thread::Builder::new().name("probe".to_owned()).spawn(move || probe_until_felt(&url, &state));
        if let Err(error) = probing {
            tracing::error!(%error, "the database cannot be probed");
        }
    }
}

impl State {
    fn silence(&self) -> MutexGuard<'_, Option<Silence>> {
        self.silence.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end_silence(&self) {
        *self.felt_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        let ended = self.silence().take();
        if let Some(silence) = ended.filter(|silence| silence.is_told) {
            tracing::info!(after = ?silence.since.elapsed(), "the database answers again");
        }
    }

    /// True while the silence lasts.
    fn goes_on(&self, error: &diesel::ConnectionError) -> bool {
        let mut silence = self.silence();
        let Some(silence) = &mut *silence else { return false };
        silence.probed_at = Instant::now();
        if !silence.is_told && silence.since.elapsed() >= self.patience {
            silence.is_told = true;
            tracing::error!(error = url::cause(&self.url, error), "the database does not answer");
        }
        true
    }
}

/// Connects until the database answers, whoever it answers.
fn probe_until_felt(url: &str, state: &Weak<State>) {
    loop {
        let connected = PgConnection::establish(url).map(drop);
        let Some(state) = state.upgrade() else { return };
        match connected {
            Ok(()) => {
                let was_long = state.silence().as_ref().is_some_and(|silence| silence.since.elapsed() >= LONG_LOSS);
                if was_long {
                    close_connections_to(&url::addresses(url));
                    *state.closed_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
                }
                state.end_silence();
                return;
            }
            Err(error) if state.goes_on(&error) => {}
            Err(_) => return,
        }
        drop(state);
        std::thread::sleep(PROBE_EVERY);
    }
}

/// Shuts this process's connections to these addresses down: threads that wait for an answer get an error. Diesel does not expose the sockets of its
/// connections.
#[allow(unsafe_code)]
fn close_connections_to(addresses: &[SocketAddr]) {
    let Ok(files) = std::fs::read_dir("/proc/self/fd") else { return };
    for number in files.filter_map(|file| file.ok()?.file_name().to_str()?.parse::<RawFd>().ok()) {
        // SAFETY: the number is only used to clone it; if it was closed meanwhile, that fails. The clone stays the same file, whatever it is.
        let Ok(file) = unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned() else { continue };
        let socket = Socket::from(file);
        let peer = socket.peer_addr().ok().and_then(|peer| peer.as_socket());
        if peer.is_some_and(|peer| addresses.contains(&peer)) {
            // An error means that it is closed already.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}
