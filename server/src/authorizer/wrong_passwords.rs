//! Wrong passwords of connections, in the memory of the process. A client that has tried too many for one user or node is refused for a while, whatever it
//! sends; clients elsewhere are not. The same wrong password counts once, so a program with an outdated one blocks nobody.
use crate::authorizer::entries::HashedPassword;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::network::sender_key;
use postern_core::proxy_server::{WRONG_PASSWORDS, WRONG_PASSWORDS_MINUTES};
use postern_core::usage::Refused;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};
use std::net::IpAddr;
use std::sync::{PoisonError, RwLock};

/// Maximum pairs of client and user; beyond it, all of them are forgotten.
const MOST: usize = 50_000;

#[derive(Default)]
pub struct WrongPasswords {
    /// By the hash of user and sender.
    tried: RwLock<HashMap<u64, Tried>>,
    hasher: RandomState,
}

struct Tried {
    ends_at: NaiveDateTime,
    /// The beginnings of the hashes of different wrong passwords.
    wrong: Vec<u64>,
}

impl WrongPasswords {
    /// Judges a password for `user`, a proxy user's name or a node's id, that the caller has compared. Clients without an address cannot be told
    /// apart, so none of them is blocked.
    pub fn judge(
        &self,
        user: impl Hash,
        client: Option<IpAddr>,
        typed: &HashedPassword,
        is_right: bool,
        now: NaiveDateTime,
    ) -> Result<(), Refused> {
        let outcome = if is_right { Ok(()) } else { Err(Refused::WrongPassword) };
        let Some(client) = client else { return outcome };
        let pair = self.hasher.hash_one((user, sender_key(client)));
        if self.is_blocked(pair, now) {
            return Err(Refused::TooManyAttempts);
        }
        if !is_right {
            self.note(pair, typed.beginning(), now);
        }
        outcome
    }

    fn is_blocked(&self, pair: u64, now: NaiveDateTime) -> bool {
        let tried = self.tried.read().unwrap_or_else(PoisonError::into_inner);
        tried.get(&pair).is_some_and(|tried| tried.wrong.len() >= WRONG_PASSWORDS && now < tried.ends_at)
    }

    fn note(&self, pair: u64, wrong: u64, now: NaiveDateTime) {
        let mut all = self.tried.write().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST && !all.contains_key(&pair) {
            all.retain(|_, tried| now < tried.ends_at);
            if all.len() >= MOST {
                all.clear();
            }
        }
        let begun = || Tried { ends_at: now + TimeDelta::minutes(WRONG_PASSWORDS_MINUTES), wrong: Vec::new() };
        let tried = all.entry(pair).or_insert_with(begun);
        if now >= tried.ends_at {
            *tried = begun();
        }
        if !tried.wrong.contains(&wrong) && tried.wrong.len() < WRONG_PASSWORDS {
            tried.wrong.push(wrong);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;

    #[test]
    fn pairs_are_forgotten_when_their_time_is_over_or_there_are_too_many() {
        let (all, now) = (WrongPasswords::default(), DateTime::UNIX_EPOCH.naive_utc());
        let later = now + TimeDelta::minutes(WRONG_PASSWORDS_MINUTES);
        let count = || all.tried.read().expect("the map").len();
        for pair in 0..MOST as u64 {
            all.note(pair, 1, now);
        }
        all.note(0, 2, now);
        assert_eq!(count(), MOST);
        all.note(u64::MAX, 1, later);
        assert_eq!(count(), 1, "the others have ended");
        for pair in 0..MOST as u64 {
            all.note(pair, 1, later);
        }
        assert_eq!(count(), 1, "too many at once");
    }
}
