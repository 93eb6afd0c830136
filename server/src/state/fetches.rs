//! The fetches of lists that this process is answering, limited per account: a list is sent as slowly as its receiver reads.
use postern_core::account::LIST_FETCHES_AT_ONCE;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts the fetches of each account.
#[derive(Default)]
pub struct Fetches(Mutex<HashMap<i64, u32>>);

/// A slot of a fetch, freed when the list is sent or its receiver gone.
pub struct FetchSlot {
    fetches: Arc<Fetches>,
    account_id: i64,
}

impl Fetches {
    fn lock(&self) -> MutexGuard<'_, HashMap<i64, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot for one more fetch of this account; `None` at the limit.
    pub fn begin(self: &Arc<Self>, account_id: i64) -> Option<FetchSlot> {
        let mut all = self.lock();
        let count = all.entry(account_id).or_default();
        if *count >= LIST_FETCHES_AT_ONCE {
            return None;
        }
        *count += 1;
        Some(FetchSlot { fetches: self.clone(), account_id })
    }
}

impl Drop for FetchSlot {
    fn drop(&mut self) {
        let mut all = self.fetches.lock();
        if let Some(count) = all.get_mut(&self.account_id) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.account_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fetches_are_limited_per_account_and_freed() {
        let fetches = Arc::new(Fetches::default());
        let mut own: Vec<FetchSlot> = (0..LIST_FETCHES_AT_ONCE).filter_map(|_| fetches.begin(1)).collect();
        assert!(own.len() == LIST_FETCHES_AT_ONCE as usize && fetches.begin(1).is_none());
        assert!(fetches.begin(2).is_some(), "another account has slots of its own");
        own.pop();
        assert!(fetches.begin(1).is_some());
        drop(own);
        assert!(fetches.lock().is_empty());
    }
}
