//! The one clock. Tests move it; nothing else in the server asks what time it is.
use chrono::{NaiveDateTime, SubsecRound, TimeDelta, Utc};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

#[derive(Clone, Default)]
pub struct Clock {
    ahead_seconds: Arc<AtomicI64>,
}

impl Clock {
    /// Now in UTC, to the millisecond: both databases keep that exactly.
    pub fn now(&self) -> NaiveDateTime {
        Utc::now().naive_utc().trunc_subsecs(3) + TimeDelta::seconds(self.ahead_seconds.load(Ordering::Relaxed))
    }

    pub fn advance(&self, by: TimeDelta) {
        self.ahead_seconds.fetch_add(by.num_seconds(), Ordering::Relaxed);
    }
}
