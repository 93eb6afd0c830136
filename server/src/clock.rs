//! The server's only source of the current time. Tests can move it.
use chrono::{NaiveDateTime, SubsecRound, TimeDelta, Utc};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

#[derive(Clone, Default)]
pub struct Clock {
    ahead_seconds: Arc<AtomicI64>,
}

impl Clock {
    /// Now in UTC, in milliseconds: both databases store that exactly.
    pub fn now(&self) -> NaiveDateTime {
        Utc::now().naive_utc().trunc_subsecs(3)
            + TimeDelta::seconds(self.ahead_seconds.load(Ordering::Relaxed) + seconds_ahead_by_file())
    }

    pub fn advance(&self, by: TimeDelta) {
        self.ahead_seconds.fetch_add(by.num_seconds(), Ordering::Relaxed);
    }
}

/// Seconds to add to the clock, from the file named by POSTERN_TEST_CLOCK: browser tests use it to move the clock of a server in another process.
/// Development builds only.
#[cfg(debug_assertions)]
fn seconds_ahead_by_file() -> i64 {
    static FILE: std::sync::OnceLock<Option<std::path::PathBuf>> = std::sync::OnceLock::new();
    let file = FILE.get_or_init(|| std::env::var_os("POSTERN_TEST_CLOCK").map(Into::into));
    let text = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
    text.and_then(|text| text.trim().parse().ok()).unwrap_or_default()
}

#[cfg(not(debug_assertions))]
fn seconds_ahead_by_file() -> i64 {
    0
}
