//! Keeps counted bytes on disk every second, and sends them to the shop, oldest first, until it has them.
use crate::meter::Meter;
use crate::shop::{Shop, ShopError};
use crate::spool::Spool;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// How often counted bytes are kept: a gate that is killed loses the bytes since.
const KEPT_EVERY: Duration = Duration::from_secs(1);

const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

pub struct Reporter {
    meter: Arc<Meter>,
    spool: Arc<Spool>,
    shop: Arc<Shop>,
    kept: Notify,
    waiting: AtomicUsize,
    is_disk_failing: AtomicBool,
    keeping: Mutex<()>,
}

impl Reporter {
    pub fn new(meter: Arc<Meter>, spool: Arc<Spool>, shop: Arc<Shop>) -> Reporter {
        let (waiting, is_disk_failing) = (AtomicUsize::new(0), AtomicBool::new(false));
        Reporter { meter, spool, shop, kept: Notify::new(), waiting, is_disk_failing, keeping: Mutex::new(()) }
    }

    /// The number of files that the shop does not have yet.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Keeps counted bytes every second, for ever.
    pub async fn keep_all(self: &Arc<Reporter>) {
        let mut ticks = tokio::time::interval(KEPT_EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.keep().await;
        }
    }

    /// Keeps the bytes that were carried since the last time.
    pub async fn keep(self: &Arc<Reporter>) {
        let reporter = self.clone();
        // It runs to its end even if nobody waits for it any more: what is taken from the meter is kept or given back.
        let keeping = tokio::task::spawn_blocking(move || reporter.keep_now());
        if keeping.await.is_ok() {
            self.kept.notify_one();
        }
    }

    fn keep_now(&self) {
        // The last one at the end also waits for one that nobody waits for any more.
        let _alone = self.keeping.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = self.meter.take();
        match self.spool.keep(&counted) {
            Ok(()) if counted.is_empty() => {}
            Ok(()) => {
                if self.is_disk_failing.swap(false, Ordering::Relaxed) {
                    tracing::info!("counted traffic is kept on disk again");
                }
            }
            Err((rest, error)) => {
                self.meter.give_back(rest);
                if !self.is_disk_failing.swap(true, Ordering::Relaxed) {
                    tracing::error!(
                        error = format!("{error:#}"),
                        "counted traffic stays in memory until the disk accepts it"
                    );
                }
            }
        }
    }

    /// Sends what is kept, for ever.
    pub async fn send_all(&self) {
        let mut pause = FIRST_PAUSE;
        loop {
            match self.send_waiting().await {
                Ok(()) => {
                    pause = FIRST_PAUSE;
                    self.kept.notified().await;
                }
                Err(error) => {
                    let error = format!("{error:#}");
                    if pause == FIRST_PAUSE {
                        tracing::warn!(error, "counted traffic is not reported, and tried again");
                    } else {
                        tracing::debug!(error, "counted traffic is not reported, and tried again");
                    }
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Sends all files that are kept now. One that cannot be read or removed does not hold up the others.
    pub async fn send_waiting(&self) -> anyhow::Result<()> {
        let files = self.spool.waiting()?;
        self.waiting.store(files.len(), Ordering::Relaxed);
        let mut left = Ok(());
        for file in files {
            match self.send(&file).await {
                Ok(()) => {
                    self.waiting.fetch_sub(1, Ordering::Relaxed);
                }
                Err(error) if error.is::<ShopError>() => return Err(error),
                Err(error) => left = Err(error.context(name(&file))),
            }
        }
        left
    }

    async fn send(&self, file: &Path) -> anyhow::Result<()> {
        let Some(content) = self.spool.read(file)? else { return Ok(()) };
        match self.shop.report(content).await {
            Ok(outcome) => {
                if !outcome.rejected.is_empty() {
                    let (number, first) = (outcome.rejected.len(), outcome.rejected[0].reason.clone());
                    tracing::warn!(file = name(file), number, first, "the shop rejected records");
                }
                self.spool.remove(file)
            }
            Err(error @ ShopError::Rejected(_)) => {
                tracing::error!(file = name(file), %error, "a report is set aside in the spool's folder `rejected`");
                self.spool.set_aside(file)
            }
            Err(error) => Err(error.into()),
        }
    }
}

fn name(file: &Path) -> String {
    file.file_name().map(PathBuf::from).unwrap_or_default().display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meter::FlowKey;
    use crate::secret::Secret;
    use postern_core::usage::MAX_RECORDS;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    /// A shop that rejects a record for a reason which this gate does not know.
    async fn newer_shop() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a request");
            let _ = stream.read(&mut [0; 4_096]).await;
            let body = r#"{"Counted":0,"Repeated":0,"Rejected":[{"Index":0,"Reason":"of_tomorrow"}]}"#;
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            stream.write_all((head + body).as_bytes()).await.expect("an answer is sent");
        });
        url
    }

    #[tokio::test]
    async fn neither_an_unreadable_file_nor_an_unknown_reason_holds_reports_up() {
        let folder = std::env::temp_dir().join(format!("postern-gate-unreadable-{}", std::process::id()));
        let spool = Arc::new(Spool::open(&folder).expect("a spool"));
        let meter = Arc::new(Meter::default());
        let shop = Shop::new(&newer_shop().await, Secret::new("s")).expect("a shop");
        let reporter = Arc::new(Reporter::new(meter.clone(), spool.clone(), Arc::new(shop)));
        meter.flow(FlowKey { target: "a".to_owned(), ..FlowKey::default() }).add_upload(1);
        reporter.keep().await;
        let kept = spool.waiting().expect("files").remove(0);
        let unreadable = kept.with_file_name(format!("0{}", name(&kept)));
        std::fs::create_dir(&unreadable).expect("a folder where a file should be");
        assert_eq!(spool.waiting().expect("files"), [unreadable.clone(), kept]);
        let error = format!("{:#}", reporter.send_waiting().await.expect_err("one is left"));
        assert!(error.starts_with(&name(&unreadable)), "{error}");
        assert_eq!((spool.waiting().expect("files"), reporter.waiting()), (vec![unreadable], 1));
        std::fs::remove_dir_all(&folder).expect("removed");
    }

    #[tokio::test]
    async fn who_keeps_waits_for_one_that_was_given_up() {
        const FILES: usize = 20;
        let folder = std::env::temp_dir().join(format!("postern-gate-report-{}", std::process::id()));
        let spool = Arc::new(Spool::open(&folder).expect("a spool"));
        let shop = Shop::new("http://127.0.0.1:1", Secret::new("s")).expect("a shop");
        let meter = Arc::new(Meter::default());
        for number in 0..FILES * MAX_RECORDS {
            meter.flow(FlowKey { target: number.to_string(), ..FlowKey::default() }).add_upload(1);
        }
        let reporter = Arc::new(Reporter::new(meter, spool.clone(), Arc::new(shop)));
        let given_up = tokio::time::timeout(Duration::from_millis(1), reporter.keep()).await;
        reporter.keep().await;
        assert_eq!((given_up.is_err(), spool.waiting().expect("files").len()), (true, FILES));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
