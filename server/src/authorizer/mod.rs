//! The authorisation cache: who may connect, in memory. Entries are loaded on first use and dropped by a refresh, every second, if they have changed;
//! the cache is not used if the last refresh is too old.
pub mod entries;
pub mod servers;
mod wrong_passwords;

use crate::authorizer::entries::{Address, Changes, Node, User};
use crate::authorizer::servers::ServerIdentity;
use crate::authorizer::wrong_passwords::WrongPasswords;
use crate::db::Database;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::proxy_user_addresses;
use crate::security::{SecretKey, sha256};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::payment_return::WhenOwed;
use postern_core::traffic::Batch;
use postern_core::usage::AUTHORIZE_CACHE_SECONDS;
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Each refresh includes changes from this long before the previous one: a transaction may be committed this long after its timestamp, and the clocks
/// of servers differ.
const OVERLAP: TimeDelta = TimeDelta::seconds(60);

/// Nodes have no time of change: each is reloaded after this long.
const NODE_AGE: Duration = Duration::from_secs(2);

/// Maximum entries of one kind; beyond it, all of them are dropped.
const MOST: usize = 200_000;

/// How often uses of addresses and servers are written to the database.
const NOTED_EVERY: Duration = Duration::from_secs(20);

#[derive(Default)]
pub struct Authorizer {
    /// Whether proxies of accounts that owe are refused.
    suspends_owing: bool,
    pub wrong_passwords: WrongPasswords,
    memory: RwLock<Memory>,
    /// One refresh at a time.
    refreshing: Mutex<RefreshState>,
}

#[derive(Default)]
struct RefreshState {
    /// The time of the last refresh, for comparison with the rows.
    last: Option<NaiveDateTime>,
    noted: Option<Instant>,
}

#[derive(Default)]
struct Memory {
    /// Start of the last successful refresh.
    refreshed_at: Option<Instant>,
    /// By the hash of the secret.
    servers: HashMap<String, Arc<ServerIdentity>>,
    suspended: HashSet<i64>,
    users: HashMap<String, Option<Arc<User>>>,
    batches: HashMap<i64, Arc<Vec<Batch>>>,
    addresses: HashMap<IpAddr, Arc<[Address]>>,
    nodes: HashMap<String, (Instant, Option<Arc<Node>>)>,
    /// When each recent change of a proxy user was first noticed.
    noticed: HashMap<(i64, NaiveDateTime), Instant>,
    used_addresses: HashSet<i64>,
    seen_servers: HashSet<i64>,
}

impl Authorizer {
    pub fn new(when_owed: WhenOwed) -> Authorizer {
        Authorizer { suspends_owing: when_owed == WhenOwed::Suspend, ..Authorizer::default() }
    }

    fn read(&self) -> RwLockReadGuard<'_, Memory> {
        self.memory.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Memory> {
        self.memory.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_fresh(&self) -> bool {
        let limit = Duration::from_secs(AUTHORIZE_CACHE_SECONDS);
        self.read().refreshed_at.is_some_and(|at| at.elapsed() < limit)
    }

    /// Refreshes the cache if it is too old. Fails if the database does not respond, so that no stale entry is used.
    pub async fn refresh_if_stale(&self, db: &Database, now: NaiveDateTime) -> Result<(), AppError> {
        if self.is_fresh() {
            return Ok(());
        }
        let mut state = self.refreshing.lock().await;
        // Another one has refreshed it meanwhile.
        if self.is_fresh() { Ok(()) } else { self.refresh_with(&mut state, db, now).await }
    }

    /// Drops the entries that have changed, and now and then notes what was used.
    pub async fn refresh(&self, db: &Database, now: NaiveDateTime) -> Result<(), AppError> {
        let mut state = self.refreshing.lock().await;
        self.refresh_with(&mut state, db, now).await?;
        if state.noted.is_some_and(|noted| noted.elapsed() < NOTED_EVERY) {
            return Ok(());
        }
        state.noted = Some(Instant::now());
        // A write may wait long for others: no refresh waits for it.
        drop(state);
        self.note_uses(db, now).await
    }

    async fn refresh_with(&self, state: &mut RefreshState, db: &Database, now: NaiveDateTime) -> Result<(), AppError> {
        let began = Instant::now();
        let since = state.last.unwrap_or(now) - OVERLAP;
        let suspends_owing = self.suspends_owing;
        let read =
            db.read(move |conn| Ok((entries::changes(conn, since, suspends_owing)?, servers::all(conn)?))).await?;
        self.drop_changed(read.0, read.1, began);
        state.last = Some(now);
        Ok(())
    }

    fn drop_changed(&self, changes: Changes, servers: Vec<ServerIdentity>, began: Instant) {
        let memory = &mut *self.write();
        let ids: HashMap<i64, NaiveDateTime> = changes.users.iter().map(|(id, _, at)| (*id, *at)).collect();
        let names: HashSet<&str> = changes.users.iter().map(|(_, name, _)| name.as_str()).collect();
        memory.users.retain(|name, user| match user {
            // Matched by id, so also an entry under an earlier name.
            Some(user) => ids.get(&user.id).is_none_or(|changed_at| *changed_at == user.changed_at),
            None => !names.contains(name.as_str()),
        });
        // Addresses depend on their proxy users. An address may be loaded while a change is being noticed, so they are dropped again for as long as
        // that may take.
        let mut noticed = HashMap::new();
        for (id, _, changed_at) in &changes.users {
            let first = memory.noticed.get(&(*id, *changed_at)).copied().unwrap_or(began);
            noticed.insert((*id, *changed_at), first);
        }
        memory.noticed = noticed;
        let longest = Duration::from_secs(AUTHORIZE_CACHE_SECONDS);
        if memory.noticed.values().any(|first| began.duration_since(*first) <= longest) {
            memory.addresses.clear();
        }
        for account_id in &changes.accounts {
            memory.batches.remove(account_id);
        }
        memory.suspended = changes.suspended;
        memory.servers = servers.into_iter().map(|server| (server.secret_sha256.clone(), Arc::new(server))).collect();
        memory.nodes.retain(|_, (read, _)| read.elapsed() < NODE_AGE);
        memory.refreshed_at = Some(began);
    }

    /// Writes to the database which addresses and servers were used.
    async fn note_uses(&self, db: &Database, now: NaiveDateTime) -> Result<(), AppError> {
        let (addresses, servers) = {
            let memory = &mut *self.write();
            let servers = std::mem::take(&mut memory.seen_servers);
            let seen: Vec<Arc<ServerIdentity>> =
                memory.servers.values().filter(|server| servers.contains(&server.id)).cloned().collect();
            (std::mem::take(&mut memory.used_addresses), seen)
        };
        if addresses.is_empty() && servers.is_empty() {
            return Ok(());
        }
        let mut ids: Vec<i64> = addresses.into_iter().collect();
        ids.sort_unstable();
        let noted = db.write(move |conn| {
            for ids in ids.chunks(500) {
                let used = proxy_user_addresses::table.filter(proxy_user_addresses::id.eq_any(ids));
                diesel::update(used).set(proxy_user_addresses::last_used_at.eq(now)).execute(conn)?;
            }
            servers.iter().try_for_each(|server| servers::record_contact(conn, server, now))
        });
        noted.await
    }

    /// Drops all proxy servers: the next request loads from the database.
    pub fn forget_servers(&self) {
        self.write().servers.clear();
    }

    /// Drops all nodes: the next request loads from the database.
    pub fn forget_nodes(&self) {
        self.write().nodes.clear();
    }

    /// The proxy server with this secret.
    pub async fn server(&self, db: &Database, secret: &str) -> Result<Option<Arc<ServerIdentity>>, AppError> {
        let hash = sha256(secret);
        let known = self.read().servers.get(&hash).cloned();
        let server = match known {
            Some(server) => Some(server),
            None => {
                let secret = secret.to_owned();
                db.read(move |conn| servers::by_secret(conn, &secret)).await?.map(Arc::new)
            }
        };
        if let Some(server) = &server {
            let is_noted = { self.read().seen_servers.contains(&server.id) };
            if !is_noted {
                self.write().seen_servers.insert(server.id);
            }
        }
        Ok(server)
    }

    pub fn is_suspended(&self, account_id: i64) -> bool {
        self.read().suspended.contains(&account_id)
    }

    pub async fn user(&self, db: &Database, key: &SecretKey, name: &str) -> Result<Option<Arc<User>>, AppError> {
        if let Some(user) = self.read().users.get(name) {
            return Ok(user.clone());
        }
        let (key, asked) = (key.clone(), name.to_owned());
        let user = db.read(move |conn| entries::user(conn, &asked, &key)).await?.map(Arc::new);
        keep(&mut self.write().users, name.to_owned(), user.clone());
        Ok(user)
    }

    /// The valid batches of an account with their remaining bytes.
    pub async fn batches(
        &self,
        db: &Database,
        account_id: i64,
        now: NaiveDateTime,
    ) -> Result<Arc<Vec<Batch>>, AppError> {
        if let Some(batches) = self.read().batches.get(&account_id) {
            return Ok(batches.clone());
        }
        let batches = Arc::new(db.read(move |conn| entries::batches(conn, account_id, now)).await?);
        keep(&mut self.write().batches, account_id, batches.clone());
        Ok(batches)
    }

    /// The narrowest whitelisted network of each account that contains this address.
    pub async fn addresses(&self, db: &Database, client: IpAddr) -> Result<Arc<[Address]>, AppError> {
        if let Some(addresses) = self.read().addresses.get(&client) {
            return Ok(addresses.clone());
        }
        let addresses: Arc<[Address]> = db.read(move |conn| entries::addresses(conn, client)).await?.into();
        keep(&mut self.write().addresses, client, addresses.clone());
        Ok(addresses)
    }

    pub fn note_address(&self, id: i64) {
        let is_noted = { self.read().used_addresses.contains(&id) };
        if !is_noted {
            self.write().used_addresses.insert(id);
        }
    }

    /// The assigned nodes at these addresses, by address.
    pub async fn nodes(
        &self,
        db: &Database,
        key: &SecretKey,
        ips: impl Iterator<Item = String>,
    ) -> Result<HashMap<String, Arc<Node>>, AppError> {
        let began = Instant::now();
        let (mut nodes, mut unknown) = (HashMap::new(), Vec::new());
        for ip in ips {
            match self.read().nodes.get(&ip).filter(|(read, _)| read.elapsed() < NODE_AGE) {
                Some((_, node)) => nodes.extend(node.clone().map(|node| (ip, node))),
                None => unknown.push(ip),
            }
        }
        if unknown.is_empty() {
            return Ok(nodes);
        }
        let (key, asked) = (key.clone(), unknown.clone());
        let loaded = db.read(move |conn| entries::nodes(conn, &asked, &key)).await?;
        nodes.extend(loaded.into_iter().map(|(ip, node)| (ip, Arc::new(node))));
        let memory = &mut *self.write();
        for ip in unknown {
            let node = nodes.get(&ip).cloned();
            keep(&mut memory.nodes, ip, (began, node));
        }
        Ok(nodes)
    }
}

/// Adds an entry to a map; a full map is cleared first.
fn keep<K: std::hash::Hash + Eq, V>(memory: &mut HashMap<K, V>, key: K, value: V) {
    if memory.len() >= MOST {
        memory.clear();
    }
    memory.insert(key, value);
}
