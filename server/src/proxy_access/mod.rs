//! Who may connect, as this process knows it. Entries are read when they are first asked for, and dropped when a look at what has changed
//! says so, every second; nothing of it is used when the last look is too old.
pub mod entries;
pub mod servers;

use crate::db::Database;
use crate::error::AppError;
use crate::proxy_access::entries::{Address, Changes, Node, User};
use crate::proxy_access::servers::Known;
use crate::schema::proxy_user_addresses;
use crate::security::{SecretKey, sha256};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use postern_core::traffic::Batch;
use postern_core::usage::AUTHORIZE_CACHE_SECONDS;
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// What changed so long before a look is looked at again: a transaction may be written this long after its time, and the clocks of servers
/// differ.
const OVERLAP: TimeDelta = TimeDelta::seconds(60);

/// Nodes say not when they changed: each is read again after this long.
const NODE_AGE: Duration = Duration::from_secs(2);

/// Entries of one kind that are kept at most; then all of them are read anew.
const MOST: usize = 200_000;

/// Uses of addresses and servers are written down this often.
const NOTED_EVERY: Duration = Duration::from_secs(20);

#[derive(Default)]
pub struct Authorizer {
    memory: RwLock<Memory>,
    /// One look at a time.
    looking: tokio::sync::Mutex<Looks>,
}

#[derive(Default)]
struct Looks {
    /// The time of the last look, as the rows have it.
    last: Option<NaiveDateTime>,
    noted: Option<Instant>,
}

#[derive(Default)]
struct Memory {
    /// When the last good look began.
    looked: Option<Instant>,
    /// By the hash of their secret.
    servers: HashMap<String, Arc<Known>>,
    suspended: HashSet<i64>,
    users: HashMap<String, Option<Arc<User>>>,
    batches: HashMap<i64, Arc<Vec<Batch>>>,
    addresses: HashMap<IpAddr, Option<Address>>,
    nodes: HashMap<String, (Instant, Option<Arc<Node>>)>,
    /// When each change of a proxy user that a look still sees was noticed first.
    noticed: HashMap<(i64, NaiveDateTime), Instant>,
    used_addresses: HashSet<i64>,
    seen_servers: HashSet<i64>,
}

impl Authorizer {
    fn read(&self) -> RwLockReadGuard<'_, Memory> {
        self.memory.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Memory> {
        self.memory.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_fresh(&self) -> bool {
        let limit = Duration::from_secs(AUTHORIZE_CACHE_SECONDS);
        self.read().looked.is_some_and(|looked| looked.elapsed() < limit)
    }

    /// Looks at what has changed if the last look is too old. Fails while the database does not answer: then nobody knows.
    pub async fn refresh_if_stale(&self, db: &Database, now: NaiveDateTime) -> Result<(), AppError> {
        if self.is_fresh() { Ok(()) } else { self.refresh(db, now).await }
    }

    /// Looks at what has changed and drops it.
    pub async fn refresh(&self, db: &Database, now: NaiveDateTime) -> Result<(), AppError> {
        let mut looks = self.looking.lock().await;
        let began = Instant::now();
        let since = looks.last.unwrap_or(now) - OVERLAP;
        let read = db.read(move |conn| Ok((entries::changes(conn, since)?, servers::known(conn)?))).await?;
        self.drop_changed(read.0, read.1, began);
        looks.last = Some(now);
        if looks.noted.is_none_or(|noted| noted.elapsed() >= NOTED_EVERY) {
            looks.noted = Some(began);
            self.note_uses(db, now).await?;
        }
        Ok(())
    }

    fn drop_changed(&self, changes: Changes, servers: Vec<Known>, began: Instant) {
        let memory = &mut *self.write();
        let ids: HashMap<i64, NaiveDateTime> = changes.users.iter().map(|(id, _, at)| (*id, *at)).collect();
        let names: HashSet<&str> = changes.users.iter().map(|(_, name, _)| name.as_str()).collect();
        memory.users.retain(|name, user| match user {
            // Also under the name that it had before.
            Some(user) => ids.get(&user.id).is_none_or(|changed_at| *changed_at == user.changed_at),
            None => !names.contains(name.as_str()),
        });
        // Whose addresses they are changes with their proxy users. An address may be being read while its change is noticed: they are
        // dropped again for as long as that may take.
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
        memory.looked = Some(began);
    }

    /// Writes down which addresses and servers were used.
    async fn note_uses(&self, db: &Database, now: NaiveDateTime) -> Result<(), AppError> {
        let (addresses, servers) = {
            let memory = &mut *self.write();
            let servers = std::mem::take(&mut memory.seen_servers);
            let known: Vec<Arc<Known>> =
                memory.servers.values().filter(|known| servers.contains(&known.id)).cloned().collect();
            (std::mem::take(&mut memory.used_addresses), known)
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

    /// Forgets secrets: the next request asks the database.
    pub fn forget_servers(&self) {
        self.write().servers.clear();
    }

    /// Forgets nodes: the next request asks the database.
    pub fn forget_nodes(&self) {
        self.write().nodes.clear();
    }

    /// The proxy server with this secret.
    pub async fn server(&self, db: &Database, secret: &str) -> Result<Option<Arc<Known>>, AppError> {
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

    /// What an account has left, batch by batch.
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

    /// The whitelisted network with this address.
    pub async fn address(&self, db: &Database, client: IpAddr) -> Result<Option<Address>, AppError> {
        if let Some(address) = self.read().addresses.get(&client) {
            return Ok(address.clone());
        }
        let address = db.read(move |conn| entries::address(conn, client)).await?;
        keep(&mut self.write().addresses, client, address.clone());
        Ok(address)
    }

    pub fn note_address(&self, id: i64) {
        let is_noted = { self.read().used_addresses.contains(&id) };
        if !is_noted {
            self.write().used_addresses.insert(id);
        }
    }

    pub async fn node(&self, db: &Database, key: &SecretKey, ip: &str) -> Result<Option<Arc<Node>>, AppError> {
        if let Some((read, node)) = self.read().nodes.get(ip)
            && read.elapsed() < NODE_AGE
        {
            return Ok(node.clone());
        }
        let (began, key, asked) = (Instant::now(), key.clone(), ip.to_owned());
        let node = db.read(move |conn| entries::node(conn, &asked, &key)).await?.map(Arc::new);
        keep(&mut self.write().nodes, ip.to_owned(), (began, node.clone()));
        Ok(node)
    }
}

/// Keeps an entry; a memory that has grown too large begins anew.
fn keep<K: std::hash::Hash + Eq, V>(memory: &mut HashMap<K, V>, key: K, value: V) {
    if memory.len() >= MOST {
        memory.clear();
    }
    memory.insert(key, value);
}
