//! What the connections of one proxy user share: how many there are, and how much they carry.
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How much a proxy user may carry at once after it carried nothing: what its bandwidth carries in this time.
const BURST: Duration = Duration::from_millis(200);

/// The shares of proxy users, by their ids.
#[derive(Default)]
pub struct Shares(Mutex<HashMap<i64, Arc<Share>>>);

impl Shares {
    pub fn of(&self, proxy_user_id: i64) -> Arc<Share> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains_key(&proxy_user_id) && all.len() == all.capacity() {
            all.retain(|_, share| Arc::strong_count(share) > 1 || !share.debt().is_zero());
        }
        let new = || Arc::new(Share { open: AtomicU32::new(0), free_at: Mutex::new(Instant::now()) });
        all.entry(proxy_user_id).or_insert_with(new).clone()
    }
}

pub struct Share {
    open: AtomicU32,
    /// When all that was carried so far is paid for by the bandwidth.
    free_at: Mutex<Instant>,
}

impl Share {
    /// Counts a connection, unless there are as many as there may be.
    pub fn enter(self: Arc<Share>, most: u32) -> Option<Seat> {
        let next = |open: u32| (open < most).then_some(open + 1);
        self.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        Some(Seat(self))
    }

    fn free_at(&self) -> MutexGuard<'_, Instant> {
        self.free_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long a new connection has to wait for what others have carried: short connections one after the other are no way around the
    /// bandwidth.
    pub fn debt(&self) -> Duration {
        self.free_at().saturating_duration_since(Instant::now())
    }

    /// How long to wait after these bytes, so that all connections together do not exceed the bandwidth.
    pub fn delay(&self, bytes: usize, bytes_per_second: u64) -> Duration {
        let now = Instant::now();
        let mut free_at = self.free_at();
        let earliest = now.checked_sub(BURST).unwrap_or(now);
        #[expect(clippy::cast_precision_loss, reason = "a time, exact enough")]
        let cost = Duration::from_secs_f64(bytes as f64 / bytes_per_second.max(1) as f64);
        *free_at = (*free_at).max(earliest) + cost;
        free_at.saturating_duration_since(now)
    }
}

/// A connection of a proxy user that is counted until this is dropped.
pub struct Seat(Arc<Share>);

impl Seat {
    pub fn share(&self) -> &Share {
        &self.0
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_gets_as_many_connections_as_it_may_have_and_each_back() {
        let shares = Shares::default();
        let first = shares.of(7).enter(2).expect("a seat");
        let _second = shares.of(7).enter(2).expect("a seat");
        assert!(shares.of(7).enter(2).is_none());
        assert!(shares.of(8).enter(1).is_some());
        drop(first);
        assert!(shares.of(7).enter(2).is_some());
        // A lower limit lets no new ones in.
        assert!(shares.of(7).enter(1).is_none());
    }

    #[test]
    fn all_connections_of_a_user_share_its_bandwidth() {
        let shares = Shares::default();
        let (one, two) = (shares.of(7), shares.of(7));
        let longest = (0..10).map(|_| one.delay(50_000, 1_000_000).max(two.delay(50_000, 1_000_000))).max();
        // 1 MB at 1 MB per second, less the burst.
        let seconds = longest.unwrap_or_default().as_secs_f64();
        assert!((0.7..=1.0).contains(&seconds), "{seconds}");
        assert!(shares.of(8).delay(1, 1_000_000) < Duration::from_millis(1));
    }

    #[test]
    fn what_a_user_owes_outlives_its_connections_and_no_longer() {
        let shares = Shares::default();
        let owed = shares.of(7).enter(1).map(|seat| seat.share().delay(10_000_000, 1_000_000));
        assert!(owed.is_some_and(|owed| owed > Duration::from_secs(9)));
        for other in 8..1_000 {
            shares.of(other);
        }
        assert!(shares.of(7).debt() > Duration::from_secs(8));
        assert!(shares.0.lock().expect("shares").len() < 500, "users who owe nothing are dropped");
    }
}
