//! How many connections were admitted and refused since the start.
use crate::refusal::Refusal;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Clone, Copy, Debug)]
pub enum Protocol {
    /// A forwarded request.
    Http,
    Connect,
    Socks5,
}

impl Protocol {
    pub const ALL: [Protocol; 3] = [Protocol::Http, Protocol::Connect, Protocol::Socks5];

    pub fn as_str(self) -> &'static str {
        match self {
            Protocol::Http => "http",
            Protocol::Connect => "connect",
            Protocol::Socks5 => "socks5",
        }
    }
}

#[derive(Default)]
pub struct Metrics {
    connections: [AtomicU64; 3],
    refusals: Mutex<BTreeMap<&'static str, u64>>,
}

impl Metrics {
    pub fn note_connection(&self, protocol: Protocol) {
        self.connections[protocol as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub fn note_refusal(&self, refusal: Refusal) {
        self.note_refused(refusal.as_str());
    }

    /// Counts a refusal by its reason as a word.
    pub fn note_refused(&self, reason: &'static str) {
        *self.counts().entry(reason).or_default() += 1;
    }

    /// The number of admitted requests and tunnels.
    pub fn connections(&self, protocol: Protocol) -> u64 {
        self.connections[protocol as usize].load(Ordering::Relaxed)
    }

    /// The number of refusals by reason.
    pub fn refusals(&self) -> BTreeMap<&'static str, u64> {
        self.counts().clone()
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<&'static str, u64>> {
        self.refusals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
