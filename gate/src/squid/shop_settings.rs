//! The settings that all commands for Squid have.
use crate::secret::Secret;
use crate::shop::Shop;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Which shop, and who asks it.
#[derive(Clone, Debug, Args)]
pub struct ShopSettings {
    /// The shop's address, such as https://shop.example.com
    #[arg(long, env = "POSTERN_GATE_URL")]
    pub url: String,
    /// A file with the secret that the shop showed when this server was registered
    #[arg(long, env = "POSTERN_GATE_SECRET_FILE")]
    pub secret_file: PathBuf,
}

impl ShopSettings {
    pub fn shop(&self) -> Result<Shop> {
        Shop::new(&self.url, Secret::read(&self.secret_file)?)
    }
}
