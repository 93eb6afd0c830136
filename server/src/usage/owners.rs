//! Finds the owner of a usage record at the record's time: by the proxy user's name or, on static proxies, by the node's address.
use crate::db::Conn;
use crate::error::AppError;
use crate::schema::{nodes, proxy_users};
use crate::usage::sums::Owner;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use postern_core::usage::{CheckedRecord, FUTURE_MINUTES};
use std::collections::{BTreeSet, HashMap};

/// Names per query.
const CHUNK: usize = 1_000;

/// The owner of a name or address from a time on.
#[derive(Clone, Copy)]
struct Since {
    owner: Owner,
    account_id: i64,
    begins_at: NaiveDateTime,
}

/// The owners of names and addresses, including deleted proxy users: their traffic may be reported late.
pub struct Owners(HashMap<String, Vec<Since>>);

impl Owners {
    pub fn of(conn: &mut Conn, records: &[&CheckedRecord]) -> Result<Owners, AppError> {
        let names: BTreeSet<&str> = records.iter().map(|record| record.name.as_str()).collect();
        let ips: BTreeSet<&str> = records.iter().map(|record| record.ip.as_str()).collect();
        let mut owners: HashMap<String, Vec<Since>> = HashMap::new();
        for names in chunks(names) {
            let rows: Vec<(String, i64, i64, NaiveDateTime)> = proxy_users::table
                .filter(proxy_users::name.eq_any(names))
                .select((proxy_users::name, proxy_users::id, proxy_users::account_id, proxy_users::created_at))
                .load(conn)?;
            for (name, id, account_id, begins_at) in rows {
                owners.entry(name).or_default().push(Since { owner: Owner::ProxyUser(id), account_id, begins_at });
            }
        }
        for ips in chunks(ips) {
            let rows: Vec<(String, i64, Option<i64>, Option<NaiveDateTime>)> = nodes::table
                .filter(nodes::ip.eq_any(ips))
                .select((nodes::ip, nodes::id, nodes::account_id, nodes::assigned_at))
                .load(conn)?;
            for (ip, id, account_id, begins_at) in rows {
                if let Some((account_id, begins_at)) = account_id.zip(begins_at) {
                    owners.entry(ip).or_default().push(Since { owner: Owner::Node(id), account_id, begins_at });
                }
            }
        }
        owners.values_mut().for_each(|of_name| of_name.sort_by_key(|since| since.begins_at));
        Ok(Owners(owners))
    }

    /// The latest owner of the name or address at the record's time, if any. Allows clock skew of some minutes.
    pub fn find(&self, record: &CheckedRecord) -> Option<(i64, Owner)> {
        let name = if record.name.is_empty() { &record.ip } else { &record.name };
        let until = record.used_at + TimeDelta::minutes(FUTURE_MINUTES);
        let of_name = self.0.get(name)?;
        let exact = of_name.iter().rev().find(|since| since.begins_at <= record.used_at);
        let found = exact.or_else(|| of_name.iter().find(|since| since.begins_at <= until))?;
        Some((found.account_id, found.owner))
    }
}

fn chunks(texts: BTreeSet<&str>) -> Vec<Vec<String>> {
    let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).map(str::to_owned).collect();
    texts.chunks(CHUNK).map(<[String]>::to_vec).collect()
}
