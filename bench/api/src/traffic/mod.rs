//! Residential traffic: intake of usage records, authorisation of connections, charts of a year, and memory.
pub mod authorize;
mod charts;
mod fill;
mod intake;

use crate::report::{Bound, Report};
use crate::servers::Server;
use crate::shop::Shop;
use std::path::Path;
use std::time::Duration;

/// Maximum memory with 100,000 proxy users cached, regardless of the number of records.
const MOST_MEGABYTES: f64 = 128.0;

pub fn measure(binary: &Path, folder: &Path, postgres: Option<&str>, report: &mut Report) -> anyhow::Result<()> {
    measure_parts(binary, folder, postgres, report, true)
}

/// Without charts, whose sums take a minute to load.
pub fn measure_servers(
    binary: &Path,
    folder: &Path,
    postgres: Option<&str>,
    report: &mut Report,
) -> anyhow::Result<()> {
    measure_parts(binary, folder, postgres, report, false)
}

fn measure_parts(
    binary: &Path,
    folder: &Path,
    postgres: Option<&str>,
    report: &mut Report,
    with_charts: bool,
) -> anyhow::Result<()> {
    println!("\n{}: residential traffic", if postgres.is_some() { "PostgreSQL" } else { "SQLite" });
    let shop = Shop::open("bench_traffic", folder.join("bench_traffic"), postgres)?;
    let crowd = fill::crowd(&shop)?;
    let reader = if with_charts { Some(fill::year(&shop)?) } else { None };
    shop.settle()?;
    let server = Server::postern(binary, &shop)?;
    std::thread::sleep(Duration::from_secs(3));
    report.note("memory after start", &format!("{:.1} MB", server.megabytes()?));
    if let Some(reader) = &reader {
        charts::measure(&server, reader, report)?;
    }
    authorize::measure(&server, &crowd, report)?;
    report.note("memory with 100,000 proxy users", &format!("{:.1} MB", server.megabytes()?));
    intake::measure(&shop, &server, &crowd, report)?;
    std::thread::sleep(Duration::from_secs(3));
    let megabytes = server.megabytes()?;
    report.line("memory after all that", &format!("{megabytes:.1} MB"), megabytes, &Bound::AtMost(MOST_MEGABYTES));
    Ok(())
}
