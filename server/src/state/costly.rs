//! Budgets for work that takes a processor for more than a few milliseconds. Each kind of work has a budget of its own, so that nothing but other
//! sign-ins can delay a sign-in; within a budget, each sender or account has only a few places.
use crate::error::AppError;
use actix_web::web;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;

/// Work that has waited this long for its turn is refused.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// How long a refused client should wait.
const RETRY_AFTER_MS: i64 = 1_000;

/// The budgets of a process.
pub struct Costly {
    /// Passwords and recovery codes of those who sign in. Nothing else may use it.
    pub sign_in: Budget,
    /// All other work on passwords and recovery codes: the strength and hashes of new ones, and those that a signed-in user enters again.
    pub passwords: Budget,
    /// Uploaded pictures and files: decoding a picture may take 64 MB and a second.
    pub files: Budget,
    /// Documents as PDF.
    pub documents: Budget,
    /// Examinations of the shop, which wait for other servers.
    pub examinations: Budget,
}

impl Costly {
    pub fn new(cores: usize) -> Costly {
        Costly {
            // A hash takes 19 MB and 20 ms. The rate limits of sign-in decide how many one sender may try.
            sign_in: Budget::new(cores, 64),
            passwords: Budget::new(cores.div_ceil(2), 8),
            files: Budget::new(1, 4),
            documents: Budget::new(1, 4),
            examinations: Budget::new(1, 1),
        }
    }
}

/// A number of turns at once, and of places for each owner, running or waiting.
pub struct Budget {
    turns: Arc<Semaphore>,
    places_per_owner: usize,
    owners: Owners,
}

/// How many places each owner has taken.
type Owners = Arc<Mutex<HashMap<String, usize>>>;

/// An owner's share of a budget. The owner is a sender or an account.
pub struct Share<'a> {
    budget: &'a Budget,
    owner: String,
}

impl Budget {
    fn new(at_once: usize, places_per_owner: usize) -> Budget {
        Budget { turns: Arc::new(Semaphore::new(at_once)), places_per_owner, owners: Owners::default() }
    }

    /// The share of those whose key for rate limits this is.
    pub fn of_sender(&self, sender: &str) -> Share<'_> {
        Share { budget: self, owner: format!("sender {sender}") }
    }

    pub fn of_account(&self, account_id: i64) -> Share<'_> {
        Share { budget: self, owner: format!("account {account_id}") }
    }
}

impl Share<'_> {
    /// Runs work on a blocking thread, when its turn comes. Refused if the owner has taken all of its places, or if no turn comes in time.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, AppError> {
        let too_many = || AppError::too_many(RETRY_AFTER_MS);
        let Budget { turns, places_per_owner, owners } = self.budget;
        let place = OwnerSlot::take(owners, &self.owner, *places_per_owner).ok_or_else(too_many)?;
        let turn = tokio::time::timeout(LONGEST_WAIT, turns.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| too_many())?.map_err(|error| AppError::Internal(error.into()))?;
        // Kept until the work is done, even if the client leaves meanwhile.
        let with_turn = move || {
            let _kept = (place, turn);
            work()
        };
        web::block(with_turn).await.map_err(|error| AppError::Internal(error.into()))
    }
}

/// One of an owner's places, until it is dropped.
struct OwnerSlot {
    owners: Owners,
    owner: String,
}

impl OwnerSlot {
    fn take(owners: &Owners, owner: &str, most: usize) -> Option<OwnerSlot> {
        let mut taken = owners.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(owner.to_owned()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(OwnerSlot { owners: owners.clone(), owner: owner.to_owned() })
    }
}

impl Drop for OwnerSlot {
    fn drop(&mut self) {
        let mut taken = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.owner) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::code::Code;
    use std::future::Future;
    use std::pin::pin;
    use std::sync::mpsc;
    use std::task::Context;

    #[actix_web::test]
    async fn an_owner_has_a_few_places_and_takes_none_of_others() {
        let budget = Budget::new(1, 2);
        let (end, ended) = mpsc::channel::<()>();
        let (ann, bob) = (budget.of_sender("ann"), budget.of_sender("bob"));
        let mut running = pin!(ann.run(move || ended.recv().is_ok()));
        let mut waiting = pin!(ann.run(|| true));
        let mut other = pin!(bob.run(|| true));
        let mut context = Context::from_waker(std::task::Waker::noop());
        assert!(running.as_mut().poll(&mut context).is_pending());
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        assert!(other.as_mut().poll(&mut context).is_pending(), "bob waits for his turn");
        let refused = ann.run(|| true).await.expect_err("a third one");
        assert!(matches!(refused, AppError::Answer(refusal) if refusal.code == Code::TooManyRequests));
        end.send(()).expect("it runs");
        assert!(running.await.expect("done") && waiting.await.expect("done") && other.await.expect("done"));
        assert!(budget.owners.lock().expect("owners").is_empty(), "all places are given back");
        assert!(ann.run(|| true).await.expect("done"));
    }

    #[actix_web::test]
    async fn work_that_panics_gives_its_place_back() {
        let budget = Budget::new(1, 1);
        let ann = budget.of_account(7);
        assert!(ann.run(|| -> bool { panic!("as a fault would") }).await.is_err());
        assert!(ann.run(|| true).await.expect("done"));
    }
}
