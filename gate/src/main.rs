//! The command `postern-gate`.
use anyhow::{Context, Result};
use clap::{CommandFactory, FromArgMatches, Subcommand};
use postern_gate::settings::Settings;
use postern_gate::squid::SquidCommand;
use postern_gate::{destination, memory, running, squid};
use rustix::process::{Resource, getrlimit, setrlimit};
use std::io::IsTerminal;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<()> {
    memory::return_free_pages_at_once();
    // Without a command, it is a gate.
    let command = SquidCommand::augment_subcommands(Settings::command()).subcommand_negates_reqs(true);
    let arguments = command.args_conflicts_with_subcommands(true).get_matches();
    start_logging()?;
    raise_file_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("starting")?;
    match arguments.subcommand_name() {
        Some(_) => runtime.block_on(squid::run(SquidCommand::from_arg_matches(&arguments)?)),
        None => runtime.block_on(run(Settings::from_arg_matches(&arguments)?)),
    }
}

async fn run(settings: Settings) -> Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let running = tokio::select! {
        started = running::start(&settings, destination::system_lookup()) => started?,
        _ = terminate.recv() => return Ok(()),
        _ = interrupt.recv() => return Ok(()),
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    running.stop(Duration::from_secs(settings.drain_seconds)).await;
    Ok(())
}

fn start_logging() -> Result<()> {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| "info".into());
    // It would log passwords.
    let filter = filter.add_directive("fast_socks5=off".parse()?);
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false);
    if std::io::stderr().is_terminal() {
        builder.init()
    } else {
        builder.json().init()
    }
    Ok(())
}

/// Each connection takes two files; the system's default is 1,024.
fn raise_file_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the number of open files stays as it is");
    }
}
