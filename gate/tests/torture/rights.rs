//! Who may connect since when, as the shop has confirmed it, and which attempts are faults.
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How soon a change must count everywhere.
const SOON: Duration = Duration::from_secs(5);

/// How attempts that concern an open tunnel are called.
pub const OPEN: &str = "open tunnel";

#[derive(Clone, Debug)]
pub struct Right {
    pub password: String,
    pub old_password: Option<String>,
    /// `None` while a change is under way, or while its result depends on traffic.
    pub is_allowed: Option<bool>,
    pub since: Instant,
    pub version: u64,
}

/// When each process has come up; `None` while it is down.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Up {
    pub since: Option<Instant>,
}

impl Up {
    fn is_settled(self, now: Instant) -> bool {
        self.since.is_some_and(|since| now > since + SOON)
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outcome {
    Served,
    /// Refused, broken, or not accepted at all.
    NotServed,
}

pub struct World {
    pub rights: Vec<Mutex<Right>>,
    pub shop: Mutex<Up>,
    pub gates: [Mutex<Up>; 2],
    pub faults: Mutex<Vec<String>>,
    pub judged: Mutex<[u64; 2]>,
    /// How long after a right ended open tunnels did.
    pub cuts: Mutex<Vec<Duration>>,
    /// Attempts that were served while the shop was down.
    pub served_in_grace: AtomicU64,
    pub end: Instant,
}

/// What was known when an attempt began.
#[derive(Clone)]
pub struct Moment {
    pub right: Right,
    shop: Up,
    gate: Up,
    at: Instant,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread has panicked")
}

impl World {
    pub fn right(&self, user: usize) -> MutexGuard<'_, Right> {
        locked(&self.rights[user])
    }

    pub fn moment(&self, user: usize, gate: usize) -> Moment {
        let (right, shop, gate) = (self.right(user).clone(), *locked(&self.shop), *locked(&self.gates[gate]));
        Moment { right, shop, gate, at: Instant::now() }
    }

    /// A tunnel that was open when its right ended.
    fn note_cut(&self, before: &Moment, after: &Moment, outcome: Outcome) {
        let is_up =
            before.shop == after.shop && before.gate == after.gate && before.shop.is_settled(before.right.since);
        if outcome == Outcome::NotServed
            && is_up
            && before.gate.since.is_some()
            && after.right.is_allowed == Some(false)
        {
            locked(&self.cuts).push(after.right.since.elapsed());
        }
    }

    /// Judges an attempt with a password: whoever has a right is served, whoever has none is not, as soon as nothing has changed for a while.
    pub fn judge(&self, user: usize, gate: usize, password: &str, before: &Moment, outcome: Outcome, what: &str) {
        let after = self.moment(user, gate);
        let is_same = before.right.version == after.right.version
            && before.shop == after.shop
            && before.gate == after.gate
            && before.right.is_allowed.is_some();
        let began = before.at;
        if is_same && before.shop.since.is_none() && outcome == Outcome::Served {
            self.served_in_grace.fetch_add(1, Ordering::Relaxed);
        }
        if !is_same || began < before.right.since + SOON || !before.shop.is_settled(began) {
            if what.starts_with(OPEN) {
                self.note_cut(before, &after, outcome);
            }
            return;
        }
        let has_right = before.right.is_allowed == Some(true) && before.right.password == password;
        let is_fault = match outcome {
            Outcome::Served => !has_right,
            Outcome::NotServed => has_right && before.gate.is_settled(began),
        };
        locked(&self.judged)[usize::from(has_right)] += 1;
        if is_fault {
            let held = began.duration_since(before.right.since);
            let [shop, gate_up] = [before.shop, before.gate].map(|up| up.since.map(|since| began - since));
            let fault = format!(
                "user {user} at gate {gate}, {what}: {outcome:?}, right {has_right} for {held:?}, shop up for {shop:?}, gate for {gate_up:?}"
            );
            eprintln!("FAULT: {fault}");
            locked(&self.faults).push(fault);
        }
    }
}
