//! Connections to destinations: how many were opened, how many failed, and how long they took.
use crate::refusal::Refusal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Connections to destinations since the last heartbeat.
#[derive(Default)]
pub struct Attempts {
    opened: AtomicU64,
    failed: AtomicU64,
    milliseconds: AtomicU64,
}

impl Attempts {
    /// Notes how an attempt ended. What is refused here, or by a destination that exists, says nothing about the gate.
    pub fn note<T>(&self, ended: &Result<T, Refusal>, took: Duration) {
        match ended {
            Ok(_) => {
                self.opened.fetch_add(1, Ordering::Relaxed);
                let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
                self.milliseconds.fetch_add(milliseconds, Ordering::Relaxed);
            }
            Err(Refusal::Unreachable | Refusal::Timeout | Refusal::BrokenAnswer | Refusal::NoUpstream) => {
                self.failed.fetch_add(1, Ordering::Relaxed);
            }
            Err(_) => {}
        }
    }

    /// The opened and failed ones since the last time, and the mean time of the opened ones in milliseconds.
    pub fn take(&self) -> (u64, u64, Option<u64>) {
        let take = |counter: &AtomicU64| counter.swap(0, Ordering::Relaxed);
        let (opened, failed, milliseconds) = (take(&self.opened), take(&self.failed), take(&self.milliseconds));
        (opened, failed, milliseconds.checked_div(opened))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_here_or_by_the_destination_is_no_attempt() {
        let attempts = Attempts::default();
        for (ended, milliseconds) in [
            (Ok(()), 10),
            (Ok(()), 30),
            (Err(Refusal::Unreachable), 500),
            (Err(Refusal::NoUpstream), 500),
            (Err(Refusal::ConnectionRefused), 1),
            (Err(Refusal::UnknownHost), 1),
            (Err(Refusal::PrivateDestination), 1),
        ] {
            attempts.note(&ended, Duration::from_millis(milliseconds));
        }
        assert_eq!(attempts.take(), (2, 2, Some(20)));
        assert_eq!(attempts.take(), (0, 0, None));
    }
}
