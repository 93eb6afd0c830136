//! Who may connect: the shop's answers, kept for as long as they are valid, and asked again while connections are open.
mod asker;
mod entry;

pub use entry::{Grant, Identity};

use crate::access::asker::Asker;
use crate::access::entry::Entry;
use crate::health::Health;
use crate::refusal::Refusal;
use crate::shop::Shop;
use postern_core::usage::Refused;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often the shop is asked about identities with open connections.
const ASKED_AGAIN: Duration = Duration::from_millis(1_500);

/// The shop is asked something at least this often, so that its state is known.
const LONGEST_SILENCE: Duration = Duration::from_secs(10);

/// The maximum number of identities in memory.
const MAX_ENTRIES: usize = 200_000;

/// The maximum length of a user name and of a password: what SOCKS5 can carry.
const MAX_CREDENTIAL_BYTES: usize = 255;

pub struct Access {
    entries: Mutex<HashMap<Identity, Arc<Entry>>>,
    asker: Asker,
    shop: Arc<Shop>,
    health: Arc<Health>,
    grace: Duration,
}

impl Access {
    pub fn new(shop: Arc<Shop>, health: Arc<Health>, grace: Duration) -> Access {
        let asker = Asker::start(shop.clone(), health.clone());
        Access { entries: Mutex::default(), asker, shop, health, grace }
    }

    /// Admits a connection, or says why not.
    pub async fn admit(&self, identity: Identity) -> Result<Grant, Refusal> {
        if !is_possible(&identity.user_name) || !is_possible(identity.password.reveal()) {
            return Err(Refusal::Access(Refused::UnknownUser));
        }
        let entry = self.entry(identity)?;
        if let Some(decision) = entry.decide_fresh() {
            return decision.map_err(Refusal::Access);
        }
        // While the shop is away, those whom it allowed do not wait for it; the others ask, as it may be back.
        if !self.health.is_reachable()
            && let Some(grant) = entry.decide_in_grace(self.grace)
        {
            return Ok(grant);
        }
        match self.asker.ask(entry.clone()).await {
            Ok(()) => entry.decide_heard().map_or(Err(Refusal::ShopAway), |decision| decision.map_err(Refusal::Access)),
            Err(_) => entry.decide_in_grace(self.grace).ok_or(Refusal::ShopAway),
        }
    }

    /// Asks again about everyone with open connections, for ever.
    pub async fn watch(&self) {
        let mut ticks = tokio::time::interval(ASKED_AGAIN);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.asker.ask_all(self.open()).await;
            if !self.health.is_reachable() {
                self.open().iter().for_each(|entry| entry.end_after_grace(self.grace));
            }
            self.drop_forgettable();
            self.probe().await;
        }
    }

    /// Asks who this server is, if nothing else shows whether the shop answers.
    async fn probe(&self) {
        if self.health.is_reachable() && self.health.silence() < LONGEST_SILENCE {
            return;
        }
        match self.shop.describe().await {
            Ok(_) => self.health.note_answer(),
            Err(error) => self.health.note_failure(&error),
        }
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<Identity, Arc<Entry>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of identities in memory.
    pub fn known_identities(&self) -> usize {
        self.entries().len()
    }

    fn entry(&self, identity: Identity) -> Result<Arc<Entry>, Refusal> {
        let mut entries = self.entries();
        if let Some(entry) = entries.get(&identity) {
            return Ok(entry.clone());
        }
        if entries.len() >= MAX_ENTRIES {
            // A flood of invented names must not push out those who are connected.
            entries.retain(|_, entry| entry.is_open() || Arc::strong_count(entry) > 1);
        }
        if entries.len() >= MAX_ENTRIES {
            return Err(Refusal::ShopAway);
        }
        let entry = Arc::new(Entry::new(identity.clone()));
        entries.insert(identity, entry.clone());
        Ok(entry)
    }

    fn open(&self) -> Vec<Arc<Entry>> {
        self.entries().values().filter(|entry| entry.is_open()).cloned().collect()
    }

    fn drop_forgettable(&self) {
        // Others may be waiting for the answer.
        self.entries().retain(|_, entry| Arc::strong_count(entry) > 1 || !entry.is_forgettable(self.grace));
    }
}

/// Whether the shop can know a user name or password: what is longer, or takes more room when it is sent, is not asked about.
fn is_possible(credential: &str) -> bool {
    credential.len() <= MAX_CREDENTIAL_BYTES && !credential.chars().any(char::is_control)
}
