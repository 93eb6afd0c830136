//! Sticky sessions: each stays with one upstream, and with one session there, until its time is over.
use crate::upstream::health::{Choice, Usability};
use postern_core::proxy_protocol::Authorization;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of sessions in memory. Beyond it, those that are over are dropped, then those of the proxy user who has most.
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
    /// In which order its first connections try the upstreams, which may come at once.
    choice: Choice,
    /// The upstream that has carried a connection of it: no other may.
    upstream: Option<usize>,
}

/// What a connection of a session uses: the session's name at the upstreams, and those to try.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Held {
    pub id: String,
    pub choice: Choice,
}

#[derive(Default)]
pub struct Sessions(Mutex<HashMap<SessionKey, Session>>);

impl Sessions {
    fn all(&self) -> MutexGuard<'_, HashMap<SessionKey, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session, begun anew if its time is over, or if its upstream cannot be used.
    pub fn hold(&self, key: SessionKey, lifetime: Duration, usability: &Usability) -> Held {
        let (mut all, now) = (self.all(), Instant::now());
        if let Some(session) = all.get(&key).filter(|session| session.until > now) {
            let held = |choice| Held { id: session.id.clone(), choice };
            match session.upstream {
                None => return held(session.choice.clone()),
                Some(upstream) if usability.is_usable(upstream) => return held(Choice::only(upstream)),
                Some(_) => {}
            }
        }
        if all.len() >= MAX_SESSIONS {
            make_room(&mut all, now);
        }
        let held = Held { id: new_id(), choice: usability.choice() };
        let (id, choice) = (held.id.clone(), held.choice.clone());
        all.insert(key, Session { id, until: now + lifetime, choice, upstream: None });
        held
    }

    /// An upstream carries the session now; it stays with the first one.
    pub fn settle(&self, key: &SessionKey, id: &str, upstream: usize) {
        if let Some(session) = self.all().get_mut(key).filter(|session| session.id == id) {
            session.upstream.get_or_insert(upstream);
        }
    }
}

/// Drops the sessions that are over; if that makes little room, all of the proxy user who has most.
fn make_room(all: &mut HashMap<SessionKey, Session>, now: Instant) {
    all.retain(|_, session| session.until > now);
    if all.len() < MAX_SESSIONS / 10 * 9 {
        return;
    }
    let mut numbers: HashMap<Option<i64>, usize> = HashMap::new();
    for key in all.keys() {
        *numbers.entry(key.user).or_default() += 1;
    }
    let most = numbers.into_iter().max_by_key(|(_, number)| *number).map(|(user, _)| user);
    all.retain(|key, _| Some(key.user) != most);
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
        let (sessions, usability) = (Sessions::default(), Usability::new(vec![1, 1, 1]));
        let first = sessions.hold(key(7, "US"), MINUTE, &usability);
        assert_eq!(sessions.hold(key(7, "US"), MINUTE, &usability), first, "one that comes at the same time");
        let id = first.id;
        sessions.settle(&key(7, "US"), &id, 2);
        sessions.settle(&key(7, "US"), &id, 1);
        let settled = Held { id: id.clone(), choice: Choice::only(2) };
        assert_eq!(sessions.hold(key(7, "US"), MINUTE, &usability), settled);
        for other in [key(8, "US"), key(7, "DE")] {
            assert_ne!(sessions.hold(other, MINUTE, &usability).id, id);
        }
        sessions.hold(key(9, "US"), Duration::ZERO, &usability);
        let over = sessions.hold(key(9, "US"), Duration::ZERO, &usability);
        assert_ne!(over, sessions.hold(key(9, "US"), Duration::ZERO, &usability));
    }

    #[test]
    fn a_session_moves_when_its_upstream_is_set_aside() {
        let (sessions, usability) = (Sessions::default(), Usability::new(vec![1, 1]));
        let id = sessions.hold(key(7, "US"), MINUTE, &usability).id;
        sessions.settle(&key(7, "US"), &id, 0);
        assert_eq!([0; 3].map(|upstream| usability.note_failure(upstream)), [false, false, true]);
        let moved = sessions.hold(key(7, "US"), MINUTE, &usability);
        assert!(moved.id != id && moved.choice == Choice::only(1), "{moved:?}");
    }

    #[test]
    fn who_begins_most_sessions_loses_them_first() {
        let (sessions, usability) = (Sessions::default(), Usability::new(vec![1]));
        let named = |user, name: usize| SessionKey { name: name.to_string(), ..key(user, "US") };
        let mine = sessions.hold(named(7, 0), MINUTE, &usability);
        for name in 0..MAX_SESSIONS + 10 {
            sessions.hold(named(8, name), MINUTE, &usability);
        }
        assert_eq!(sessions.hold(named(7, 0), MINUTE, &usability), mine);
        assert_eq!(sessions.all().len(), 12);
        sessions.all().values_mut().for_each(|session| session.until = Instant::now());
        make_room(&mut sessions.all(), Instant::now());
        assert!(sessions.all().is_empty());
    }
}
