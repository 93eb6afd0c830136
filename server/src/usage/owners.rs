//! Finds the owner of a usage record: by the proxy user's id; or at the record's time by its name or, on static proxies, by the node's address.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{nodes, proxy_users};
use crate::usage::sums::Owner;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::usage::{CheckedRecord, FUTURE_MINUTES};
use std::collections::{BTreeSet, HashMap};

/// Names or addresses per query.
const CHUNK: usize = 1_000;

/// The proxy user or node of a name or an address, from a time on.
#[derive(Clone, Copy)]
struct Since {
    id: i64,
    account_id: i64,
    begins_at: NaiveDateTime,
}

/// The owners of names and addresses in the order of their times, including deleted proxy users: their traffic may be reported late.
pub struct Owners {
    names: HashMap<String, Vec<Since>>,
    /// The accounts of proxy users.
    ids: HashMap<i64, i64>,
    addresses: HashMap<String, Vec<Since>>,
}

impl Owners {
    pub fn of(conn: &mut Conn, records: &[&CheckedRecord]) -> Result<Owners, AppError> {
        let filled = |field: fn(&CheckedRecord) -> &str| -> Vec<&str> {
            let texts: BTreeSet<&str> = records.iter().map(|record| field(record)).collect();
            texts.into_iter().filter(|text| !text.is_empty()).collect()
        };
        let mut owners = Owners { names: HashMap::new(), ids: HashMap::new(), addresses: HashMap::new() };
        for names in filled(|record| &record.name).chunks(CHUNK) {
            let rows: Vec<(String, i64, i64, NaiveDateTime)> = proxy_users::table
                .filter(proxy_users::name.eq_any(names))
                .order((proxy_users::created_at, proxy_users::id))
                .select((proxy_users::name, proxy_users::id, proxy_users::account_id, proxy_users::created_at))
                .load(conn)?;
            for (name, id, account_id, begins_at) in rows {
                owners.names.entry(name).or_default().push(Since { id, account_id, begins_at });
            }
        }
        let ids: BTreeSet<i64> = records.iter().filter_map(|record| record.proxy_user_id).collect();
        for ids in ids.into_iter().collect::<Vec<_>>().chunks(CHUNK) {
            let rows = proxy_users::table.filter(proxy_users::id.eq_any(ids));
            let rows: Vec<(i64, i64)> = rows.select((proxy_users::id, proxy_users::account_id)).load(conn)?;
            owners.ids.extend(rows);
        }
        for ips in filled(|record| &record.ip).chunks(CHUNK) {
            let rows: Vec<(String, i64, Option<i64>, Option<NaiveDateTime>)> = nodes::table
                .filter(nodes::ip.eq_any(ips))
                .order(nodes::assigned_at)
                .select((nodes::ip, nodes::id, nodes::account_id, nodes::assigned_at))
                .load(conn)?;
            for (ip, id, account_id, begins_at) in rows {
                if let Some((account_id, begins_at)) = account_id.zip(begins_at) {
                    owners.addresses.entry(ip).or_default().push(Since { id, account_id, begins_at });
                }
            }
        }
        Ok(owners)
    }

    /// The proxy user of the id, or the latest owner of the name or address at the record's time, if any. Allows clock skew of some minutes.
    pub fn find(&self, record: &CheckedRecord) -> Option<(i64, Owner)> {
        if let Some(id) = record.proxy_user_id {
            return Some((*self.ids.get(&id)?, Owner::ProxyUser(id)));
        }
        if record.name.is_empty() {
            let node = latest(self.addresses.get(&record.ip)?, record.used_at)?;
            return Some((node.account_id, Owner::Node(node.id)));
        }
        let owner = latest(self.names.get(&record.name)?, record.used_at)?;
        Some((owner.account_id, Owner::ProxyUser(owner.id)))
    }
}

/// The last one that had begun at a time; if none had, the first that begins soon after it.
fn latest(sorted: &[Since], at: NaiveDateTime) -> Option<&Since> {
    let until = at + TimeDelta::minutes(FUTURE_MINUTES);
    let exact = sorted.iter().rev().find(|one| one.begins_at <= at);
    exact.or_else(|| sorted.iter().find(|one| one.begins_at <= until))
}
