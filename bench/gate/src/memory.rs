//! The memory of a gate with very many open tunnels.
use crate::report::{Bound, Report};
use crate::servers::Server;
use crate::tunnels::{echo, open};
use anyhow::{Context, Result};
use rustix::process::{Resource, getrlimit};
use std::net::IpAddr;
use std::time::Duration;

const TUNNELS: usize = 10_000;

/// Open files that are not tunnels.
const OTHER_FILES: usize = 100;

/// Below the gate's limit for one address.
const PER_CLIENT: usize = 400;

const MOST_MEGABYTES: f64 = 300.0;

/// In which the gate has asked about all users and reported all bytes.
const WHILE: Duration = Duration::from_secs(4);

pub async fn measure(gate: &Server, origin: &Server, report: &mut Report) -> Result<()> {
    let before = gate.megabytes()?;
    // A tunnel takes two files of the gate.
    let files = getrlimit(Resource::Nofile).maximum.map_or(TUNNELS * 3, |files| usize::try_from(files).unwrap_or(0));
    let number = TUNNELS.min((files - OTHER_FILES) / 2);
    let mut tunnels = Vec::with_capacity(number);
    for index in 0..number {
        let client = IpAddr::from([127, 21, 0, u8::try_from(index / PER_CLIENT + 1)?]);
        let mut tunnel =
            open(gate.address, Some(client), index, origin.address).await.with_context(|| format!("tunnel {index}"))?;
        echo(&mut tunnel).await?;
        tunnels.push(tunnel);
    }
    tokio::time::sleep(WHILE).await;
    for tunnel in &mut tunnels {
        echo(tunnel).await.context("a tunnel that was open for a while")?;
    }
    let after = gate.megabytes()?;
    // Where the system does not allow as many open files, the rest is reckoned.
    let judged = before + (after - before) * TUNNELS as f64 / number as f64;
    let numbers = format!("{after:.0} MB with {number}, {before:.0} MB before: {judged:.0} MB");
    report.line("memory with 10,000 open tunnels", &numbers, judged, &Bound::AtMost(MOST_MEGABYTES));
    Ok(())
}
