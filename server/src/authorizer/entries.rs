//! The rows that decide whether connections are allowed: proxy users, accounts, whitelisted addresses and nodes.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::ledger;
use crate::schema::{
    accounts, nodes, plans, proxy_servers, proxy_user_addresses, proxy_users, tiers, traffic_accounts, white_list,
};
use crate::security::SecretKey;
use crate::traffic_batches::batches_since;
use chrono::NaiveDateTime;
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::network::{Network, entries_around, networks};
use postern_core::node::{AccessMode, OWNED};
use postern_core::proxy_user::ProxyUserState;
use postern_core::proxy_user_form::bytes_per_second;
use postern_core::traffic::Batch;
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;

/// A password hash for use in memory: compared in constant time, and never printed.
#[derive(Clone, Copy, Eq)]
pub struct HashedPassword([u8; 32]);

impl HashedPassword {
    pub fn of(password: &str) -> HashedPassword {
        HashedPassword(Sha256::digest(password.as_bytes()).into())
    }

    /// The first 64 bits: enough to tell wrong passwords apart.
    pub fn beginning(&self) -> u64 {
        self.0.iter().take(8).fold(0, |bits, byte| (bits << 8) | u64::from(*byte))
    }
}

impl PartialEq for HashedPassword {
    fn eq(&self, other: &HashedPassword) -> bool {
        self.0.iter().zip(&other.0).fold(0, |difference, (one, other)| difference | (one ^ other)) == 0
    }
}

/// A proxy user, with the fields that decide about its connections.
pub struct User {
    pub id: i64,
    pub account_id: i64,
    pub password: HashedPassword,
    /// The previous password, and until when it works.
    pub old: Option<(HashedPassword, NaiveDateTime)>,
    pub state: ProxyUserState,
    pub expires_at: Option<NaiveDateTime>,
    pub countries: Vec<String>,
    pub limits: Limits,
    pub changed_at: NaiveDateTime,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = proxy_users)]
struct UserRow {
    id: i64,
    account_id: i64,
    password_sealed: String,
    old_password_sealed: Option<String>,
    old_valid_until: Option<NaiveDateTime>,
    state: ProxyUserState,
    expires_at: Option<NaiveDateTime>,
    countries: String,
    max_connections: Option<i32>,
    max_megabits: Option<i32>,
    changed_at: NaiveDateTime,
}

pub fn user(conn: &mut Conn, name: &str, key: &SecretKey) -> Result<Option<User>, AppError> {
    let found = proxy_users::table.filter(proxy_users::name.eq(name)).filter(proxy_users::deleted_at.is_null());
    let Some(row) = found.select(UserRow::as_select()).first(conn).optional()? else { return Ok(None) };
    let hashed = |sealed: &str| key.open(sealed).map(|plain| HashedPassword::of(&plain)).map_err(AppError::Internal);
    let old = row.old_password_sealed.as_deref().map(hashed).transpose()?;
    Ok(Some(User {
        id: row.id,
        account_id: row.account_id,
        password: hashed(&row.password_sealed)?,
        old: old.zip(row.old_valid_until),
        state: row.state,
        expires_at: row.expires_at,
        countries: serde_json::from_str(&row.countries)?,
        limits: Limits::of(row.max_connections, row.max_megabits),
        changed_at: row.changed_at,
    }))
}

/// The batches of an account that are valid and have bytes left.
pub fn batches(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<Batch>, AppError> {
    batches_since(conn, account_id, now)
}

/// A whitelisted address or network, and its proxy user.
pub struct Address {
    pub id: i64,
    account_id: i64,
    pub user_name: String,
}

/// The narrowest whitelisted network of each account that contains this address.
pub fn addresses(conn: &mut Conn, client: IpAddr) -> Result<Vec<Address>, AppError> {
    let around = entries_around(Network::of(client));
    let rows: Vec<(i64, i64, String, String)> = proxy_user_addresses::table
        .inner_join(proxy_users::table.on(proxy_users::id.eq(proxy_user_addresses::proxy_user_id)))
        .filter(proxy_user_addresses::address.eq_any(&around))
        .filter(proxy_users::deleted_at.is_null())
        .select((
            proxy_user_addresses::id,
            proxy_user_addresses::account_id,
            proxy_user_addresses::address,
            proxy_users::name,
        ))
        .load(conn)?;
    let mut narrowest: Vec<Address> = Vec::new();
    for network in &around {
        for (id, account_id, _, user_name) in rows.iter().filter(|row| row.2 == *network) {
            if narrowest.iter().all(|other| other.account_id != *account_id) {
                narrowest.push(Address { id: *id, account_id: *account_id, user_name: user_name.clone() });
            }
        }
    }
    Ok(narrowest)
}

/// A static proxy, with the fields that decide about its connections.
pub struct Node {
    pub id: i64,
    pub account_id: i64,
    pub mode: AccessMode,
    pub user_name: String,
    pub password: HashedPassword,
    pub old: Option<(String, HashedPassword, NaiveDateTime)>,
    pub expires_at: Option<NaiveDateTime>,
    pub white_list: Arc<[Network]>,
    /// The proxy server that alone carries it.
    pub server_id: Option<i64>,
    pub limits: Limits,
}

/// What a proxy user, or one IP of a tier, may carry.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    pub max_connections: Option<u32>,
    pub max_bytes_per_second: Option<u64>,
}

impl Limits {
    fn of(max_connections: Option<i32>, max_megabits: Option<i32>) -> Limits {
        let unsigned = |limit: i32| u32::try_from(limit).ok();
        Limits {
            max_connections: max_connections.and_then(unsigned),
            max_bytes_per_second: max_megabits.and_then(unsigned).map(bytes_per_second),
        }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = nodes)]
struct NodeRow {
    id: i64,
    ip: String,
    account_id: Option<i64>,
    plan_id: Option<i64>,
    ver_str: String,
    user_name: Option<String>,
    password_sealed: Option<String>,
    old_user_name: Option<String>,
    old_password_sealed: Option<String>,
    old_valid_until: Option<NaiveDateTime>,
    expires_at: Option<NaiveDateTime>,
    server_id: Option<i64>,
}

/// The nodes at these addresses that customers have, expired ones that can still be renewed included, with their addresses. Proxy servers ask again about all nodes in use every two seconds, so one query
/// reads as many as one request names.
pub fn nodes(conn: &mut Conn, ips: &[String], key: &SecretKey) -> Result<Vec<(String, Node)>, AppError> {
    let found = nodes::table.filter(nodes::ip.eq_any(ips)).filter(nodes::state.eq_any(OWNED));
    let rows: Vec<NodeRow> = found.select(NodeRow::as_select()).load(conn)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let plan_ids: BTreeSet<i64> = rows.iter().filter_map(|row| row.plan_id).collect();
    let modes = plans::table.filter(plans::id.eq_any(plan_ids)).select((plans::id, plans::access_mode));
    let modes: HashMap<i64, AccessMode> = modes.load(conn)?.into_iter().collect();
    let account_ids: BTreeSet<i64> = rows.iter().filter_map(|row| row.account_id).collect();
    let listed = white_list::table.filter(white_list::account_id.eq_any(account_ids));
    let listed: Vec<(i64, String, String)> =
        listed.select((white_list::account_id, white_list::ver_str, white_list::address)).load(conn)?;
    let mut entries: HashMap<(i64, String), Vec<String>> = HashMap::new();
    for (account_id, ver_str, address) in listed {
        entries.entry((account_id, ver_str)).or_default().push(address);
    }
    let white_lists: HashMap<(i64, String), Arc<[Network]>> =
        entries.into_iter().map(|(plan, entries)| (plan, networks(&entries).into())).collect();
    // An import or assignment may have named a server that was removed meanwhile.
    let servers = proxy_servers::table.filter(proxy_servers::removed_at.is_null()).select(proxy_servers::id);
    let servers: HashSet<i64> = servers.load(conn)?.into_iter().collect();
    let limits: Vec<(String, Option<i32>, Option<i32>)> =
        tiers::table.select((tiers::ver_str, tiers::max_connections, tiers::max_megabits)).load(conn)?;
    let limits: HashMap<String, Limits> =
        limits.into_iter().map(|(tier, connections, megabits)| (tier, Limits::of(connections, megabits))).collect();
    let hashed = |sealed: &str| key.open(sealed).map(|plain| HashedPassword::of(&plain)).map_err(AppError::Internal);
    let mut nodes = Vec::with_capacity(rows.len());
    for row in rows {
        let (Some(account_id), Some(mode)) = (row.account_id, row.plan_id.and_then(|id| modes.get(&id))) else {
            continue;
        };
        let old = row.old_password_sealed.as_deref().map(hashed).transpose()?;
        let node = Node {
            id: row.id,
            account_id,
            mode: *mode,
            user_name: row.user_name.unwrap_or_default(),
            password: hashed(&row.password_sealed.unwrap_or_default())?,
            old: row.old_user_name.zip(old).zip(row.old_valid_until).map(|((name, hash), until)| (name, hash, until)),
            expires_at: row.expires_at,
            limits: limits.get(&row.ver_str).copied().unwrap_or_default(),
            white_list: white_lists.get(&(account_id, row.ver_str)).cloned().unwrap_or_default(),
            server_id: row.server_id.filter(|id| servers.contains(id)),
        };
        nodes.push((row.ip, node));
    }
    Ok(nodes)
}

/// Changes since a time, and all accounts whose proxies are refused.
pub struct Changes {
    /// Ids, names and times of change of proxy users.
    pub users: Vec<(i64, String, NaiveDateTime)>,
    pub accounts: Vec<i64>,
    pub suspended: HashSet<i64>,
}

pub fn changes(conn: &mut Conn, since: NaiveDateTime, suspends_owing: bool) -> Result<Changes, AppError> {
    let users = proxy_users::table.filter(proxy_users::changed_at.gt(since));
    let users = users.select((proxy_users::id, proxy_users::name, proxy_users::changed_at)).load(conn)?;
    let changed = traffic_accounts::table.filter(traffic_accounts::changed_at.gt(since));
    let changed = changed.select(traffic_accounts::account_id).load(conn)?;
    // Written as in the condition of the partial index.
    let suspended = accounts::table.filter(sql::<Bool>("state <> 'active'")).select(accounts::id);
    let mut suspended: Vec<i64> = suspended.load(conn)?;
    if suspends_owing {
        suspended.extend(ledger::owing(conn)?);
    }
    Ok(Changes { users, accounts: changed, suspended: suspended.into_iter().collect() })
}
