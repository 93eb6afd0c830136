//! What the connections of one proxy user or static IP share: how many there are, and how much they carry.
use postern_core::proxy_protocol::Authorization;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How much may be carried at once after nothing was carried: what the bandwidth carries in this time.
const BURST: Duration = Duration::from_millis(200);

/// Who has limits of its own, by its id.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub enum Owner {
    ProxyUser(i64),
    Node(i64),
}

impl Owner {
    /// That of a connection; `None` if the shop named none.
    pub fn of(answer: &Authorization) -> Option<Owner> {
        answer.proxy_user_id.map(Owner::ProxyUser).or(answer.node_id.map(Owner::Node))
    }
}

/// The shares of proxy users and static IPs.
#[derive(Default)]
pub struct Shares(Mutex<HashMap<Owner, Arc<Share>>>);

impl Shares {
    pub fn of(&self, owner: Owner) -> Arc<Share> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains_key(&owner) && all.len() == all.capacity() {
            all.retain(|_, share| Arc::strong_count(share) > 1 || share.owes());
            let kept = all.len();
            all.reserve(kept + 1);
        }
        all.entry(owner).or_insert_with(|| Arc::new(Share::new())).clone()
    }
}

pub struct Share {
    open: AtomicU32,
    carried: Mutex<Carried>,
}

/// What was carried beyond the bandwidth, at a time; it falls by the bandwidth, to less than nothing after a pause.
struct Carried {
    bytes: f64,
    at: Instant,
    bytes_per_second: f64,
}

impl Carried {
    /// Brings it up to date.
    fn pass(&mut self, now: Instant) {
        let paid = now.saturating_duration_since(self.at).as_secs_f64() * self.bytes_per_second;
        let burst = BURST.as_secs_f64() * self.bytes_per_second;
        (self.bytes, self.at) = ((self.bytes - paid).max(-burst), now);
    }
}

impl Share {
    fn new() -> Share {
        let carried = Carried { bytes: 0.0, at: Instant::now(), bytes_per_second: 0.0 };
        Share { open: AtomicU32::new(0), carried: Mutex::new(carried) }
    }

    /// Counts a connection, unless there are as many as there may be.
    pub fn enter(self: Arc<Share>, most: u32) -> Option<Seat> {
        let next = |open: u32| (open < most).then_some(open + 1);
        self.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        Some(Seat(self))
    }

    fn carried(&self) -> MutexGuard<'_, Carried> {
        let mut carried = self.carried.lock().unwrap_or_else(PoisonError::into_inner);
        carried.pass(Instant::now());
        carried
    }

    fn owes(&self) -> bool {
        self.carried().bytes > 0.0
    }

    /// How long to wait after these bytes, so that all connections together do not exceed the bandwidth. A new connection asks after none: short
    /// ones, one after the other, are no way around it.
    pub fn delay(&self, bytes: usize, bytes_per_second: u64) -> Duration {
        let mut carried = self.carried();
        #[expect(clippy::cast_precision_loss, reason = "exact enough")]
        let (bytes, rate) = (bytes as f64, bytes_per_second.max(1) as f64);
        carried.bytes += bytes;
        carried.bytes_per_second = rate;
        Duration::from_secs_f64(carried.bytes.max(0.0) / rate)
    }
}

/// A connection that is counted until this is dropped.
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
    use super::Owner::{Node, ProxyUser};
    use super::*;

    #[test]
    fn a_user_gets_as_many_connections_as_it_may_have_and_each_back() {
        let shares = Shares::default();
        let first = shares.of(ProxyUser(7)).enter(2).expect("a seat");
        let _second = shares.of(ProxyUser(7)).enter(2).expect("a seat");
        assert!(shares.of(ProxyUser(7)).enter(2).is_none());
        assert!(shares.of(ProxyUser(8)).enter(1).is_some() && shares.of(Node(7)).enter(1).is_some());
        drop(first);
        assert!(shares.of(ProxyUser(7)).enter(2).is_some());
        // A lower limit lets no new ones in.
        assert!(shares.of(ProxyUser(7)).enter(1).is_none());
    }

    #[test]
    fn all_connections_of_a_user_share_its_bandwidth() {
        let shares = Shares::default();
        let (one, two) = (shares.of(ProxyUser(7)), shares.of(ProxyUser(7)));
        let longest = (0..10).map(|_| one.delay(50_000, 1_000_000).max(two.delay(50_000, 1_000_000))).max();
        // 1 MB at 1 MB per second, less the burst.
        let seconds = longest.unwrap_or_default().as_secs_f64();
        assert!((0.7..=1.0).contains(&seconds), "{seconds}");
        assert!(shares.of(ProxyUser(8)).delay(1, 1_000_000) < Duration::from_millis(1));
    }

    #[test]
    fn what_a_user_owes_outlives_its_connections_and_no_longer() {
        let shares = Shares::default();
        let owed = shares.of(ProxyUser(7)).enter(1).map(|seat| seat.share().delay(10_000_000, 1_000_000));
        assert!(owed.is_some_and(|owed| owed > Duration::from_secs(9)));
        for other in 8..1_000 {
            shares.of(ProxyUser(other));
        }
        assert!(shares.of(ProxyUser(7)).delay(0, 1_000_000) > Duration::from_secs(8));
        // A wider bandwidth carries it sooner.
        assert!(shares.of(ProxyUser(7)).delay(0, 100_000_000) < Duration::from_millis(100));
        assert!(shares.0.lock().expect("shares").len() < 500, "users who owe nothing are dropped");
    }
}
