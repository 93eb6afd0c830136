//! Usage sums by hour, day and month, in UTC: in total, and by proxy user, node, country and target.
use crate::db::prelude::*;
use crate::db::{CachedStatement, Conn};
use crate::error::AppError;
use crate::schema::{usage_days, usage_hours, usage_months};
use crate::usage::sums::{Amount, Hour, UsageSums};
use chrono::NaiveDateTime;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use postern_core::proxy_server::ProxyServerKind;
use postern_core::time::to_wire;
use postern_core::usage::{
    MAX_SUM_BYTES, MAX_TARGETS, MAX_TARGETS_OF_MONTH, UsageDimension, day_of, hour_of, month_of,
};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Rows written by one statement.
const CHUNK: usize = 2_000;

/// Accounts per query.
const ACCOUNTS: usize = 500;

/// One row of sums.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Bucket {
    account_id: i64,
    kind: &'static str,
    dimension: &'static str,
    starts_at: NaiveDateTime,
    name: String,
}

type Buckets = BTreeMap<Bucket, Amount>;

/// The targets that already have a row, by account and time.
type Targets = BTreeMap<(i64, NaiveDateTime), BTreeSet<String>>;

/// Adds sums to the hours, the days and the months.
pub fn add(conn: &mut Conn, sums: &UsageSums) -> Result<(), AppError> {
    macro_rules! add_to {
        ($table:ident, $name:literal, $start_of:ident, $max_targets:expr) => {{
            // By time, because most reports are of one hour: each account is queried for its own times only.
            let mut accounts: BTreeMap<NaiveDateTime, BTreeSet<i64>> = BTreeMap::new();
            for (hour, dimensions) in &sums.hours {
                if dimensions.targets.keys().any(|target| !target.is_empty()) {
                    accounts.entry($start_of(hour.starts_at)).or_default().insert(hour.account_id);
                }
            }
            let mut targets = Targets::new();
            for (starts_at, accounts) in accounts {
                let accounts: Vec<i64> = accounts.into_iter().collect();
                for accounts in accounts.chunks(ACCOUNTS) {
                    let known: Vec<(i64, String)> = $table::table
                        .filter($table::account_id.eq_any(accounts))
                        .filter($table::kind.eq_any([ProxyServerKind::Residential, ProxyServerKind::Static]))
                        .filter($table::dimension.eq(UsageDimension::Target))
                        .filter($table::starts_at.eq(starts_at))
                        .select(($table::account_id, $table::name))
                        .load(conn)?;
                    for (account_id, name) in known {
                        targets.entry((account_id, starts_at)).or_default().insert(name);
                    }
                }
            }
            let buckets = buckets(sums, $start_of, $max_targets, targets);
            write(conn, &buckets, text(conn, $name))?;
        }};
    }
    add_to!(usage_hours, "usage_hours", hour_of, MAX_TARGETS);
    add_to!(usage_days, "usage_days", day_of, MAX_TARGETS);
    add_to!(usage_months, "usage_months", month_of, MAX_TARGETS_OF_MONTH);
    Ok(())
}

/// The rows to which the sums are added. Targets beyond the maximum count as others; if several are new at once, the largest get rows of their own.
fn buckets(
    sums: &UsageSums,
    start_of: fn(NaiveDateTime) -> NaiveDateTime,
    max_targets: usize,
    mut targets: Targets,
) -> Buckets {
    let mut buckets = Buckets::new();
    for (&Hour { account_id, kind, starts_at }, hour) in &sums.hours {
        let starts_at = start_of(starts_at);
        let mut add = |dimension: UsageDimension, name: String, amount: &Amount| {
            let dimension = dimension.as_str();
            buckets.entry(Bucket { account_id, kind, dimension, starts_at, name }).or_default().add(*amount);
        };
        add(UsageDimension::All, String::new(), &hour.all);
        let is_residential = kind == ProxyServerKind::Residential.as_str();
        let owners = if is_residential { UsageDimension::User } else { UsageDimension::Node };
        hour.owners.iter().for_each(|(id, amount)| add(owners, id.to_string(), amount));
        hour.countries.iter().for_each(|(country, amount)| add(UsageDimension::Country, country.clone(), amount));
        let known = targets.entry((account_id, starts_at)).or_default();
        let mut own = known.len() - usize::from(known.contains(""));
        for (target, amount) in by_size(&hour.targets) {
            let is_known = known.contains(target);
            let has_room = is_known || (own < max_targets && !target.is_empty());
            if has_room && !is_known {
                own += 1;
                known.insert(target.to_owned());
            }
            let name = if has_room { target } else { "" };
            add(UsageDimension::Target, name.to_owned(), amount);
        }
    }
    buckets
}

fn by_size(targets: &HashMap<String, Amount>) -> Vec<(&str, &Amount)> {
    let mut sorted: Vec<(&str, &Amount)> = targets.iter().map(|(target, amount)| (target.as_str(), amount)).collect();
    sorted.sort_unstable_by_key(|(target, amount)| (Reverse(amount.bytes()), *target));
    sorted
}

/// A row as JSON for the statements below.
#[derive(Serialize)]
struct BucketRow<'a> {
    a: i64,
    k: &'a str,
    m: &'a str,
    t: String,
    n: &'a str,
    o: i64,
    d: i64,
    q: i64,
}

#[derive(QueryableByName)]
struct Written {
    #[diesel(sql_type = BigInt)]
    #[allow(dead_code)]
    account_id: i64,
}

fn text(conn: &Conn, table: &str) -> String {
    let (least, source) = match conn {
        Conn::Sqlite(_) => (
            "min",
            "json_extract(value, '$.a'), json_extract(value, '$.k'), json_extract(value, '$.m'), json_extract(value, '$.t'), \
             json_extract(value, '$.n'), json_extract(value, '$.o'), json_extract(value, '$.d'), json_extract(value, '$.q') \
             FROM json_each(?) WHERE TRUE",
        ),
        Conn::Postgres(_) => (
            "least",
            "a, k, m, t, n, o, d, q FROM json_to_recordset(CAST($1 AS json)) AS line \
             (a bigint, k text, m text, t timestamp, n text, o bigint, d bigint, q bigint)",
        ),
    };
    format!(
        "INSERT INTO {table} (account_id, kind, dimension, starts_at, name, upload_bytes, download_bytes, requests) \
         SELECT {source} ON CONFLICT (account_id, kind, dimension, starts_at, name) DO UPDATE SET \
         upload_bytes = {least}({table}.upload_bytes + excluded.upload_bytes, {MAX_SUM_BYTES}), \
         download_bytes = {least}({table}.download_bytes + excluded.download_bytes, {MAX_SUM_BYTES}), \
         requests = {table}.requests + excluded.requests RETURNING account_id"
    )
}

fn write<'a>(conn: &mut Conn, buckets: &'a Buckets, statement: String) -> Result<(), AppError> {
    let line = |(bucket, amount): (&'a Bucket, &Amount)| BucketRow {
        a: bucket.account_id,
        k: bucket.kind,
        m: bucket.dimension,
        t: to_wire(bucket.starts_at),
        n: &bucket.name,
        o: amount.upload_bytes,
        d: amount.download_bytes,
        q: amount.requests,
    };
    let lines: Vec<BucketRow<'a>> = buckets.iter().map(line).collect();
    for lines in lines.chunks(CHUNK) {
        let query = sql_query(&statement).bind::<Text, _>(serde_json::to_string(lines)?);
        match conn {
            Conn::Postgres(conn) => CachedStatement(query).load::<Written>(conn)?,
            Conn::Sqlite(conn) => CachedStatement(query).load::<Written>(conn)?,
        };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::sums::{Owner, UsageKey};
    use postern_core::time::from_wire;

    #[test]
    fn targets_beyond_the_maximum_count_as_others() {
        let at = from_wire("2026-11-22 12:34:56").expect("a time");
        let mut sums = UsageSums::default();
        for target in (0..150).map(|number| format!("t{number:03}.example")).chain([String::new()]) {
            let place = UsageKey { account_id: 1, at, owner: Owner::ProxyUser(1), country: "US", target: &target };
            let download_bytes = if target == "t140.example" { 3 } else { 2 };
            sums.add(&place, Amount { upload_bytes: 1, download_bytes, requests: 1 });
        }
        let known = BTreeSet::from(["t149.example".to_owned(), String::new()]);
        let buckets = buckets(&sums, hour_of, MAX_TARGETS, Targets::from([((1, hour_of(at)), known)]));
        let of = |dimension: UsageDimension| -> Vec<(&str, i64)> {
            let rows = buckets.iter().filter(|(bucket, _)| bucket.dimension == dimension.as_str());
            rows.map(|(bucket, amount)| (bucket.name.as_str(), amount.requests)).collect()
        };
        assert_eq!(of(UsageDimension::All), [("", 151)]);
        assert_eq!(of(UsageDimension::Country), [("US", 151)]);
        assert_eq!(of(UsageDimension::User), [("1", 151)]);
        let targets = of(UsageDimension::Target);
        assert_eq!((targets.len(), targets[0]), (MAX_TARGETS + 1, ("", 51)));
        // The known target, and the largest of the new ones.
        assert_eq!(targets[98..], [("t097.example", 1), ("t140.example", 1), ("t149.example", 1)]);
    }
}
