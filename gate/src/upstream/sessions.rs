//! Sticky sessions: each stays with one upstream, and with one session there, until its time is over.
use postern_core::proxy_protocol::Authorization;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of sessions in memory. Beyond it, those that are over are dropped, then all.
const MAX_SESSIONS: usize = 200_000;

/// A session of a proxy user. With another place it is another session: it leaves elsewhere.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct SessionKey {
    user: Option<i64>,
    user_name: Option<String>,
    name: String,
    place: [Option<String>; 3],
}

impl SessionKey {
    pub fn of(answer: &Authorization) -> Option<SessionKey> {
        let place = [&answer.country, &answer.state, &answer.city].map(Clone::clone);
        let (user, user_name) = (answer.proxy_user_id, answer.user_name.clone());
        answer.session.clone().map(|name| SessionKey { user, user_name, name, place })
    }
}

struct Session {
    /// Its name at the upstream.
    id: String,
    until: Instant,
    /// The upstream that has carried a connection of it.
    upstream: Option<usize>,
}

/// What a connection of a session uses.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Held {
    /// No upstream has carried it yet: any may.
    New { id: String },
    /// Only this upstream may carry it.
    Used { id: String, upstream: usize },
}

impl Held {
    pub fn id(&self) -> &str {
        match self {
            Held::New { id } | Held::Used { id, .. } => id,
        }
    }
}

#[derive(Default)]
pub struct Sessions(Mutex<HashMap<SessionKey, Session>>);

impl Sessions {
    fn all(&self) -> MutexGuard<'_, HashMap<SessionKey, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session, begun anew if its time is over, or if its upstream cannot be used.
    pub fn hold(&self, key: SessionKey, lifetime: Duration, is_usable: impl Fn(usize) -> bool) -> Held {
        let (mut all, now) = (self.all(), Instant::now());
        if let Some(session) = all.get(&key).filter(|session| session.until > now) {
            match session.upstream {
                None => return Held::New { id: session.id.clone() },
                Some(upstream) if is_usable(upstream) => return Held::Used { id: session.id.clone(), upstream },
                Some(_) => {}
            }
        }
        if all.len() >= MAX_SESSIONS {
            all.retain(|_, session| session.until > now);
        }
        if all.len() >= MAX_SESSIONS {
            all.clear();
        }
        let id = new_id();
        all.insert(key, Session { id: id.clone(), until: now + lifetime, upstream: None });
        Held::New { id }
    }

    /// An upstream carries the session now; it stays with the first one.
    pub fn settle(&self, key: &SessionKey, id: &str, upstream: usize) {
        if let Some(session) = self.all().get_mut(key).filter(|session| session.id == id) {
            session.upstream.get_or_insert(upstream);
        }
    }
}

/// A session name that no other customer of the upstream's account has: 12 letters and digits.
fn new_id() -> String {
    let mut bytes = [0; 6];
    // Without randomness, the clock is better than one session for all.
    if getrandom::fill(&mut bytes).is_err() {
        let nanoseconds = chrono::Utc::now().timestamp_nanos_opt().unwrap_or_default().to_le_bytes();
        bytes.copy_from_slice(&nanoseconds[..6]);
    }
    hex::encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn key(user: i64, country: &str) -> SessionKey {
        let answer = Authorization {
            proxy_user_id: Some(user),
            session: Some("s1".into()),
            country: Some(country.into()),
            ..Authorization::default()
        };
        SessionKey::of(&answer).expect("a session")
    }

    #[test]
    fn a_session_keeps_its_upstream_and_its_id_until_its_time_is_over() {
        let sessions = Sessions::default();
        let first = sessions.hold(key(7, "US"), MINUTE, |_| true);
        let id = first.id().to_owned();
        sessions.settle(&key(7, "US"), &id, 2);
        sessions.settle(&key(7, "US"), &id, 1);
        assert_eq!(sessions.hold(key(7, "US"), MINUTE, |_| true), Held::Used { id: id.clone(), upstream: 2 });
        for other in [key(8, "US"), key(7, "DE")] {
            assert_ne!(sessions.hold(other, MINUTE, |_| true).id(), id);
        }
        sessions.hold(key(9, "US"), Duration::ZERO, |_| true);
        let over = sessions.hold(key(9, "US"), Duration::ZERO, |_| true);
        assert_ne!(over, sessions.hold(key(9, "US"), Duration::ZERO, |_| true));
    }

    #[test]
    fn a_session_moves_when_its_upstream_is_set_aside() {
        let sessions = Sessions::default();
        let id = sessions.hold(key(7, "US"), MINUTE, |_| true).id().to_owned();
        sessions.settle(&key(7, "US"), &id, 0);
        let moved = sessions.hold(key(7, "US"), MINUTE, |upstream| upstream != 0);
        assert!(matches!(&moved, Held::New { id: new } if *new != id), "{moved:?}");
    }
}
