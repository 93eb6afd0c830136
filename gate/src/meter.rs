//! Counts bytes as they are carried: one sum for each user or node, country and target, which many connections may share.
use postern_core::usage::MAX_RECORD_BYTES;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What bytes are counted for.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct FlowKey {
    /// The proxy user, on residential proxies.
    pub proxy_user_id: Option<i64>,
    /// The proxy user's name, if the shop did not tell the id.
    pub user_name: String,
    /// The node's public address, on static proxies.
    pub ip: Option<IpAddr>,
    /// The two-letter code of the exit's country; empty if unknown.
    pub country: String,
    /// The destination's host.
    pub target: String,
}

/// Bytes that are not yet reported.
#[derive(Debug, Default)]
pub struct Flow {
    upload: AtomicU64,
    download: AtomicU64,
}

impl Flow {
    /// Counts bytes from the client.
    pub fn add_upload(&self, bytes: usize) {
        self.upload.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Counts bytes to the client.
    pub fn add_download(&self, bytes: usize) {
        self.download.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// Bytes of one flow, taken to be reported.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Counted {
    pub key: FlowKey,
    pub upload: u64,
    pub download: u64,
}

#[derive(Default)]
pub struct Meter {
    flows: Mutex<HashMap<FlowKey, Arc<Flow>>>,
    uploaded: AtomicU64,
    downloaded: AtomicU64,
}

impl Meter {
    fn flows(&self) -> MutexGuard<'_, HashMap<FlowKey, Arc<Flow>>> {
        self.flows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn flow(&self, key: FlowKey) -> Arc<Flow> {
        self.flows().entry(key).or_default().clone()
    }

    /// Takes what was carried since the last time. Flows without connections are dropped.
    pub fn take(&self) -> Vec<Counted> {
        let mut taken = Vec::new();
        self.flows().retain(|key, flow| {
            // Whoever counts holds the flow: once nobody does, nothing is added after the bytes are taken.
            let is_used = Arc::strong_count(flow) > 1;

            let (upload, download) = (take_part(&flow.upload), take_part(&flow.download));
            if upload + download > 0 {
                taken.push(Counted { key: key.clone(), upload, download });
            }
            is_used || flow.upload.load(Ordering::Relaxed) + flow.download.load(Ordering::Relaxed) > 0
        });
        for counted in &taken {
            self.uploaded.fetch_add(counted.upload, Ordering::Relaxed);
            self.downloaded.fetch_add(counted.download, Ordering::Relaxed);
        }
        taken
    }

    /// Takes bytes back that could not be kept on disk: they are part of the next report.
    pub fn give_back(&self, counted: &[Counted]) {
        for Counted { key, upload, download } in counted {
            let flow = self.flow(key.clone());
            flow.upload.fetch_add(*upload, Ordering::Relaxed);
            flow.download.fetch_add(*download, Ordering::Relaxed);
            self.uploaded.fetch_sub(*upload, Ordering::Relaxed);
            self.downloaded.fetch_sub(*download, Ordering::Relaxed);
        }
    }

    /// The bytes from and to clients since the start.
    pub fn totals(&self) -> (u64, u64) {
        (self.uploaded.load(Ordering::Relaxed), self.downloaded.load(Ordering::Relaxed))
    }
}

/// Takes as many bytes as one record may have; the rest remains for the next one.
fn take_part(bytes: &AtomicU64) -> u64 {
    let part = bytes.load(Ordering::Relaxed).min(MAX_RECORD_BYTES);
    bytes.fetch_sub(part, Ordering::Relaxed);
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(target: &str) -> FlowKey {
        FlowKey { proxy_user_id: Some(7), target: target.into(), ..FlowKey::default() }
    }

    #[test]
    fn connections_to_one_target_share_a_sum_and_every_byte_is_taken_once() {
        let meter = Meter::default();
        let (one, two) = (meter.flow(key("a")), meter.flow(key("a")));
        one.add_upload(3);
        two.add_upload(4);
        two.add_download(5);
        assert_eq!(meter.take(), [Counted { key: key("a"), upload: 7, download: 5 }]);
        assert_eq!(meter.take(), []);
        drop(one);
        two.add_download(1);
        drop(two);
        assert_eq!(meter.take(), [Counted { key: key("a"), upload: 0, download: 1 }]);
        assert_eq!((meter.totals(), meter.flows().len()), ((7, 6), 0));
    }

    #[test]
    fn what_could_not_be_kept_is_part_of_the_next_report() {
        let meter = Meter::default();
        meter.flow(key("a")).add_upload(3);
        let taken = meter.take();
        meter.give_back(&taken);
        meter.flow(key("a")).add_upload(4);
        assert_eq!(meter.take(), [Counted { key: key("a"), upload: 7, download: 0 }]);
        assert_eq!(meter.totals(), (7, 0));
    }

    #[test]
    fn more_than_a_record_may_have_is_reported_in_parts() {
        let meter = Meter::default();
        let flow = meter.flow(key("a"));
        flow.upload.store(MAX_RECORD_BYTES + 5, Ordering::Relaxed);
        drop(flow);
        let taken: Vec<u64> = (0..2).map(|_| meter.take()[0].upload).collect();
        assert_eq!(taken, [MAX_RECORD_BYTES, 5]);
    }
}
