//! Finds the owner of a usage record at the record's time: by the proxy user's name or, on static proxies, by the node's address.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::proxy_access::owners::{NameOwners, Owned};
use crate::schema::nodes;
use crate::usage::sums::Owner;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::usage::{CheckedRecord, FUTURE_MINUTES};
use std::collections::{BTreeSet, HashMap};

/// Addresses per query.
const CHUNK: usize = 1_000;

/// The owner of an address from a time on.
#[derive(Clone, Copy)]
struct Since {
    node_id: i64,
    account_id: i64,
    begins_at: NaiveDateTime,
}

/// The owners of names and addresses, including deleted proxy users: their traffic may be reported late.
pub struct Owners {
    names: HashMap<String, Owned>,
    addresses: HashMap<String, Vec<Since>>,
}

impl Owners {
    pub fn of(
        conn: &mut Conn,
        known: &NameOwners,
        records: &[&CheckedRecord],
        now: NaiveDateTime,
    ) -> Result<Owners, AppError> {
        let filled = |field: fn(&CheckedRecord) -> &str| -> BTreeSet<&str> {
            records.iter().map(|record| field(record)).filter(|text| !text.is_empty()).collect()
        };
        let names = filled(|record| &record.name);
        let names = if names.is_empty() { HashMap::new() } else { known.of(conn, names, now)? };
        let ips: Vec<&str> = filled(|record| &record.ip).into_iter().collect();
        let mut addresses: HashMap<String, Vec<Since>> = HashMap::new();
        for ips in ips.chunks(CHUNK) {
            let rows: Vec<(String, i64, Option<i64>, Option<NaiveDateTime>)> = nodes::table
                .filter(nodes::ip.eq_any(ips))
                .select((nodes::ip, nodes::id, nodes::account_id, nodes::assigned_at))
                .load(conn)?;
            for (ip, node_id, account_id, begins_at) in rows {
                if let Some((account_id, begins_at)) = account_id.zip(begins_at) {
                    addresses.entry(ip).or_default().push(Since { node_id, account_id, begins_at });
                }
            }
        }
        addresses.values_mut().for_each(|of_address| of_address.sort_by_key(|since| since.begins_at));
        Ok(Owners { names, addresses })
    }

    /// The latest owner of the name or address at the record's time, if any. Allows clock skew of some minutes.
    pub fn find(&self, record: &CheckedRecord) -> Option<(i64, Owner)> {
        if record.name.is_empty() {
            let node = latest(self.addresses.get(&record.ip)?, record.used_at, |node| node.begins_at)?;
            return Some((node.account_id, Owner::Node(node.node_id)));
        }
        let owner = latest(self.names.get(&record.name)?, record.used_at, |owner| owner.begins_at)?;
        Some((owner.account_id, Owner::ProxyUser(owner.id)))
    }
}

/// The last one that had begun at a time; if none had, the first that begins soon after it.
fn latest<T>(sorted: &[T], at: NaiveDateTime, begins_at: fn(&T) -> NaiveDateTime) -> Option<&T> {
    let until = at + TimeDelta::minutes(FUTURE_MINUTES);
    let exact = sorted.iter().rev().find(|one| begins_at(one) <= at);
    exact.or_else(|| sorted.iter().find(|one| begins_at(one) <= until))
}
