//! The sums by hour and by day, in UTC: of everything, and by proxy user, node, country and target.
use crate::db::{Conn, Kept};
use crate::error::AppError;
use crate::schema::{usage_days, usage_hours};
use crate::usage::sums::{Amount, Owner, Sums};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use postern_core::proxy_server::ProxyServerKind;
use postern_core::time::to_wire;
use postern_core::usage::{MAX_TARGETS, UsageDimension, day_of, hour_of};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Rows written by one statement.
const CHUNK: usize = 2_000;

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

/// The targets that have a row of their own already, by account and time.
type Targets = BTreeMap<(i64, NaiveDateTime), BTreeSet<String>>;

/// Adds sums to the hours and the days.
pub fn add(conn: &mut Conn, sums: &Sums) -> Result<(), AppError> {
    macro_rules! add_to {
        ($table:ident, $name:literal, $start_of:ident) => {{
            let mut targets = Targets::new();
            for kind in [ProxyServerKind::Residential, ProxyServerKind::Static] {
                let mut starts: BTreeMap<i64, BTreeSet<NaiveDateTime>> = BTreeMap::new();
                for place in sums.0.keys().filter(|place| place.owner.kind() == kind && !place.target.is_empty()) {
                    starts.entry(place.account_id).or_default().insert($start_of(place.at));
                }
                for (account_id, starts) in starts {
                    let known: Vec<(NaiveDateTime, String)> = $table::table
                        .filter($table::account_id.eq(account_id))
                        .filter($table::kind.eq(kind))
                        .filter($table::dimension.eq(UsageDimension::Target))
                        .filter($table::starts_at.eq_any(starts))
                        .select(($table::starts_at, $table::name))
                        .load(conn)?;
                    for (starts_at, name) in known {
                        targets.entry((account_id, starts_at)).or_default().insert(name);
                    }
                }
            }
            let buckets = buckets(sums, $start_of, targets);
            write(conn, &buckets, text(conn, $name))?;
        }};
    }
    add_to!(usage_hours, "usage_hours", hour_of);
    add_to!(usage_days, "usage_days", day_of);
    Ok(())
}

/// The rows that sums add to. Targets beyond `MAX_TARGETS` count as others.
fn buckets(sums: &Sums, start_of: fn(NaiveDateTime) -> NaiveDateTime, mut targets: Targets) -> Buckets {
    let mut buckets = Buckets::new();
    for (place, amount) in &sums.0 {
        let starts_at = start_of(place.at);
        let mut add = |dimension: UsageDimension, name: &str| {
            let (account_id, name) = (place.account_id, name.to_owned());
            let (kind, dimension) = (place.owner.kind().as_str(), dimension.as_str());
            buckets.entry(Bucket { account_id, kind, dimension, starts_at, name }).or_default().add(*amount);
        };
        add(UsageDimension::All, "");
        match place.owner {
            Owner::ProxyUser(id) => add(UsageDimension::User, &id.to_string()),
            Owner::Node(id) => add(UsageDimension::Node, &id.to_string()),
        }
        add(UsageDimension::Country, &place.country);
        let known = targets.entry((place.account_id, starts_at)).or_default();
        let own = known.len() - usize::from(known.contains(""));
        let is_own = known.contains(&place.target) || own < MAX_TARGETS;
        let target = if is_own { place.target.as_str() } else { "" };
        known.insert(target.to_owned());
        add(UsageDimension::Target, target);
    }
    buckets
}

/// A row as the statements below read it.
#[derive(Serialize)]
struct Line<'a> {
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
    let source = match conn {
        Conn::Sqlite(_) => {
            "json_extract(value, '$.a'), json_extract(value, '$.k'), json_extract(value, '$.m'), json_extract(value, '$.t'), \
             json_extract(value, '$.n'), json_extract(value, '$.o'), json_extract(value, '$.d'), json_extract(value, '$.q') \
             FROM json_each(?) WHERE TRUE"
        }
        Conn::Postgres(_) => {
            "a, k, m, t, n, o, d, q FROM json_to_recordset(CAST($1 AS json)) AS line \
             (a bigint, k text, m text, t timestamp, n text, o bigint, d bigint, q bigint)"
        }
    };
    format!(
        "INSERT INTO {table} (account_id, kind, dimension, starts_at, name, upload_bytes, download_bytes, requests) \
         SELECT {source} ON CONFLICT (account_id, kind, dimension, starts_at, name) DO UPDATE SET \
         upload_bytes = {table}.upload_bytes + excluded.upload_bytes, \
         download_bytes = {table}.download_bytes + excluded.download_bytes, \
         requests = {table}.requests + excluded.requests RETURNING account_id"
    )
}

fn write(conn: &mut Conn, buckets: &Buckets, statement: String) -> Result<(), AppError> {
    let line = |(bucket, amount): (&'_ Bucket, &Amount)| -> Value {
        serde_json::to_value(Line {
            a: bucket.account_id,
            k: bucket.kind,
            m: bucket.dimension,
            t: to_wire(bucket.starts_at),
            n: &bucket.name,
            o: amount.upload_bytes,
            d: amount.download_bytes,
            q: amount.requests,
        })
        .unwrap_or_default()
    };
    let lines: Vec<Value> = buckets.iter().map(line).collect();
    for lines in lines.chunks(CHUNK) {
        let query = sql_query(&statement).bind::<Text, _>(serde_json::to_string(lines)?);
        match conn {
            Conn::Postgres(conn) => Kept(query).load::<Written>(conn)?,
            Conn::Sqlite(conn) => Kept(query).load::<Written>(conn)?,
        };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::sums::Place;
    use postern_core::time::from_wire;

    #[test]
    fn targets_beyond_the_most_count_as_others_and_known_ones_stay_themselves() {
        let at = from_wire("2026-11-22 12:34:56").expect("a time");
        let mut sums = Sums::default();
        for target in (0..150).map(|number| format!("t{number:03}.example")).chain([String::new()]) {
            let place = Place { account_id: 1, at, owner: Owner::ProxyUser(1), country: "US".into(), target };
            sums.add(place, Amount { upload_bytes: 1, download_bytes: 2, requests: 1 });
        }
        let known = BTreeSet::from(["t149.example".to_owned(), String::new()]);
        let buckets = buckets(&sums, hour_of, Targets::from([((1, hour_of(at)), known)]));
        let of = |dimension: UsageDimension| -> Vec<(&str, i64)> {
            let rows = buckets.iter().filter(|(bucket, _)| bucket.dimension == dimension.as_str());
            rows.map(|(bucket, amount)| (bucket.name.as_str(), amount.requests)).collect()
        };
        assert_eq!(of(UsageDimension::All), [("", 151)]);
        assert_eq!(of(UsageDimension::Country), [("US", 151)]);
        assert_eq!(of(UsageDimension::User), [("1", 151)]);
        let targets = of(UsageDimension::Target);
        assert_eq!((targets.len(), targets[0], targets[100]), (MAX_TARGETS + 1, ("", 51), ("t149.example", 1)));
    }
}
