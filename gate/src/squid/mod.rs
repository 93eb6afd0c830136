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
mod usage;

use crate::secret::Secret;
use crate::shop::Shop;
use anyhow::Result;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum SquidCommand {
    /// Answer Squid's questions about clients: Squid starts this, as squid-config says
    SquidAuth(auth::AuthSettings),
    /// Report the traffic in Squid's log to the shop
    SquidUsage(usage::UsageSettings),
    /// Print a configuration for Squid
    SquidConfig(config::ConfigSettings),
}

/// Which shop, and who asks it.
#[derive(Clone, Debug, Args)]
struct ShopSettings {
    /// The shop's address, such as https://shop.example.com
    #[arg(long, env = "POSTERN_GATE_URL")]
    url: String,
    /// A file with the secret that the shop showed when this server was registered
    #[arg(long, env = "POSTERN_GATE_SECRET_FILE")]
    secret_file: PathBuf,
}

impl ShopSettings {
    fn shop(&self) -> Result<Shop> {
        Shop::new(&self.url, Secret::read(&self.secret_file)?)
    }
}

pub async fn run(command: SquidCommand) -> Result<()> {
    match command {
        SquidCommand::SquidAuth(settings) => auth::run(settings).await,
        SquidCommand::SquidUsage(settings) => usage::run(settings).await,
        SquidCommand::SquidConfig(settings) => config::run(settings).await,
    }
}
