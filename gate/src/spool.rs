//! Counted traffic on disk, until the shop has it: a file for each report, exactly as it is sent.
//!
//! A file is written in `new`, then moved to `batches`, so that every file there is whole. The names sort by age. Two processes may use one
//! folder, as they do while one replaces the other: all names and all ids of records contain the id of the process's start.
use crate::meter::Counted;
use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use postern_core::bounds::BODY_MAX_BYTES;
use postern_core::time::to_wire;
use postern_core::usage::{MAX_RECORDS, UsageRecord};
use serde::Serialize;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A file in `new` that is older was left by a process that was killed while it wrote.
const LEFT_BEHIND: Duration = Duration::from_secs(60);

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Report<'a> {
    records: &'a [UsageRecord<'a>],
}

pub struct Spool {
    new: PathBuf,
    batches: PathBuf,
    rejected: PathBuf,
    /// The id of this start.
    start: String,
    next: AtomicU64,
}

impl Spool {
    /// Opens a folder, and creates it if necessary.
    pub fn open(folder: &Path) -> Result<Spool> {
        let mut start = [0; 8];
        getrandom::fill(&mut start).context("drawing an id")?;
        let [new, batches, rejected] = ["new", "batches", "rejected"].map(|name| folder.join(name));
        for folder in [&new, &batches, &rejected] {
            fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
        }
        let spool = Spool { new, batches, rejected, start: hex::encode(start), next: AtomicU64::new(1) };
        spool.clear_left_behind()?;
        Ok(spool)
    }

    fn clear_left_behind(&self) -> Result<()> {
        for entry in fs::read_dir(&self.new).context("reading the spool")? {
            let entry = entry?;
            let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
            if age > LEFT_BEHIND {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Keeps counted bytes as files of at most `MAX_RECORDS`. Returns what could not be kept.
    pub fn keep<'a>(&self, counted: &'a [Counted]) -> Result<(), (&'a [Counted], anyhow::Error)> {
        let mut rest = counted;
        while !rest.is_empty() {
            let lengths = rest.iter().map(|counted| counted.key.target.len() + counted.key.user_name.len());
            let (some, others) = rest.split_at(number_in_report(lengths));
            self.keep_batch(some).map_err(|error| (rest, error))?;
            rest = others;
        }
        Ok(())
    }

    fn keep_batch(&self, counted: &[Counted]) -> Result<()> {
        let (number, now) = (self.next.fetch_add(1, Ordering::Relaxed), Utc::now());
        let id = format!("{}-{number}", self.start);
        let used_at = to_wire(now.naive_utc());
        self.keep_file(number, now, &records(counted, &id, &used_at))
    }

    /// Keeps records that have ids and times of their own.
    pub fn keep_records(&self, records: &[UsageRecord]) -> Result<()> {
        let mut rest = records;
        while !rest.is_empty() {
            let lengths = rest.iter().map(|record| record.id.len() + record.target.len() + record.user_name.len());
            let (some, others) = rest.split_at(number_in_report(lengths));
            self.keep_file(self.next.fetch_add(1, Ordering::Relaxed), Utc::now(), some)?;
            rest = others;
        }
        Ok(())
    }

    fn keep_file(&self, number: u64, now: DateTime<Utc>, records: &[UsageRecord]) -> Result<()> {
        let json = serde_json::to_vec(&Report { records })?;
        let name = format!("{:014}-{}-{number:08}.json", now.timestamp_millis().max(0), self.start);
        let written = self.new.join(&name);
        if let Err(error) = write_durably(&written, &json).and_then(|()| fs::rename(&written, self.batches.join(&name)))
        {
            // What is left of it takes room on a full disk.
            let _ = fs::remove_file(&written);
            return Err(error).context("keeping counted traffic");
        }
        // The file is there; if this fails, it is lost only when the machine stops.
        File::open(&self.batches).and_then(|folder| folder.sync_all()).unwrap_or_else(|error| {
            tracing::warn!(%error, "the spool's folder could not be written to disk");
        });
        Ok(())
    }

    /// The files that are to be reported, oldest first.
    pub fn waiting(&self) -> Result<Vec<PathBuf>> {
        let entries = fs::read_dir(&self.batches).context("reading the spool")?;
        let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        files.sort();
        Ok(files)
    }

    /// A file's content; none if another process has reported it.
    pub fn read(&self, file: &Path) -> Result<Option<Vec<u8>>> {
        unless_gone(fs::read(file)).with_context(|| format!("reading {}", file.display()))
    }

    /// The shop has counted the file.
    pub fn remove(&self, file: &Path) -> Result<()> {
        unless_gone(fs::remove_file(file)).with_context(|| format!("removing {}", file.display()))?;
        Ok(())
    }

    /// Sets a file aside that the shop does not accept.
    pub fn set_aside(&self, file: &Path) -> Result<()> {
        let name = file.file_name().unwrap_or_default();
        unless_gone(fs::rename(file, self.rejected.join(name)))
            .with_context(|| format!("moving {}", file.display()))?;
        Ok(())
    }
}

/// How many records fit into one report, by their number and by the size that the shop accepts; each has texts of this length.
fn number_in_report(lengths: impl Iterator<Item = usize>) -> usize {
    let mut bytes = 0;
    let fits = |length: &usize| {
        // Names and hosts are sent as they are; 300 bytes are more than all the rest of a record.
        bytes += 300 + length;
        bytes <= BODY_MAX_BYTES
    };
    lengths.take(MAX_RECORDS).take_while(fits).count().max(1)
}

/// A report as it is kept and sent. Its records' ids begin with that of the batch.
pub fn report(counted: &[Counted], batch: &str, used_at: &str) -> Result<Vec<u8>> {
    Ok(serde_json::to_vec(&Report { records: &records(counted, batch, used_at) })?)
}

fn records<'a>(counted: &'a [Counted], batch: &str, used_at: &'a str) -> Vec<UsageRecord<'a>> {
    counted.iter().enumerate().map(|(index, counted)| record(counted, batch, index, used_at)).collect()
}

fn record<'a>(counted: &'a Counted, batch: &str, index: usize, used_at: &'a str) -> UsageRecord<'a> {
    let Counted { key, upload, download } = counted;
    UsageRecord {
        id: format!("{batch}/{index}").into(),
        used_at: used_at.into(),
        user_name: key.user_name.as_str().into(),
        proxy_user_id: key.proxy_user_id,
        ip: key.ip.map(|ip| ip.to_string()).unwrap_or_default().into(),
        country: key.country.as_str().into(),
        target: key.target.as_str().into(),
        upload_bytes: *upload,
        download_bytes: *download,
    }
}

fn write_durably(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(content)?;
    file.sync_all()
}

fn unless_gone<T>(result: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::FlowKey;
    use postern_core::proxy_server::ProxyServerKind;
    use postern_core::usage::check_record;
    use std::collections::HashSet;

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "PascalCase")]
    struct Read<'a> {
        #[serde(borrow)]
        records: Vec<UsageRecord<'a>>,
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("postern-gate-spool-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn counted(number: usize) -> Vec<Counted> {
        let key = |index: usize| FlowKey { proxy_user_id: Some(7), target: format!("t{index}"), ..FlowKey::default() };
        (0..number).map(|index| Counted { key: key(index), upload: 1, download: 2 }).collect()
    }

    #[test]
    fn files_hold_records_that_the_shop_accepts_with_ids_of_their_own() {
        let folder = folder("accepts");
        let mut ids = HashSet::new();
        for _start in 0..2 {
            Spool::open(&folder).expect("a spool").keep(&counted(MAX_RECORDS + 1)).expect("kept");
        }
        let spool = Spool::open(&folder).expect("a spool");
        let mut sizes = Vec::new();
        for file in spool.waiting().expect("files") {
            let content = spool.read(&file).expect("read").expect("a file");
            let report: Read = serde_json::from_slice(&content).expect("a report");
            sizes.push(report.records.len());
            for record in report.records {
                let checked = check_record(&record, ProxyServerKind::Residential, Utc::now().naive_utc());
                ids.insert(checked.expect("a valid record").id);
            }
        }
        sizes.sort_unstable();
        assert_eq!((sizes, ids.len()), (vec![1, 1, MAX_RECORDS, MAX_RECORDS], 2 * MAX_RECORDS + 2));
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn no_file_is_larger_than_the_shop_accepts() {
        let folder = folder("large");
        let spool = Spool::open(&folder).expect("a spool");
        let ip = "2001:db8:1111:2222:3333:4444:5555:6666".parse().ok();
        let (user_name, target, country) = ("u".repeat(255), "t".repeat(253), "US".into());
        let key = FlowKey { proxy_user_id: Some(i64::MAX), user_name, ip, country, target };
        spool.keep(&vec![Counted { key, upload: u64::MAX, download: u64::MAX }; MAX_RECORDS]).expect("kept");
        let sizes: Vec<usize> =
            spool.waiting().expect("files").iter().map(|file| fs::read(file).expect("read").len()).collect();
        assert!(sizes.len() > 1 && sizes.iter().all(|size| *size <= BODY_MAX_BYTES), "{sizes:?}");
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn a_disk_that_is_full_gives_back_what_is_not_kept() {
        let folder = folder("full");
        let spool = Spool::open(&folder).expect("a spool");
        fs::remove_dir_all(&spool.new).expect("removed");
        let all = counted(3);
        let (rest, _) = spool.keep(&all).expect_err("an error");
        assert_eq!((rest.len(), spool.waiting().expect("files").len()), (3, 0));
        fs::create_dir(&spool.new).expect("created");
        spool.keep(rest).expect("kept");
        assert_eq!(spool.waiting().expect("files").len(), 1);
        fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn a_file_that_another_process_has_reported_is_no_error() {
        let folder = folder("gone");
        let spool = Spool::open(&folder).expect("a spool");
        spool.keep(&counted(1)).expect("kept");
        let file = spool.waiting().expect("files").remove(0);
        spool.remove(&file).expect("removed");
        spool.remove(&file).expect("gone");
        assert!(spool.read(&file).expect("gone").is_none());
        fs::remove_dir_all(&folder).expect("removed");
    }
}
