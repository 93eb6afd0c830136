//! Benchmarks the gate against Squid and a bare copy loop in the same run, and fails if a bound is missed: make bench-gate. Clients, destinations
//! and the shop run on the same processors.
mod copy;
mod helper;
mod memory;
mod origin;
#[allow(dead_code, reason = "make bench-api uses all of it")]
#[path = "../../api/src/report.rs"]
mod report;
mod servers;
mod shop;
mod tunnels;

use anyhow::{Context, Result};
use report::Report;
use rustix::process::{Resource, getrlimit, setrlimit};
use servers::{Folder, Server};
use shop::Shop;
use std::path::Path;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).context("more open files")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["origin", address] => runtime.block_on(origin::serve(address.parse()?)),
        ["copy", address, origin] => runtime.block_on(copy::serve(address.parse()?, origin.parse()?)),
        ["squid-auth", shop] => helper::answer(shop.parse()?),
        [gate, squid] => {
            let missed = runtime.block_on(measure(Path::new(gate), Path::new(squid)))?;
            runtime.shutdown_background();
            std::process::exit(i32::from(missed > 0))
        }
        _ => anyhow::bail!("usage: postern-bench-gate PATH-OF-POSTERN-GATE PATH-OF-SQUID"),
    }
}

async fn measure(gate: &Path, squid: &Path) -> Result<u32> {
    let (mut report, folder, shop) = (Report::default(), Folder::new()?, Shop::start().await?);
    let origin = Server::origin().await?;
    let gate = Server::gate(gate, &folder, &shop, &origin).await?;
    tunnels::measure(&gate, squid, &folder, &shop, &origin, &mut report).await?;
    copy::measure(&gate, &origin, &mut report).await?;
    memory::measure(&gate, &origin, &mut report).await?;
    println!(
        "{}",
        if report.missed == 0 { "\nall bounds kept".to_owned() } else { format!("\n{} bounds missed", report.missed) }
    );
    Ok(report.missed)
}
