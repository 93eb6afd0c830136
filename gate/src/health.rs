//! Whether the shop answers, and since when.
use crate::shop::ShopError;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Changes of the shop's state are logged once.
pub struct Health(Mutex<State>);

struct State {
    is_reachable: bool,
    heard_at: Instant,
}

impl Default for Health {
    fn default() -> Health {
        Health(Mutex::new(State { is_reachable: true, heard_at: Instant::now() }))
    }
}

impl Health {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_reachable(&self) -> bool {
        self.state().is_reachable
    }

    /// How long ago the shop last answered.
    pub fn silence(&self) -> Duration {
        self.state().heard_at.elapsed()
    }

    /// The shop has answered.
    pub fn note_answer(&self) {
        let mut state = self.state();
        if !state.is_reachable {
            tracing::info!(away_seconds = state.heard_at.elapsed().as_secs(), "the shop answers again");
        }
        *state = State { is_reachable: true, heard_at: Instant::now() };
    }

    /// The shop has not answered.
    pub fn note_failure(&self, error: &ShopError) {
        let mut state = self.state();
        if state.is_reachable {
            tracing::warn!(%error, "nobody new is admitted; those whom the shop allowed before go on for the time of grace");
        }
        state.is_reachable = false;
    }
}
