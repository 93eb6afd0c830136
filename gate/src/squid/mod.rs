//! Squid in the place of the gate: `auth` answers its questions about clients, `usage` reports the traffic in its log, and `config` prints its
//! configuration. What `auth` says about a client (`counted_for`) comes back in the log (`log_line`).
mod auth;
mod config;
mod configuration;
mod counted_for;
mod destinations;
mod escape;
mod log_files;
mod log_line;
mod question;
mod shop_settings;
mod usage;

use anyhow::Result;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub enum SquidCommand {
    /// Answer Squid's questions about clients: Squid starts this, as squid-config says
    SquidAuth(auth::AuthSettings),
    /// Report the traffic in Squid's log to the shop
    SquidUsage(usage::UsageSettings),
    /// Print a configuration for Squid
    SquidConfig(config::ConfigSettings),
}

pub async fn run(command: SquidCommand) -> Result<()> {
    match command {
        SquidCommand::SquidAuth(settings) => auth::run(settings).await,
        SquidCommand::SquidUsage(settings) => usage::run(settings).await,
        SquidCommand::SquidConfig(settings) => config::run(settings).await,
    }
}
