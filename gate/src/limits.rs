//! How many connections one client address may have open.
use postern_core::network::sender_key;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub struct ClientLimit {
    most: usize,
    open: Mutex<HashMap<String, usize>>,
}

impl ClientLimit {
    pub fn new(most: usize) -> ClientLimit {
        ClientLimit { most, open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All open connections.
    pub fn total(&self) -> usize {
        self.open().values().sum()
    }

    /// Counts a connection, unless its client has too many. IPv6 clients are counted by their /64.
    pub fn enter(self: &Arc<ClientLimit>, client: IpAddr) -> Option<Place> {
        let key = sender_key(client);
        let mut open = self.open();
        let number = open.entry(key.clone()).or_default();
        if *number >= self.most {
            return None;
        }
        *number += 1;
        Some(Place { limit: self.clone(), key })
    }
}

/// A connection that is counted until this is dropped.
pub struct Place {
    limit: Arc<ClientLimit>,
    key: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.limit.open();
        if let Some(number) = open.get_mut(&self.key) {
            *number -= 1;
            if *number == 0 {
                open.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_gets_its_place_back() {
        let limit = Arc::new(ClientLimit::new(1));
        let client = |text: &str| text.parse().expect("an address");
        let first = limit.enter(client("2001:db8::1")).expect("a place");
        assert!(limit.enter(client("2001:db8::2")).is_none());
        assert!(limit.enter(client("8.8.8.8")).is_some());
        drop(first);
        assert!(limit.enter(client("2001:db8::2")).is_some());
        assert!(limit.open().is_empty());
    }
}
