//! What reports add to the sums: bytes and requests by owner, second, country and target.
use crate::error::AppError;
use chrono::{DateTime, NaiveDateTime};
use postern_core::proxy_server::ProxyServerKind;
use std::collections::BTreeMap;

/// Who carried traffic: a proxy user, or on static proxies a node.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Owner {
    ProxyUser(i64),
    Node(i64),
}

impl Owner {
    pub fn kind(self) -> ProxyServerKind {
        match self {
            Owner::ProxyUser(_) => ProxyServerKind::Residential,
            Owner::Node(_) => ProxyServerKind::Static,
        }
    }
}

#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Place {
    pub account_id: i64,
    /// Batches and cycles end at seconds, so sums are kept by seconds until they are added up.
    pub at: NaiveDateTime,
    pub owner: Owner,
    pub country: String,
    pub target: String,
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
        self.upload_bytes = self.upload_bytes.saturating_add(other.upload_bytes);
        self.download_bytes = self.download_bytes.saturating_add(other.download_bytes);
        self.requests = self.requests.saturating_add(other.requests);
    }
}

/// Sums, in the order of accounts and times.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Sums(pub BTreeMap<Place, Amount>);

/// As it is written: account, proxy user, node, second, country, target, upload, download, requests.
type Line = (i64, Option<i64>, Option<i64>, i64, String, String, i64, i64, i64);

impl Sums {
    pub fn add(&mut self, place: Place, amount: Amount) {
        self.0.entry(place).or_default().add(amount);
    }

    pub fn write(&self) -> Result<String, AppError> {
        let line = |(place, amount): (&Place, &Amount)| -> Line {
            let (proxy_user, node) = match place.owner {
                Owner::ProxyUser(id) => (Some(id), None),
                Owner::Node(id) => (None, Some(id)),
            };
            let (country, target) = (place.country.clone(), place.target.clone());
            let second = place.at.and_utc().timestamp();
            let Amount { upload_bytes, download_bytes, requests } = *amount;
            (place.account_id, proxy_user, node, second, country, target, upload_bytes, download_bytes, requests)
        };
        Ok(serde_json::to_string(&self.0.iter().map(line).collect::<Vec<_>>())?)
    }

    /// Adds what was written.
    pub fn read(&mut self, text: &str) -> Result<(), AppError> {
        let lines: Vec<Line> = serde_json::from_str(text)?;
        for (account_id, proxy_user, node, second, country, target, upload_bytes, download_bytes, requests) in lines {
            let owner = proxy_user.map(Owner::ProxyUser).or(node.map(Owner::Node));
            let at = DateTime::from_timestamp(second, 0).map(|at| at.naive_utc());
            let (Some(owner), Some(at)) = (owner, at) else {
                return Err(AppError::internal("sums of nobody, or of no time"));
            };
            let amount = Amount { upload_bytes, download_bytes, requests };
            self.add(Place { account_id, at, owner, country, target }, amount);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::time::from_wire;

    #[test]
    fn what_is_written_is_read_and_added() {
        let place = |owner, second| Place {
            account_id: 7,
            at: from_wire(&format!("2026-11-22 12:00:{second:02}")).expect("a time"),
            owner,
            country: "US".into(),
            target: "shop.example".into(),
        };
        let amount = Amount { upload_bytes: 1, download_bytes: 9_007_199_254_740_993, requests: 1 };
        let mut sums = Sums::default();
        for second in [1, 1, 2] {
            sums.add(place(Owner::ProxyUser(3), second), amount);
        }
        sums.add(place(Owner::Node(3), 1), amount);
        let mut read = Sums::default();
        read.read(&sums.write().expect("a text")).expect("sums");
        assert_eq!((&read, read.0.len()), (&sums, 3));
        read.read(&sums.write().expect("a text")).expect("sums");
        assert_eq!(read.0[&place(Owner::ProxyUser(3), 1)].requests, 4);
    }
}
