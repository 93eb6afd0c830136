//! One identity: what the shop last said about it, and how many of its connections are open.
use crate::secret::Secret;
use crate::shares::Seat;
use postern_core::proxy_protocol::{Authorization, Connection};
use postern_core::usage::Refused;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

/// The longest time for which an answer admits new connections, whatever the shop says: as with open ones, those whose right has ended must
/// not go on for seconds.
const LONGEST_VALIDITY: Duration = Duration::from_millis(1_500);

/// Who wants to connect, from where, through which node.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Identity {
    /// With its parameters; empty if the client sent none.
    pub user_name: String,
    pub password: Secret,
    pub client: IpAddr,
    /// The node's public address, on static proxies.
    pub node: Option<IpAddr>,
}

impl Identity {
    pub fn question(&self) -> Connection {
        Connection {
            user_name: self.user_name.clone(),
            password: self.password.reveal().to_owned(),
            client_address: self.client.to_string(),
            ip: self.node.map(|node| node.to_string()).unwrap_or_default(),
        }
    }
}

pub struct Entry {
    pub identity: Identity,
    known: Mutex<Known>,
}

/// What is known about an identity.
struct Known {
    answer: Option<Arc<Authorization>>,
    heard_at: Instant,
    open: usize,
    /// Ends the connections that are open.
    ended: CancellationToken,
}

impl Known {
    fn is_allowed(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.allowed)
    }

    fn validity(&self) -> Duration {
        let seconds = self.answer.as_ref().map_or(0, |answer| answer.valid_for_seconds);
        Duration::from_secs(seconds).min(LONGEST_VALIDITY)
    }

    fn is_fresh(&self, now: Instant) -> bool {
        self.answer.is_some() && now < self.heard_at + self.validity()
    }

    fn is_in_grace(&self, now: Instant, grace: Duration) -> bool {
        self.is_allowed() && now < self.heard_at + grace
    }

    /// Ends the open connections, and returns how many there were.
    fn end(&mut self) -> usize {
        std::mem::take(&mut self.ended).cancel();
        self.open
    }
}

impl Entry {
    pub fn new(identity: Identity) -> Entry {
        let known = Known { answer: None, heard_at: Instant::now(), open: 0, ended: CancellationToken::new() };
        Entry { identity, known: Mutex::new(known) }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps an answer of the shop. A refusal ends what is open.
    pub fn hear(&self, answer: Authorization) {
        let mut known = self.known();
        let is_allowed = answer.allowed;
        let reason = answer.reason.map_or("refused", Refused::as_str);
        (known.answer, known.heard_at) = (Some(Arc::new(answer)), Instant::now());
        if !is_allowed {
            self.log_end(known.end(), reason);
        }
    }

    /// The shop no longer answers this server.
    pub fn forget(&self, reason: &str) {
        let mut known = self.known();
        known.answer = None;
        self.log_end(known.end(), reason);
    }

    fn log_end(&self, open: usize, reason: &str) {
        if open > 0 {
            let Identity { user_name, client, .. } = &self.identity;
            tracing::info!(user_name, %client, connections = open, reason, "connections ended");
        }
    }

    /// Ends what is open if the shop was silent for too long.
    pub fn end_after_grace(&self, grace: Duration) {
        if self.is_open() && !self.known().is_in_grace(Instant::now(), grace) {
            self.forget("shop_away");
        }
    }

    pub fn is_open(&self) -> bool {
        self.known().open > 0
    }

    /// Whether nothing is lost when the entry is dropped.
    pub fn is_forgettable(&self, grace: Duration) -> bool {
        let (known, now) = (self.known(), Instant::now());
        known.open == 0 && !known.is_fresh(now) && !known.is_in_grace(now, grace)
    }

    /// The decision, if the last answer is still valid.
    pub fn decide_fresh(self: &Arc<Entry>) -> Option<Result<Grant, Refused>> {
        let known = self.known();
        if known.is_fresh(Instant::now()) { self.decide(known) } else { None }
    }

    /// The decision by the answer that the shop has just given.
    pub fn decide_heard(self: &Arc<Entry>) -> Option<Result<Grant, Refused>> {
        self.decide(self.known())
    }

    /// Admits a connection by an old answer, while the shop is away.
    pub fn decide_in_grace(self: &Arc<Entry>, grace: Duration) -> Option<Grant> {
        let known = self.known();
        if known.is_in_grace(Instant::now(), grace) { self.decide(known).and_then(Result::ok) } else { None }
    }

    fn decide(self: &Arc<Entry>, mut known: MutexGuard<'_, Known>) -> Option<Result<Grant, Refused>> {
        let answer = known.answer.clone()?;
        if !answer.allowed {
            return Some(Err(answer.reason.unwrap_or(Refused::UnknownUser)));
        }
        known.open += 1;
        Some(Ok(Grant { answer, ended: known.ended.clone(), seat: None, entry: self.clone() }))
    }
}

/// A connection's permission. The connection counts as open until the grant is dropped, and must end when `ended` is cancelled.
pub struct Grant {
    pub answer: Arc<Authorization>,
    pub ended: CancellationToken,
    /// The connection among those of its proxy user or IP.
    pub seat: Option<Seat>,
    entry: Arc<Entry>,
}

impl Grant {
    /// How long to wait after these bytes, by the bandwidth that the shop last named.
    pub fn delay(&self, bytes: usize) -> Duration {
        let Some(seat) = &self.seat else { return Duration::ZERO };
        let rate = self.entry.known().answer.as_ref().and_then(|answer| answer.max_bytes_per_second);
        rate.map_or(Duration::ZERO, |rate| seat.share().delay(bytes, rate))
    }

    pub fn identity(&self) -> &Identity {
        &self.entry.identity
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        self.entry.known().open -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: Duration = Duration::from_secs(60);

    fn entry() -> Arc<Entry> {
        let password = Secret::new("opensesame");
        let client = "8.8.8.8".parse().expect("an address");
        Arc::new(Entry::new(Identity { user_name: "user-ann".into(), password, client, node: None }))
    }

    fn allowed(valid_for_seconds: u64) -> Authorization {
        Authorization { allowed: true, valid_for_seconds, ..Authorization::default() }
    }

    #[test]
    fn a_refusal_ends_what_is_open_and_nothing_later() {
        let entry = entry();
        entry.hear(allowed(5));
        let first = entry.decide_fresh().expect("fresh").expect("allowed");
        entry.hear(Authorization::refused(Refused::Paused, 2));
        assert!(first.ended.is_cancelled());
        assert_eq!(entry.decide_fresh().expect("fresh").err(), Some(Refused::Paused));
        entry.hear(allowed(5));
        assert!(!entry.decide_fresh().expect("fresh").expect("allowed").ended.is_cancelled());
    }

    #[test]
    fn an_expired_answer_serves_only_in_the_time_of_grace() {
        let entry = entry();
        entry.hear(allowed(0));
        assert!(entry.decide_fresh().is_none());
        assert!(entry.decide_in_grace(GRACE).is_some());
        assert!(entry.decide_in_grace(Duration::ZERO).is_none());
        entry.hear(Authorization::refused(Refused::Expired, 0));
        assert!(entry.decide_in_grace(GRACE).is_none());
    }

    #[test]
    fn an_entry_is_kept_while_it_is_open_valid_or_in_grace() {
        let entry = entry();
        assert!(entry.is_forgettable(GRACE));
        entry.hear(allowed(0));
        assert!(!entry.is_forgettable(GRACE));
        let grant = entry.decide_heard();
        assert!(!entry.is_forgettable(Duration::ZERO));
        drop(grant);
        assert!(entry.is_forgettable(Duration::ZERO));
    }

    #[test]
    fn a_password_is_never_printed() {
        assert!(!format!("{:?}", entry().identity).contains("opensesame"));
    }
}
