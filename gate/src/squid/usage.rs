//! `squid-usage`: reports the traffic of Squid's log. It keeps records in a spool before it moves on in the log.
use crate::heartbeat::{self, VERSION};
use crate::meter::Meter;
use crate::report::Reporter;
use crate::shop::{Shop, ShopError};
use crate::spool::Spool;
use crate::squid::log_files::LogFiles;
use crate::squid::log_line;
use crate::squid::shop_settings::ShopSettings;
use anyhow::{Context, Result};
use clap::Args;
use postern_core::proxy_protocol::Heartbeat;
use postern_core::usage::UsageRecord;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// How often the log is read, and what is kept is sent.
const EVERY: Duration = Duration::from_secs(1);

/// After a failure.
const PAUSE: Duration = Duration::from_secs(3);

/// How long the last reports may take at the end; what is not sent then, the next start sends.
const LAST_REPORTS: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, Args)]
pub struct UsageSettings {
    #[command(flatten)]
    shop: ShopSettings,
    /// Squid's log, as squid-config names it
    #[arg(long, env = "POSTERN_GATE_LOG", default_value = log_line::LOG)]
    log: PathBuf,
    /// A folder for traffic that is not yet reported, and for how far the log is read
    #[arg(long, env = "POSTERN_GATE_SPOOL")]
    spool: PathBuf,
}

struct Reader {
    files: LogFiles,
    spool: Arc<Spool>,
    has_foreign_lines: bool,
}

pub async fn run(settings: UsageSettings) -> Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let shop = Arc::new(settings.shop.shop()?);
    let spool = Arc::new(Spool::open(&settings.spool)?);
    let files = LogFiles::open(&settings.log, settings.spool.join("position.json"))?;
    check_secret(&shop).await?;
    let reporter = Reporter::new(Arc::new(Meter::default()), spool.clone(), shop.clone());
    let reader = Arc::new(tokio::sync::Mutex::new(Reader { files, spool, has_foreign_lines: false }));
    tracing::info!(log = %settings.log.display(), "ready");
    tokio::select! {
        () = read_all(&reader) => {}
        () = send_all(&reporter) => {}
        () = beat(&shop, &reporter) => {}
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    if let Err(error) = read(&reader).await {
        tracing::warn!(error = format!("{error:#}"), "the end of the log is read by the next start");
    }
    let sent = tokio::time::timeout(LAST_REPORTS, reporter.send_waiting()).await;
    tracing::info!(is_all_reported = matches!(sent, Ok(Ok(()))), "stopped");
    Ok(())
}

/// Fails if the shop does not know the secret. If it is away, the log is read meanwhile.
async fn check_secret(shop: &Shop) -> Result<()> {
    match shop.describe().await {
        Ok(_) => Ok(()),
        Err(error @ ShopError::Away(_)) => {
            tracing::warn!(%error, "traffic is reported later");
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// Reads the log, for ever.
async fn read_all(reader: &Arc<tokio::sync::Mutex<Reader>>) {
    let mut is_failing = false;
    loop {
        let read = read(reader).await;
        match &read {
            Ok(()) if is_failing => tracing::info!("the log is read again"),
            Err(error) if !is_failing => tracing::error!(error = format!("{error:#}"), "the log is read later"),
            _ => {}
        }
        is_failing = read.is_err();
        tokio::time::sleep(EVERY).await;
    }
}

/// Reads what is new in the log, to the end.
async fn read(reader: &Arc<tokio::sync::Mutex<Reader>>) -> Result<()> {
    let mut reader = reader.clone().lock_owned().await;
    tokio::task::spawn_blocking(move || reader.read()).await.context("reading the log")?
}

/// Tells the shop every few seconds that Squid's machine is there. What Squid does, its log says too late.
async fn beat(shop: &Shop, reporter: &Reporter) {
    loop {
        let waiting_reports = u32::try_from(reporter.waiting()).unwrap_or(u32::MAX);
        let heartbeat =
            Heartbeat { version: format!("{VERSION} squid-usage"), waiting_reports, ..Heartbeat::default() };
        if let Err(error) = shop.beat(&heartbeat).await {
            tracing::debug!(%error, "a heartbeat did not arrive");
        }
        tokio::time::sleep(heartbeat::EVERY).await;
    }
}

/// Sends what is kept, for ever.
async fn send_all(reporter: &Reporter) {
    let mut is_failing = false;
    loop {
        let sent = reporter.send_waiting().await;
        match &sent {
            Ok(()) if is_failing => tracing::info!("traffic is reported again"),
            Err(error) if !is_failing => tracing::warn!(error = format!("{error:#}"), "traffic is reported later"),
            _ => {}
        }
        is_failing = sent.is_err();
        tokio::time::sleep(if is_failing { PAUSE } else { EVERY }).await;
    }
}

impl Reader {
    fn read(&mut self) -> Result<()> {
        let Reader { files, spool, has_foreign_lines } = self;
        files.read(|text| {
            let mut records: Vec<UsageRecord> = Vec::new();
            for line in text.lines() {
                match log_line::record(line) {
                    Ok(record) => records.extend(record),
                    Err(_) if *has_foreign_lines => {}
                    Err(_) => {
                        *has_foreign_lines = true;
                        tracing::warn!("the log has lines that are not as squid-config says; they are skipped");
                    }
                }
            }
            spool.keep_records(&records)
        })
    }
}
