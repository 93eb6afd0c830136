//! The sums of usage reports: bytes and requests by owner, second, country and target.
use crate::error::AppError;
use chrono::{DateTime, NaiveDateTime};
use postern_core::proxy_server::ProxyServerKind;
use postern_core::usage::{add_bytes, hour_of};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// The owner of traffic: a proxy user or, on static proxies, a node.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Owner {
    ProxyUser(i64),
    Node(i64),
}

impl Owner {
    /// The ids of the proxy user and the node; one of them is `None`.
    pub fn ids(self) -> (Option<i64>, Option<i64>) {
        match self {
            Owner::ProxyUser(id) => (Some(id), None),
            Owner::Node(id) => (None, Some(id)),
        }
    }

    pub fn kind(self) -> ProxyServerKind {
        match self {
            Owner::ProxyUser(_) => ProxyServerKind::Residential,
            Owner::Node(_) => ProxyServerKind::Static,
        }
    }
}

/// The owner, time, country and target of traffic.
#[derive(Clone, Copy, Debug)]
pub struct UsageKey<'a> {
    pub account_id: i64,
    /// By second, as batches and cycles end at seconds.
    pub at: NaiveDateTime,
    pub owner: Owner,
    pub country: &'a str,
    pub target: &'a str,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Amount {
    pub upload_bytes: i64,
    pub download_bytes: i64,
    pub requests: i64,
}

impl Amount {
    pub fn bytes(self) -> i64 {
        self.upload_bytes.saturating_add(self.download_bytes)
    }

    pub fn add(&mut self, other: Amount) {
        self.upload_bytes = add_bytes(self.upload_bytes, other.upload_bytes);
        self.download_bytes = add_bytes(self.download_bytes, other.download_bytes);
        self.requests = self.requests.saturating_add(other.requests);
    }
}

/// Sums of reports, by their use.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct UsageSums {
    /// Bytes of residential traffic by account and second, for the batches.
    pub charged: BTreeMap<i64, BTreeMap<NaiveDateTime, u64>>,
    /// Bytes by proxy user and second, for the limits.
    pub counted: BTreeMap<i64, BTreeMap<NaiveDateTime, i64>>,
    /// For the charts.
    pub hours: BTreeMap<Hour, Dimensions>,
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Hour {
    pub account_id: i64,
    pub kind: &'static str,
    pub starts_at: NaiveDateTime,
}

/// The traffic of an hour: all of it, and by each dimension of the charts.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Dimensions {
    pub all: Amount,
    /// By the ids of proxy users, or of nodes.
    pub owners: HashMap<i64, Amount>,
    pub countries: HashMap<String, Amount>,
    pub targets: HashMap<String, Amount>,
}

/// The serialised form: account, proxy user, node, second, country, target, upload, download, requests.
type Line<'a> = (i64, Option<i64>, Option<i64>, i64, Text<'a>, Text<'a>, i64, i64, i64);

/// Borrowed from the input, unless it has escapes.
#[derive(Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The contribution of one record.
pub struct Part<'a> {
    pub account_id: i64,
    pub at: NaiveDateTime,
    pub owner: Owner,
    pub country: &'a str,
    pub target: &'a str,
    pub amount: Amount,
}

/// Aggregates parts and serialises the sums.
pub fn write(parts: Vec<Part>) -> Result<String, AppError> {
    let mut lines: Vec<Line> = parts.into_iter().map(Part::line).collect();
    fn place<'l>(line: &'l Line) -> (i64, Option<i64>, Option<i64>, i64, &'l str, &'l str) {
        (line.0, line.1, line.2, line.3, &line.4.0, &line.5.0)
    }
    lines.sort_unstable_by(|one, other| place(one).cmp(&place(other)));
    lines.dedup_by(|next, kept| {
        let is_same = place(next) == place(kept);
        if is_same {
            kept.6 = add_bytes(kept.6, next.6);
            kept.7 = add_bytes(kept.7, next.7);
            kept.8 = kept.8.saturating_add(next.8);
        }
        is_same
    });
    Ok(serde_json::to_string(&lines)?)
}

impl<'a> Part<'a> {
    fn line(self) -> Line<'a> {
        let (proxy_user, node) = self.owner.ids();
        let (second, Amount { upload_bytes, download_bytes, requests }) = (self.at.and_utc().timestamp(), self.amount);
        let (country, target) = (Text(self.country.into()), Text(self.target.into()));
        (self.account_id, proxy_user, node, second, country, target, upload_bytes, download_bytes, requests)
    }
}

impl UsageSums {
    pub fn add(&mut self, place: &UsageKey, amount: Amount) {
        if let Owner::ProxyUser(id) = place.owner {
            let charged = self.charged.entry(place.account_id).or_default().entry(place.at).or_default();
            *charged = charged.saturating_add(amount.bytes().unsigned_abs());
            let counted = self.counted.entry(id).or_default().entry(place.at).or_default();
            *counted = add_bytes(*counted, amount.bytes());
        }
        let (account_id, kind) = (place.account_id, place.owner.kind().as_str());
        let hour = self.hours.entry(Hour { account_id, kind, starts_at: hour_of(place.at) }).or_default();
        hour.all.add(amount);
        let (Owner::ProxyUser(id) | Owner::Node(id)) = place.owner;
        hour.owners.entry(id).or_default().add(amount);
        add_under(&mut hour.countries, place.country, amount);
        add_under(&mut hour.targets, place.target, amount);
    }

    /// Adds serialised sums.
    pub fn read(&mut self, text: &str) -> Result<(), AppError> {
        let lines: Vec<Line> = serde_json::from_str(text)?;
        for (account_id, proxy_user, node, second, country, target, upload_bytes, download_bytes, requests) in lines {
            let owner = proxy_user.map(Owner::ProxyUser).or(node.map(Owner::Node));
            let at = DateTime::from_timestamp(second, 0).map(|at| at.naive_utc());
            let (Some(owner), Some(at)) = (owner, at) else {
                return Err(AppError::internal("sums without an owner or with an invalid time"));
            };
            let place = UsageKey { account_id, at, owner, country: &country.0, target: &target.0 };
            self.add(&place, Amount { upload_bytes, download_bytes, requests });
        }
        Ok(())
    }
}

/// Avoids copying the name, as most names already exist.
fn add_under(amounts: &mut HashMap<String, Amount>, name: &str, amount: Amount) {
    match amounts.get_mut(name) {
        Some(known) => known.add(amount),
        None => {
            amounts.insert(name.to_owned(), amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::time::from_wire;

    #[test]
    fn sums_survive_serialisation_and_are_added() {
        let at = |second| from_wire(&format!("2026-11-22 12:00:{second:02}")).expect("a time");
        let place = |owner, second| UsageKey {
            account_id: 7,
            at: at(second),
            owner,
            country: "US",
            target: r#"shop "a".example"#,
        };
        let amount = Amount { upload_bytes: 1, download_bytes: 9_007_199_254_740_993, requests: 1 };
        let places =
            [(Owner::ProxyUser(3), 1), (Owner::ProxyUser(3), 2), (Owner::Node(3), 1), (Owner::ProxyUser(3), 1)]
                .map(|(owner, second)| place(owner, second));
        let mut sums = UsageSums::default();
        places.iter().for_each(|place| sums.add(place, amount));
        let parts = places.map(|UsageKey { account_id, at, owner, country, target }| Part {
            account_id,
            at,
            owner,
            country,
            target,
            amount,
        });
        let text = write(parts.into()).expect("a text");
        assert_eq!(text.matches("US").count(), 3, "one line for a place");
        let mut read = UsageSums::default();
        read.read(&text).expect("sums");
        assert_eq!(read, sums);
        read.read(&text).expect("sums");
        let bytes = amount.bytes();
        assert_eq!(
            read.charged[&7],
            BTreeMap::from([(at(1), 4 * bytes.unsigned_abs()), (at(2), 2 * bytes.unsigned_abs())])
        );
        assert_eq!(read.counted[&3], BTreeMap::from([(at(1), 4 * bytes), (at(2), 2 * bytes)]));
        let requests: Vec<_> = read.hours.values().map(|hour| (hour.all.requests, hour.owners[&3].requests)).collect();
        assert_eq!(requests, [(6, 6), (2, 2)]);
    }
}
